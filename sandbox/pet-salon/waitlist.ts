import type { DatabaseSync } from 'node:sqlite'
import { all, count, maybeNumber, maybeText, number, run, text } from '../platform/rows.ts'
import { Refusal } from '../platform/types.ts'
import type { Slice } from './input.ts'
import { serialOf, type Salon } from './salon.ts'
import { forever } from './schema.ts'

export interface Wait {
  serial: number
  client: number
  pet: number | undefined
  /** Undefined: whoever is free first. */
  emp: number | undefined
  svcs: { svc: number; ttl: string }[]
  pref: { d: string; part: string }[]
  nts: string
}

export interface ShownWait extends Wait {
  clientName: string
  petName: string | undefined
  empName: string | undefined
}

/** Who has waited longest first. `day`: only who prefers it. */
export function listWaits(
  db: DatabaseSync,
  account: string,
  { day, serial }: { day: string | undefined; serial?: number },
  { rev, off, lim }: Pick<Slice, 'rev' | 'off' | 'lim'>,
): { tot: number; rows: ShownWait[] } {
  const where = `w.account = ?1 AND w.since <= ?2 AND w.until > ?2 AND (?3 = 0 OR w.serial = ?3)
    AND (?4 = '' OR EXISTS (SELECT 1 FROM json_each(w.pref) f WHERE f.value ->> 'd' = ?4))`
  const values = [account, rev, serial ?? 0, day ?? ''] as const
  const sql = `SELECT w.*, c.name AS client_name, p.name AS pet_name, e.name AS emp_name FROM waits w
    JOIN clients c ON c.serial = w.client LEFT JOIN pets p ON p.serial = w.pet LEFT JOIN staff e ON e.serial = w.emp
    WHERE ${where} ORDER BY w.serial LIMIT ?5 OFFSET ?6`
  const rows = all(db, sql, ...values, lim, off).map((row) => ({
    serial: number(row, 'serial'),
    client: number(row, 'client'),
    pet: maybeNumber(row, 'pet'),
    emp: maybeNumber(row, 'emp'),
    svcs: JSON.parse(text(row, 'svcs')) as Wait['svcs'],
    pref: JSON.parse(text(row, 'pref')) as Wait['pref'],
    nts: text(row, 'nts'),
    clientName: text(row, 'client_name'),
    petName: maybeText(row, 'pet_name'),
    empName: maybeText(row, 'emp_name'),
  }))
  return { tot: count(db, `waits w WHERE ${where}`, ...values), rows }
}

export function ownWait(db: DatabaseSync, { account, rev }: Salon, id: string): ShownWait {
  const serial = serialOf('wait', id) || -1
  const [found] = listWaits(db, account, { day: undefined, serial }, { rev, off: 0, lim: 1 }).rows
  if (!found) throw new Refusal(404, 'WAIT_NOT_FOUND', 'Your waiting list has no such entry.', 'wl')
  return found
}

/** Off the list: it became a ticket. */
export function endWait(db: DatabaseSync, { serial }: Wait, rev: number): void {
  run(db, 'UPDATE waits SET until = ? WHERE serial = ? AND until = ?', rev, serial, forever)
}

export function insertWaits(db: DatabaseSync, account: string, waits: readonly Wait[]): void {
  const insert = db.prepare('INSERT INTO waits VALUES (?, 0, ?, ?, ?, ?, ?, ?, ?, ?)')
  for (const { serial, client, pet, emp, svcs, pref, nts } of waits) {
    const lists = [JSON.stringify(svcs), JSON.stringify(pref)]
    insert.run(serial, forever, account, client, pet ?? null, emp ?? null, ...lists, nts)
  }
}
