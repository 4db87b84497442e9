import type { DatabaseSync } from 'node:sqlite'
import { all, number, run, text } from '../platform/rows.ts'
import type { SignedIn } from '../platform/types.ts'
import { nextId } from './ids.ts'
import type { Journey } from './journeys.ts'
import { cut, readCount, readOlderThan } from './lists.ts'

interface Follower {
  called: string
  mail: string
  /** What opens journeys of the circle to them. */
  pass: string
}

export function followersOf(db: DatabaseSync, account: string): Follower[] {
  return all(db, 'SELECT * FROM followers WHERE account = ? ORDER BY id', account).map((row) => ({
    called: text(row, 'called'),
    mail: text(row, 'mail'),
    pass: text(row, 'pass'),
  }))
}

export interface Notice {
  id: number
  kind: string
  recipient: string
  words: string
  journey: number
  entry: number
  sent: number
}

export function sendNotice(request: SignedIn, notice: Omit<Notice, 'id' | 'sent'>): void {
  const { kind, recipient, words, journey, entry } = notice
  const own = [nextId(request, 'notices'), request.viewer.account.account]
  const sql = 'INSERT INTO notices VALUES (?, ?, ?, ?, ?, ?, ?, ?)'
  run(request.db, sql, ...own, kind, recipient, words, journey, entry, request.now)
}

/** Writes to the followers of a journey that they may see; how many that were. */
export function tellFollowers(request: SignedIn, journey: Journey, entry: number, words: string): number {
  if (journey.audience === 'self') return 0
  const followers = followersOf(request.db, journey.account)
  for (const { mail } of followers) {
    sendNotice(request, { kind: 'entry', recipient: mail, words, journey: journey.id, entry })
  }
  return followers.length
}

/** One page of what left the house, latest first. */
export function listNotices(request: SignedIn): { rows: Notice[]; olderThan: number | null } {
  const size = readCount(request.query)
  const behind = readOlderThan(request, 'notices')
  const below = behind ? number(behind, 'id') : Number.MAX_SAFE_INTEGER
  const sql = 'SELECT * FROM notices WHERE account = ? AND id < ? ORDER BY id DESC LIMIT ?'
  const rows = all(request.db, sql, request.viewer.account.account, below, size + 1).map((row) => ({
    id: number(row, 'id'),
    kind: text(row, 'kind'),
    recipient: text(row, 'recipient'),
    words: text(row, 'words'),
    journey: number(row, 'journey'),
    entry: number(row, 'entry'),
    sent: number(row, 'sent'),
  }))
  return cut(rows, size)
}
