import type { DatabaseSync } from 'node:sqlite'
import { all, number, text } from '../platform/rows.ts'
import type { Mail } from './entities.ts'
import type { Wish } from './paging.ts'
import { nextSerial } from './supplier.ts'

type Sent = Omit<Mail, 'kind'> & { serial: number; kind: string }

/** Newest first. */
export function listMails(db: DatabaseSync, account: string, { size, key }: Wish): Sent[] {
  const sql = 'SELECT * FROM mails WHERE account = ? AND serial < ? ORDER BY serial DESC LIMIT ?'
  return all(db, sql, account, Number(key?.[0] ?? Number.MAX_SAFE_INTEGER), size + 1).map((row) => ({
    serial: number(row, 'serial'),
    kind: text(row, 'kind'),
    recipient: text(row, 'recipient'),
    subject: text(row, 'subject'),
    words: text(row, 'words'),
    about: text(row, 'about'),
    sent: number(row, 'sent'),
  }))
}

export function post(db: DatabaseSync, account: string, mails: readonly Mail[]): void {
  const first = nextSerial(db, 'mails', account)
  const insert = db.prepare('INSERT INTO mails VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  for (const [index, { kind, recipient, subject, words, about, sent }] of mails.entries()) {
    insert.run(first + index, account, kind, recipient, subject, words, about, sent)
  }
}
