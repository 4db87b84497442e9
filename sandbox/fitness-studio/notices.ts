import type { DatabaseSync } from 'node:sqlite'
import { all, number, run, text } from '../platform/rows.ts'
import type { SignedIn } from '../platform/types.ts'
import { ownClient, type Client } from './clients.ts'
import { hourText, usDay } from './clock.ts'
import { invalid, jsonFields, readChoice, readText, type Fields } from './input.ts'
import { entriesIn, slotOn, type Slot } from './slots.ts'
import { conflict, nextSerial } from './studio.ts'

type Via = 'MAIL' | 'TEXT'

interface Letter {
  kind: 'BLAST' | 'SPOT' | 'OFF'
  via: Via
  subject: string
  words: string
}

interface Notice extends Omit<Letter, 'kind'> {
  kind: string
  recipient: string
  at: number
}

function post(request: SignedIn, slot: Slot, client: Client, letter: Letter): void {
  const { kind, via, subject, words } = letter
  const serial = nextSerial(request, 'notices')
  run(
    request.db,
    'INSERT INTO notices VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    serial,
    request.viewer.account.account,
    slot.serial,
    client.serial,
    kind,
    via,
    via === 'MAIL' ? client.mail : client.tel,
    subject,
    words,
    request.now,
  )
}

/** To the e-mail address, or else the telephone; who left neither hears nothing. */
export function tell(request: SignedIn, slot: Slot, client: number, kind: 'SPOT' | 'OFF', news: string): boolean {
  const known = ownClient(request, `C${client}`)
  if (known.mail === '' && known.tel === '') return false
  const words = `${slot.title}, ${usDay(slot.day)} ${hourText(slot.minutes)}: ${news}`
  const letter =
    known.mail === '' ? ({ via: 'TEXT', subject: '' } as const) : ({ via: 'MAIL', subject: slot.title } as const)
  post(request, slot, known, { kind, ...letter, words })
  return true
}

interface Blasted {
  via: Via
  sent: number
  skipped: string[]
}

function readLetter(fields: Fields, slot: Slot): Letter {
  const via = readChoice(fields['Via'], 'Via', ['MAIL', 'TEXT'])
  if (via === 'TEXT' && fields['Subject'] !== undefined) {
    throw invalid('FIELD_UNKNOWN', 'A text message has no subject.', 'Subject')
  }
  const words = readText(fields['Words'], 'Words', via === 'MAIL' ? 5000 : 480)
  const given = fields['Subject'] === undefined ? slot.title : readText(fields['Subject'], 'Subject', 150)
  return { kind: 'BLAST', via, words, subject: via === 'MAIL' ? given : '' }
}

/** Writes to everybody who has a spot, each on their own. */
export function blast(request: SignedIn, sent: unknown): Blasted {
  const slot = slotOn(request)
  const fields = jsonFields(sent, 'Via', 'Subject', 'Words')
  const letter = readLetter(fields, slot)
  const there = entriesIn(request, slot.serial)
    .filter(({ st }) => st === 'RSV' || st === 'IN')
    .map(({ client }) => ownClient(request, `C${client}`))
  if (there.length === 0) throw conflict('NOBODY_BOOKED', 'Nobody has a spot in this class.')
  const reached = there.filter(({ mail, tel }) => (letter.via === 'MAIL' ? mail : tel) !== '')
  if (reached.length === 0) throw conflict('NOBODY_REACHED', 'Nobody in this class can be reached that way.', 'Via')
  for (const client of reached) post(request, slot, client, letter)
  const skipped = there.filter((one) => !reached.includes(one)).map(({ serial }) => `C${serial}`)
  request.effect('slot.blast', { Slot: `S${slot.serial}`, ...fields, Sent: reached.length })
  return { via: letter.via, sent: reached.length, skipped }
}

export const listNotices = (db: DatabaseSync, account: string): Notice[] =>
  all(db, 'SELECT * FROM notices WHERE account = ? ORDER BY serial DESC LIMIT 200', account).map((row) => ({
    kind: text(row, 'kind'),
    via: text(row, 'via') === 'MAIL' ? 'MAIL' : 'TEXT',
    recipient: text(row, 'recipient'),
    subject: text(row, 'subject'),
    words: text(row, 'words'),
    at: number(row, 'at'),
  }))
