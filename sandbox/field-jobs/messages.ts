import type { DatabaseSync } from 'node:sqlite'
import { all, number, one, run, text } from '../platform/rows.ts'
import type { SignedIn } from '../platform/types.ts'
import { need, nextSerial, uuidOf } from './company.ts'
import { invalid } from './input.ts'
import { known, paged, pageParams, type Listed } from './paging.ts'

export const ways = ['mail', 'text'] as const
export type Way = (typeof ways)[number]

export interface Told {
  via: Way | 'push'
  to: string
}

export interface Reachable {
  mail: string
  mobile: string
}

/** By e-mail if there is an address, else by text message; null for somebody who has neither. */
export function anyWay({ mail, mobile }: Reachable): Told | null {
  if (mail !== '') return { via: 'mail', to: mail }
  return mobile === '' ? null : { via: 'text', to: mobile }
}

/** The way that was asked for, or any. */
export function chosenWay(given: unknown, reachable: Reachable): Told {
  const way = ways.find((one) => one === given)
  if (given !== undefined && !way) throw invalid('VIA_INVALID', `via must be one of ${ways.join(', ')}.`, 'via')
  const told = way ? { via: way, to: way === 'mail' ? reachable.mail : reachable.mobile } : anyWay(reachable)
  if (!told || told.to === '') throw invalid('NO_ADDRESS', 'The customer cannot be reached this way.', 'via')
  return told
}

/** Sends one message; it is kept as sent. */
export function post({ db, viewer, now }: SignedIn, told: Told, words: string, about: string): void {
  const { account } = viewer.account
  insertMessage(db, account, nextSerial(db, 'messages', account), { ...told, words, about, sent: now })
}

interface Message extends Told {
  words: string
  about: string
  sent: number
}

export function insertMessage(db: DatabaseSync, account: string, serial: number, message: Message): void {
  const { via, to, words, about, sent } = message
  run(
    db,
    'INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    serial,
    uuidOf('messages', serial),
    account,
    via,
    to,
    words,
    about,
    sent,
  )
}

const messageOut = (db: DatabaseSync, serial: number) => {
  const row = one(db, 'SELECT * FROM messages WHERE serial = ?', serial) ?? {}
  return {
    uuid: text(row, 'uuid'),
    via: text(row, 'via'),
    to: text(row, 'recipient'),
    words: text(row, 'words'),
    about: text(row, 'about'),
    sent_at: number(row, 'sent'),
  }
}

/** All that left the house, newest first; `about` is the uuid of a job, an estimate or a bill. */
export function listMessages(request: SignedIn): Listed<ReturnType<typeof messageOut>> {
  need(request, 'customers')
  const { db, viewer, query } = request
  known(query, [...pageParams, 'about'])
  const sql = "SELECT serial FROM messages WHERE account = ?1 AND (?2 = '' OR about = ?2) ORDER BY serial DESC"
  const find = (): number[] =>
    all(db, sql, viewer.account.account, query.get('about') ?? '').map((row) => number(row, 'serial'))
  return paged(request, 'messages', find, (serial) => messageOut(db, serial))
}
