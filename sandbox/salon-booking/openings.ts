import type { DatabaseSync } from 'node:sqlite'
import { branchesOf, stylistsOf, type Branch, type MenuItem, type Shift, type Stylist } from './shop.ts'
import { busy, type Span } from './visits.ts'
import { momentOf, wallAt } from './zones.ts'

export interface Opening extends Span {
  stylist: Stylist
  branch: Branch
}

export const lengthOf = (items: readonly MenuItem[]): number => items.reduce((sum, { minutes }) => sum + minutes, 0)

/** Everything is on offer there, and this person does it. */
export const canDo = (stylist: Stylist, branch: string, items: readonly MenuItem[]): boolean =>
  items.every((item) => stylist.items.includes(item.id) && item.branches.includes(branch))

const step = 15

/** The last moment at which a visit that is booked now may begin. */
export const latestStart = (now: number): number => now + 366 * 86_400

function inShift(
  db: DatabaseSync,
  stylist: Stylist,
  shift: Shift,
  branch: Branch,
  day: number,
  minutes: number,
): Opening[] {
  const span = { starts: (day - 1) * 86_400, ends: (day + 2) * 86_400 }
  const taken = busy(db, stylist.id, span)
  const found: Opening[] = []
  for (let minute = shift.from; minute + minutes <= shift.to; minute += step) {
    const starts = momentOf({ day, minute }, branch.zone)
    if (starts === undefined) continue
    const ends = starts + minutes * 60
    if (!taken.some((other) => other.starts < ends && other.ends > starts)) {
      found.push({ starts, ends, stylist, branch })
    }
  }
  return found
}

export interface OpeningWish {
  items: readonly MenuItem[]
  /** At each branch, its own day of this date. */
  day: number
  stylist: Stylist | undefined
  branch: string | undefined
}

/** Every start from now on, as far ahead as can be booked, at which one person can do all of it back to back; by start, then by name. */
export function findOpenings(db: DatabaseSync, account: string, wish: OpeningWish, now: number): Opening[] {
  const branches = branchesOf(db, account).filter(({ id }) => wish.branch === undefined || id === wish.branch)
  const minutes = lengthOf(wish.items)
  const found: Opening[] = []
  for (const stylist of wish.stylist ? [wish.stylist] : stylistsOf(db, account)) {
    for (const shift of stylist.shifts) {
      const branch = branches.find(({ id }) => id === shift.branch)
      if (!branch || !canDo(stylist, branch.id, wish.items)) continue
      const free = inShift(db, stylist, shift, branch, wish.day, minutes)
      found.push(...free.filter(({ starts }) => starts >= now && starts <= latestStart(now)))
    }
  }
  return found.toSorted((a, b) => a.starts - b.starts || (a.stylist.name < b.stylist.name ? -1 : 1))
}

/** Where this person is on duty for the whole of it; undefined where nowhere. */
export function dutyAt(db: DatabaseSync, account: string, stylist: Stylist, span: Span): Branch | undefined {
  const branches = branchesOf(db, account)
  for (const shift of stylist.shifts) {
    const branch = branches.find(({ id }) => id === shift.branch)
    if (!branch) continue
    const [from, to] = [wallAt(span.starts, branch.zone), wallAt(span.ends, branch.zone)]
    if (from.day === to.day && from.minute >= shift.from && to.minute <= shift.to) return branch
  }
  return undefined
}
