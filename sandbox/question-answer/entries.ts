import type { DatabaseSync } from 'node:sqlite'
import { all, maybeNumber, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { readNo } from './circle.ts'
import { kindOf, type Kind } from './shelf.ts'

export const stages = ['waiting', 'published', 'lined_up', 'skipped'] as const
export type Stage = (typeof stages)[number]

/** What somebody handed in to a room. */
export interface Entry {
  no: number
  room: number
  kind: Kind
  headline: string
  text: string
  writer: string
  own: boolean
  /** The question that a reply is for. */
  ask: number | undefined
  handedIn: number
  stage: Stage
  settled: number | undefined
  goesLive: number | undefined
}

function toEntry(row: Row): Entry {
  const stage = text(row, 'stage')
  return {
    no: number(row, 'no'),
    room: number(row, 'room'),
    kind: kindOf(text(row, 'kind')),
    headline: text(row, 'headline'),
    text: text(row, 'text'),
    writer: text(row, 'writer'),
    own: number(row, 'own') === 1,
    ask: maybeNumber(row, 'ask'),
    handedIn: number(row, 'handed_in'),
    stage: stages.find((one) => one === stage) ?? 'waiting',
    settled: maybeNumber(row, 'settled'),
    goesLive: maybeNumber(row, 'goes_live'),
  }
}

/** A room's, first come first. */
export function listDesk(db: DatabaseSync, room: number, stage: Stage | 'any'): Entry[] {
  const sql = "SELECT * FROM entries WHERE room = ? AND (? = 'any' OR stage = ?) ORDER BY handed_in, no"
  return all(db, sql, room, stage, stage).map(toEntry)
}

/** What the account itself handed in, latest first. */
export function listHandedIn({ db, viewer }: SignedIn): Entry[] {
  const sql = 'SELECT * FROM entries WHERE account = ? AND own = 1 ORDER BY handed_in DESC, no DESC'
  return all(db, sql, viewer.account.account).map(toEntry)
}

export function ownEntry({ db, viewer, params }: SignedIn): Entry {
  const no = readNo(params['entry'] ?? '') ?? 0
  const row = one(db, 'SELECT * FROM entries WHERE no = ? AND account = ?', no, viewer.account.account)
  if (!row) throw new Refusal(404, 'ENTRY_NOT_FOUND', 'Nothing with this number was handed in.', 'entry')
  return toEntry(row)
}

export function addEntry(db: DatabaseSync, account: string, entry: Entry): void {
  const { no, room, kind, headline, text: words, writer, own, ask, handedIn, stage, settled, goesLive } = entry
  const sql = 'INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'
  const last = [ask ?? null, handedIn, stage, settled ?? null, goesLive ?? null]
  run(db, sql, no, account, room, kind, headline, words, writer, own ? 1 : 0, ...last)
}
