import type { DatabaseSync } from 'node:sqlite'
import { all, number, run, text } from '../platform/rows.ts'
import { nextSerial } from './host.ts'

/** What left for a camper's mailbox. */
interface Mail {
  recipient: string
  subject: string
  words: string
  at: number
}

export function sendMail(db: DatabaseSync, account: string, { recipient, subject, words, at }: Mail): void {
  const serial = nextSerial(db, 'mails', account)
  run(db, 'INSERT INTO mails VALUES (?, ?, ?, ?, ?, ?)', serial, account, recipient, subject, words, at)
}

/** Latest first. */
export const listMails = (db: DatabaseSync, account: string): Mail[] =>
  all(db, 'SELECT * FROM mails WHERE account = ? ORDER BY serial DESC LIMIT 200', account).map((row) => ({
    recipient: text(row, 'recipient'),
    subject: text(row, 'subject'),
    words: text(row, 'words'),
    at: number(row, 'at'),
  }))
