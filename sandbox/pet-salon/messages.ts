import type { DatabaseSync } from 'node:sqlite'
import { all, number, text } from '../platform/rows.ts'
import { clientBy, type Client } from './clients.ts'
import { dayAndTime } from './clock.ts'
import { idOf, nextSerial, type Salon } from './salon.ts'
import type { Ticket } from './tickets.ts'

/** How clients are reminded: only the first two are sent by the app. */
export const ways = { TXT: 'Text', EML: 'Email', TEL: 'Phone Call', NON: 'None' } as const

export interface Message {
  serial: number
  ticket: number
  kind: 'SCHEDULED' | 'CHANGED' | 'PICKUP'
  way: 'TXT' | 'EML'
  recipient: string
  words: string
  at: string
}

export function addressOf(client: Client, way: string): Pick<Message, 'way' | 'recipient'> | undefined {
  if (way === 'TXT' && client.mob !== '') return { way, recipient: client.mob }
  if (way === 'EML' && client.mail !== '') return { way, recipient: client.mail }
  return undefined
}

export function wordsOf(kind: Message['kind'], salon: string, whom: string, begins: string): string {
  const { d, t } = dayAndTime(begins)
  if (kind === 'PICKUP') return `${salon}: ${whom} is ready to be picked up.`
  return `${salon}: ${whom} is ${kind === 'CHANGED' ? 'now ' : ''}booked for ${d} at ${t}.`
}

/** Sends the client a message about a ticket in the ticket's way, or another; answers its id where it could be sent. */
export function tell(
  db: DatabaseSync,
  salon: Salon,
  ticket: Ticket & { whom: string },
  kind: Message['kind'],
  way = ticket.cnf,
): string | undefined {
  const address = addressOf(clientBy(db, salon.account, ticket.client), way)
  if (!address) return undefined
  const serial = nextSerial(db, 'messages', salon)
  const words = wordsOf(kind, salon.label, ticket.whom, ticket.begins)
  insertMessages(db, salon.account, [{ serial, ticket: ticket.serial, kind, ...address, words, at: salon.now }])
  return idOf('msg', serial)
}

export function insertMessages(db: DatabaseSync, account: string, messages: readonly Message[]): void {
  const insert = db.prepare('INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  for (const { serial, ticket, kind, way, recipient, words, at } of messages) {
    insert.run(serial, account, ticket, kind, way, recipient, words, at)
  }
}

/** Newest first, 200 at most; all, or those about a ticket. */
export function listMessages(db: DatabaseSync, { account }: Salon, ticket = 0): Message[] {
  const sql = 'SELECT * FROM messages WHERE account = ?1 AND (?2 = 0 OR ticket = ?2) ORDER BY serial DESC LIMIT 200'
  return all(db, sql, account, ticket).map((row) => ({
    serial: number(row, 'serial'),
    ticket: number(row, 'ticket'),
    kind: text(row, 'kind') as Message['kind'],
    way: text(row, 'way') as Message['way'],
    recipient: text(row, 'recipient'),
    words: text(row, 'words'),
    at: text(row, 'at'),
  }))
}
