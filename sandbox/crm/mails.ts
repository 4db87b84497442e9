import type { DatabaseSync } from 'node:sqlite'
import { all, number, one, text } from '../platform/rows.ts'
import { Refusal, type Account } from '../platform/types.ts'
import type { Person } from './entities.ts'
import { insert, nextId } from './tables.ts'

export interface Mail {
  recipient: string
  subject: string
  text: string
  at: number
}

export function sendMail(db: DatabaseSync, account: Account, mail: Mail): Mail {
  insert(db, 'mails', { ...mail, id: nextId(db, 'mails', account), account: account.account })
  return mail
}

export function addressOf({ name, mail }: Person): string {
  if (mail === '') throw new Refusal(409, 'PERSON_HAS_NO_MAIL', `${name} has no e-mail address.`)
  return mail
}

/** To the studio itself, whoever of it signs in. */
export function tellStudio(db: DatabaseSync, account: string, mail: Omit<Mail, 'recipient'>): void {
  const row = one(db, 'SELECT email, ordinal FROM sb_accounts WHERE account = ?', account)
  if (!row) throw new Error(`There is no account ${account}.`)
  const id = nextId(db, 'mails', { account, ordinal: number(row, 'ordinal') })
  insert(db, 'mails', { ...mail, recipient: text(row, 'email'), id, account })
}

/** Latest first. */
export function listMails(db: DatabaseSync, { account }: Account): Mail[] {
  return all(db, 'SELECT * FROM mails WHERE account = ? ORDER BY id DESC LIMIT 100', account).map((row) => ({
    recipient: text(row, 'recipient'),
    subject: text(row, 'subject'),
    text: text(row, 'text'),
    at: number(row, 'at'),
  }))
}
