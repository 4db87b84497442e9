import type { DatabaseSync } from 'node:sqlite'
import { all, maybeNumber, maybeText, number, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { shiftDay } from './clock.ts'
import { periodDays } from './offers.ts'
import { conflict, nextRev, ownStudio, serialIn } from './studio.ts'

/** OK runs, DUE has a bill unpaid, SOON has not begun, ENDING has a last day, HOLD is paused, USED is used up. */
export const standings = ['OK', 'DUE', 'SOON', 'ENDING', 'ENDED', 'HOLD', 'USED'] as const
export type Standing = (typeof standings)[number]

export interface Pass {
  serial: number
  client: number
  offer: number
  label: string
  auto: boolean
  per: string
  covers: string[]
  /** Visits that are left; undefined where nobody counts. */
  left: number | undefined
  st: Standing
  renews: string | undefined
  /** When SOON begins, when ENDING ends. */
  turn: string | undefined
}

function standingOf(row: Row): Standing {
  const found = standings.find((one) => one === row['st'])
  if (!found) throw new TypeError('A pass has no standing.')
  return found
}

/** The next day to bill on: bills of days that are over were paid. */
function renewsFrom(first: string, per: string, today: string): string {
  const days = periodDays(per)
  const late = Math.max(0, (Date.parse(today) - Date.parse(first)) / 86_400_000)
  return shiftDay(first, Math.ceil(late / days) * days)
}

function toPass(row: Row, today: string): Pass {
  const stored = standingOf(row)
  const turn = maybeText(row, 'turn')
  const turned = turn !== undefined && turn <= today
  const st = !turned ? stored : stored === 'SOON' ? 'OK' : stored === 'ENDING' ? 'ENDED' : stored
  const per = text(row, 'per')
  const renews = maybeText(row, 'renews')
  return {
    serial: number(row, 'serial'),
    client: number(row, 'client'),
    offer: number(row, 'offer'),
    label: text(row, 'label'),
    auto: number(row, 'auto') === 1,
    per,
    covers: text(row, 'covers').split(' '),
    left: maybeNumber(row, 'left_over'),
    st,
    renews: renews === undefined ? undefined : renewsFrom(renews, per, today),
    turn: st === stored ? turn : undefined,
  }
}

const select = `SELECT p.serial, p.client, p.offer, p.left_over, o.label, o.auto, o.per, o.covers, s.st, s.renews, s.turn
  FROM passes p JOIN offers o ON o.serial = p.offer JOIN pass_states s ON s.pass = p.serial
  AND s.rev = (SELECT max(rev) FROM pass_states WHERE pass = p.serial AND rev <= ?)`

/** All passes of a studio as they stood at that change and on that day. */
export const passesAt = (db: DatabaseSync, account: string, rev: number, today: string): Pass[] =>
  all(db, `${select} WHERE p.account = ? ORDER BY p.serial`, rev, account).map((row) => toPass(row, today))

export function passesOf(request: SignedIn, client: number): Pass[] {
  const { rev, today } = ownStudio(request)
  return all(request.db, `${select} WHERE p.client = ? ORDER BY p.serial`, rev, client).map((row) => toPass(row, today))
}

export function ownPass(request: SignedIn, client: number): Pass {
  const serial = serialIn('P', request.params['pid'])
  const pass = passesOf(request, client).find((one) => one.serial === serial)
  if (!pass) throw new Refusal(404, 'PASS_NOT_FOUND', 'This client has no such pass.', 'pid')
  return pass
}

interface Change {
  pass: number
  st: Standing
  renews?: string | undefined
  turn?: string | undefined
}

/** All changes of a request go by one number, so a list is never read between them. */
export function setStandings(request: SignedIn, changes: readonly Change[]): void {
  if (changes.length === 0) return
  const rev = nextRev(request)
  for (const { pass, st, renews, turn } of changes) {
    const values = [pass, rev, st, renews ?? null, turn ?? null]
    run(request.db, 'INSERT INTO pass_states VALUES (?, ?, ?, ?, ?)', ...values)
  }
}

/** The pass that a visit goes on; those that renew before those that are used up. */
export function passFor(request: SignedIn, client: number, slot: { topic: string; day: string }): Pass {
  const own = passesOf(request, client)
  const covers = (pass: Pass): boolean => pass.covers.includes(slot.topic)
  const running = own.filter(
    ({ st, turn }) => st === 'OK' || (st === 'ENDING' && turn !== undefined && slot.day < turn),
  )
  const fitting = running.filter(covers)
  const pass = fitting.find(({ auto }) => auto) ?? fitting[0]
  if (pass) return pass
  if (own.some((one) => one.st === 'DUE' && covers(one))) {
    throw conflict('PASS_DUE', 'A bill of this client’s pass is unpaid: it allows no classes until then.', 'Cid')
  }
  if (running.length > 0) throw conflict('PASS_EXCLUDES', 'No pass of this client covers this class.', 'Cid')
  throw conflict('NO_PASS', 'This client has no pass that is running then.', 'Cid')
}

export function useVisit(request: SignedIn, { serial, left }: Pass): void {
  if (left === undefined) return
  run(request.db, 'UPDATE passes SET left_over = left_over - 1 WHERE serial = ?', serial)
  if (left === 1) setStandings(request, [{ pass: serial, st: 'USED' }])
}

/** Gives visits back, one for each time that a pass is named. */
export function returnVisits(request: SignedIn, serials: readonly number[]): void {
  const { rev, today } = ownStudio(request)
  const counted = passesAt(request.db, request.viewer.account.account, rev, today).filter(
    ({ serial, left }) => left !== undefined && serials.includes(serial),
  )
  for (const { serial } of counted) {
    const visits = serials.filter((one) => one === serial).length
    run(request.db, 'UPDATE passes SET left_over = left_over + ? WHERE serial = ?', visits, serial)
  }
  const again = counted.filter(({ st }) => st === 'USED')
  setStandings(
    request,
    again.map(({ serial }) => ({ pass: serial, st: 'OK' })),
  )
}
