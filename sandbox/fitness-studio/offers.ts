import type { DatabaseSync } from 'node:sqlite'
import { all, maybeNumber, number, one, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { serialIn } from './studio.ts'

/** Days from bill to bill; a `ONCE` is paid when it is bought. */
const periods: Readonly<Record<string, number>> = { WK: 7, '4WK': 28, '52WK': 364 }

interface Offer {
  serial: number
  label: string
  auto: boolean
  fee: number
  per: string
  covers: string[]
  entries: number | undefined
}

const toOffer = (row: Row): Offer => ({
  serial: number(row, 'serial'),
  label: text(row, 'label'),
  auto: number(row, 'auto') === 1,
  fee: number(row, 'fee'),
  per: text(row, 'per'),
  covers: text(row, 'covers').split(' '),
  entries: maybeNumber(row, 'entries'),
})

export const periodDays = (per: string): number => periods[per] ?? 0

export const listOffers = (db: DatabaseSync, account: string): Offer[] =>
  all(db, 'SELECT * FROM offers WHERE account = ? ORDER BY serial', account).map(toOffer)

export function ownOffer({ db, viewer }: SignedIn, id: unknown): Offer {
  const sql = 'SELECT * FROM offers WHERE account = ? AND serial = ?'
  const row = one(db, sql, viewer.account.account, serialIn('O', id))
  if (!row) throw new Refusal(404, 'OFFER_NOT_FOUND', 'There is no such offer.', 'Offer')
  return toOffer(row)
}
