import type { DatabaseSync } from 'node:sqlite'
import { hash32 } from '../platform/random.ts'
import { count, number, one } from '../platform/rows.ts'
import { Refusal, type AppRequest, type Reply } from '../platform/types.ts'
import { trackOf, trackWords, type Guest, type Party } from './entities.ts'
import { allGuests } from './guests.ts'
import { anyParty } from './parties.ts'

const lifetime = 15 * 60_000

const seal = (party: Party, turn: number): string =>
  hash32(`sheet ${party.account} ${party.serial} ${turn}`).toString(36)

/**
 * Where the guest list can be fetched as CSV, by anybody who has the link, for a quarter of an hour after it was last asked for. One
 * that has run out never works again.
 */
export function sheetLink(db: DatabaseSync, party: Party, base: string, now: number) {
  const until = now + lifetime
  const sql = `INSERT INTO sheets VALUES (?1, 1, ?2)
    ON CONFLICT (party) DO UPDATE SET turn = turn + (until <= ?3), until = ?2 RETURNING turn`
  const turn = number(one(db, sql, party.serial, until, now) ?? {}, 'turn')
  const name = [party.serial, turn].map((part) => part.toString(36)).join('-')
  return { csvUrl: `${base}/sheets/${name}-${seal(party, turn)}.csv`, goodUntilMs: until }
}

function partyBehind(db: DatabaseSync, name: string, now: number): Party {
  const [, serial = '', given = '', sealed] = /^([0-9a-z]+)-([0-9a-z]+)-([0-9a-z]+)\.csv$/.exec(name) ?? []
  const party = anyParty(db, Number.parseInt(serial, 36) || 0)
  const turn = Number.parseInt(given, 36)
  if (!party || sealed !== seal(party, turn)) throw new Refusal(404, 'SHEET_NOT_FOUND', 'There is no such guest list.')
  if (count(db, 'sheets WHERE party = ? AND turn = ? AND until > ?', party.serial, turn, now) === 0)
    throw new Refusal(410, 'SHEET_EXPIRED', 'This link was good for 15 minutes.')
  return party
}

const quoted = (cell: string | number): string => `"${String(cell).replaceAll('"', '""')}"`

const line = (guest: Guest, now: number): (string | number)[] => [
  guest.called,
  guest.mail,
  guest.mobile,
  guest.household,
  guest.seats,
  trackWords[trackOf(guest, now)],
  guest.headcount,
  guest.labels.join(', '),
]

export function sheet({ db, params, now }: AppRequest): Reply {
  const party = partyBehind(db, params['name'] ?? '', now * 1000)
  const head = ['Name', 'E-mail', 'Phone', 'Household', 'Invited', 'Status', 'Attending', 'Labels']
  const rows = [head, ...allGuests(db, party).map((guest) => line(guest, now * 1000))]
  return {
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="guests.csv"',
      'cache-control': 'no-store',
    },
    body: rows.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join(''),
  }
}
