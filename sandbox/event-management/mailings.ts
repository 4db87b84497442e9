import type { DatabaseSync } from 'node:sqlite'
import { all, number, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { moment } from './clock.ts'
import { ownGathering, serialIn, takeSerial, type Gathering } from './gatherings.ts'
import { needText, readForm, readQuery, readText } from './input.ts'
import { pageNames, readPage, type Page } from './paging.ts'
import { voicesOf } from './voices.ts'

interface Mailing {
  serial: number
  kind: 'ANNOUNCEMENT' | 'TO_VOICES'
  subject: string
  words: string
  sent: number
}

interface Recipient {
  mail: string
  addressee: string
}

export function insertMailing(
  db: DatabaseSync,
  { account, serial: gathering }: Gathering,
  { serial, kind, subject, words, sent }: Mailing,
  recipients: readonly Recipient[],
  take: () => number,
): void {
  run(db, 'INSERT INTO mailings VALUES (?, ?, ?, ?, ?, ?, ?)', serial, account, gathering, kind, subject, words, sent)
  for (const { mail, addressee } of recipients) {
    run(db, 'INSERT INTO mails VALUES (?, ?, ?, ?, ?)', take(), account, serial, mail, addressee)
  }
}

export interface Told {
  gathering: string
  mailing: number
  reached: number
  skipped: number
}

/** Sends at once, to each of those who have an address. */
function send(request: SignedIn, gathering: Gathering, kind: Mailing['kind'], everybody: Recipient[], more = {}): Told {
  const { db, now, form } = request
  const fields = readForm(form, ['subject', 'words'], ['voice_no'])
  const subject = readText(fields, 'subject', 150) ?? `News about ${gathering.called}`.slice(0, 150)
  const words = needText(fields, 'words', 5000)
  const recipients = everybody.filter(({ mail }) => mail !== '')
  if (recipients.length === 0) throw new Refusal(409, 'NOBODY_TO_REACH', 'Nobody here has an e-mail address.')
  const take = (): number => takeSerial(db, gathering.account)
  const mailing: Mailing = { serial: take(), kind, subject, words, sent: now }
  insertMailing(db, gathering, mailing, recipients, take)
  const told = { gathering_no: String(gathering.serial), mailing_no: String(mailing.serial) }
  request.effect(kind === 'ANNOUNCEMENT' ? 'guests.announce' : 'voices.mail', {
    ...told,
    subject,
    words,
    recipients: recipients.map(({ mail }) => mail),
    ...more,
  })
  const skipped = everybody.length - recipients.length
  return { gathering: told.gathering_no, mailing: mailing.serial, reached: recipients.length, skipped }
}

export function announce(request: SignedIn): Told {
  const gathering = ownGathering(request)
  readForm(request.form, ['subject', 'words'])
  return send(request, gathering, 'ANNOUNCEMENT', guestRecipients(request.db, gathering))
}

export const guestRecipients = (db: DatabaseSync, gathering: Gathering): Recipient[] =>
  all(db, 'SELECT given, family, mail FROM guests WHERE gathering = ? ORDER BY serial', gathering.serial).map(
    (row) => ({
      mail: text(row, 'mail'),
      addressee: `${text(row, 'given')} ${text(row, 'family')}`,
    }),
  )

/** To the voices that are named by number, or to all. */
export function mailVoices(request: SignedIn): Told {
  const gathering = ownGathering(request)
  const named = new Set(request.form.getAll('voice_no'))
  const all = voicesOf(request.db, gathering)
  const chosen = all.filter(({ serial }) => named.size === 0 || named.has(String(serial)))
  if (named.size > 0 && chosen.length < named.size) {
    const strange = [...named].find((no) => !chosen.some(({ serial }) => serial === serialIn(no)))
    throw new Refusal(404, 'VOICE_NOT_FOUND', `The gathering has no voice ${strange}.`, 'voice_no')
  }
  const silent = named.size > 0 ? chosen.find(({ mail }) => mail === '') : undefined
  if (silent) throw new Refusal(409, 'VOICE_WITHOUT_MAIL', `${silent.called} has no e-mail address.`, 'voice_no')
  const recipients = chosen.map(({ mail, called }) => ({ mail, addressee: called }))
  return send(request, gathering, 'TO_VOICES', recipients, named.size > 0 ? { voice_no: [...named] } : {})
}

const mailOut = (row: Row) => ({
  mail_no: String(number(row, 'serial')),
  mailing_no: String(number(row, 'mailing')),
  gathering_no: String(number(row, 'gathering')),
  kind: text(row, 'kind'),
  recipient: text(row, 'recipient'),
  addressee: text(row, 'addressee'),
  subject: text(row, 'subject'),
  words: text(row, 'words'),
  sent: moment(number(row, 'sent'), text(row, 'zone')),
})

/** All e-mail that left, newest first; of one mailing where its number is given. */
export function listMails(request: SignedIn): Page<ReturnType<typeof mailOut>> {
  const { mailing_no: no } = readQuery(request.query, ['mailing_no', ...pageNames])
  const sql = `SELECT mails.*, mailings.gathering, kind, subject, words, sent, zone FROM mails
    JOIN mailings ON mailings.serial = mailing JOIN gatherings ON gatherings.serial = mailings.gathering
    WHERE mails.account = ? ${no === undefined ? '' : 'AND mailing = ?'}`
  const values = [request.viewer.account.account, ...(no === undefined ? [] : [serialIn(no)])]
  return readPage(request, 'mails', { sql, values, serial: 'mails.serial' }, mailOut)
}
