import type { DatabaseSync } from 'node:sqlite'
import { all, number, text, type Row } from '../platform/rows.ts'
import type { SignedIn } from '../platform/types.ts'
import { clockIn } from './clock.ts'
import { asKind, type Guest, type Letter, type Party, type Preset } from './entities.ts'
import type { Wish } from './paging.ts'
import { nextSerial } from './parties.ts'

function toLetter(row: Row): Letter {
  return {
    serial: number(row, 'serial'),
    party: number(row, 'party'),
    guest: number(row, 'guest'),
    batch: number(row, 'batch'),
    kind: asKind(text(row, 'kind')) ?? 'INVITE',
    recipient: text(row, 'recipient'),
    subject: text(row, 'subject'),
    words: text(row, 'words'),
    goes: number(row, 'goes'),
  }
}

/** Everything that left or waits to leave, newest first; `batch` undefined for all. */
export function listLetters(request: SignedIn, batch: number | undefined, { size, after }: Wish): Letter[] {
  const sql = `SELECT * FROM letters WHERE account = ?1 AND (?2 IS NULL OR batch = ?2) AND serial < ?3
    ORDER BY serial DESC LIMIT ?4`
  const { db, viewer } = request
  return all(db, sql, viewer.account.account, batch ?? null, after ?? Number.MAX_SAFE_INTEGER, size).map(toLetter)
}

/** The messages that a guest got besides the invitation, latest first. */
export function messagesTo(db: DatabaseSync, guest: Guest): Letter[] {
  const sql = "SELECT * FROM letters WHERE guest = ? AND kind <> 'INVITE' ORDER BY serial DESC"
  return all(db, sql, guest.serial).map(toLetter)
}

/** By mail where there is an address, else by text message. */
export const recipientOf = ({ mail, mobile }: Guest): string => (mail === '' ? mobile : mail)

export type Draft = Pick<Letter, 'kind' | 'subject' | 'words'>

export const inviteDraft = (party: Party, guest: Guest, base: string): Draft => ({
  kind: 'INVITE',
  subject: `${party.host} invites you: ${party.headline}`,
  words: `${guest.called}, please open your invitation: ${base}/i/${guest.key}`,
})

const opening: Readonly<Record<Preset, (headline: string, where: string) => { subject: string; words: string }>> = {
  NUDGE: (headline) => ({
    subject: `Please reply: ${headline}`,
    words: `Please let us know whether you can come to “${headline}”.`,
  }),
  HEADS_UP: (headline, where) => ({
    subject: `Coming up: ${headline}`,
    words: `“${headline}” is coming up: ${where}.`,
  }),
  CHANGE: (headline, where) => ({
    subject: `New time or place: ${headline}`,
    words: `Please note the time and place of “${headline}”: ${where}.`,
  }),
  FREE: (headline) => ({ subject: `About ${headline}`, words: '' }),
}

/** A preset's own words, then those of the host. */
export function broadcastDraft(party: Party, preset: Preset, body: string): Draft {
  const where = `${clockIn(party.zone, party.starts)} (${party.zone})${party.venue === '' ? '' : `, ${party.venue}`}`
  const { subject, words } = opening[preset](party.headline, where)
  return { kind: 'TO_ALL', subject, words: [words, body].filter((part) => part !== '').join('\n\n') }
}

/** One letter to each; answers the batch's number. */
export function post(
  request: SignedIn,
  party: Party,
  guests: readonly Guest[],
  goes: number,
  draft: (guest: Guest) => Draft,
): number {
  const { db } = request
  const batch = nextSerial(db, 'letters', party.account)
  const letters = guests.map((guest, index): Letter => {
    const to = { party: party.serial, guest: guest.serial, recipient: recipientOf(guest) }
    return { ...draft(guest), ...to, serial: batch + index, batch, goes }
  })
  insertLetters(db, party.account, letters)
  return batch
}

export function insertLetters(db: DatabaseSync, account: string, letters: readonly Letter[]): void {
  const insert = db.prepare('INSERT INTO letters VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  for (const l of letters) {
    insert.run(l.serial, account, l.party, l.guest, l.batch, l.kind, l.recipient, l.subject, l.words, l.goes)
  }
}
