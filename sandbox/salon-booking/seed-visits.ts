import type { DatabaseSync } from 'node:sqlite'
import type { Random } from '../platform/random.ts'
import type { Guest } from './guests.ts'
import { lengthOf } from './openings.ts'
import { idOf } from './salon.ts'
import { ownStates, pays, promos, reasons, remarks } from './seed-words.ts'
import type { Branch, MenuItem, Shift, Stylist } from './shop.ts'
import { insertSale } from './takings.ts'
import { insertTimeOff } from './time-off.ts'
import { insertVisit, type State, type Visit } from './visits.ts'
import { momentOf, wallAt } from './zones.ts'

interface Shop {
  branches: Branch[]
  menu: MenuItem[]
  stylists: Stylist[]
}

const daysBack = 35
const daysAhead = 24

function draw<T extends string>(random: Random, odds: readonly (readonly [T, number])[]): T {
  let rest = random.next()
  for (const [value, chance] of odds) {
    rest -= chance
    if (rest < 0) return value
  }
  return odds[0]?.[0] ?? ('' as T)
}

/** Some that lie in the past were never closed: they are still `planned`. */
const stateOf = (random: Random, ago: number): State =>
  ago > 0
    ? draw(random, [
        ['done', 0.68],
        ['called_off', 0.1],
        ['missed', 0.08],
        ['planned', 0.07],
        ['own', 0.07],
      ])
    : draw(random, [
        ['planned', 0.5],
        ['agreed', 0.28],
        ['called_off', 0.11],
        ['own', 0.11],
      ])

/** All the moments of one branch's day cost one look at its clock: between nine and nineteen it never changes. */
function clockOf(branches: readonly Branch[]): (branch: string, day: number, minute: number) => number {
  const known = new Map<string, number>()
  return (branch, day, minute) => {
    const zone = branches.find(({ id }) => id === branch)?.zone ?? 'Etc/UTC'
    const key = `${zone} ${day}`
    const midday = known.get(key) ?? momentOf({ day, minute: 720 }, zone) ?? 0
    known.set(key, midday)
    return midday + (minute - 720) * 60
  }
}

export function seedVisits(
  db: DatabaseSync,
  random: Random,
  midnight: number,
  account: string,
  guests: readonly Guest[],
  shop: Shop,
): void {
  const { branches, menu, stylists } = shop
  const today = midnight / 86_400
  const clock = clockOf(branches)
  // The last fourteen are new: they have never been here. Forty have not come for a while. The first comes often.
  const [regulars, lapsed] = [guests.slice(0, -54), guests.slice(-54, -14)]
  let n = 0
  const add = (day: number, stylist: Stylist, shift: Shift, minute: number, items: MenuItem[], state: State): void => {
    n += 1
    const starts = clock(shift.branch, day, minute)
    const visit: Visit = {
      id: idOf(account, 'visit', n),
      account,
      n,
      guest:
        (day < today - daysBack ? random.pick(lapsed) : n % 12 === 0 ? regulars[0] : random.pick(regulars))?.id ?? '',
      stylist: stylist.id,
      branch: shift.branch,
      starts,
      ends: starts + lengthOf(items) * 60,
      day,
      items: items.map(({ id, label }) => ({ id, label })),
      state,
      own: state === 'own' ? random.pick(ownStates) : null,
      remark: random.pick(remarks),
      reason: state === 'called_off' ? random.pick(reasons) : null,
    }
    insertVisit(db, visit, 1)
    if (state === 'done') for (const item of items) sell(db, random, visit, item)
  }

  const fill = (day: number, stylist: Stylist, most: number): void => {
    for (const shift of stylist.shifts) {
      const offered = menu.filter(
        (item) => stylist.items.includes(item.id) && item.branches.includes(shift.branch) && item.minutes <= 90,
      )
      let minute = shift.from + random.between(0, 8) * 15
      for (let turn = 0; turn < most; turn++) {
        const items = random.some(offered, random.between(1, 2))
        if (minute + lengthOf(items) > shift.to) break
        add(day, stylist, shift, minute, items, stateOf(random, today - day))
        minute += Math.ceil(lengthOf(items) / 15) * 15 + random.between(0, 10) * 15
      }
    }
  }

  const chairs = stylists.slice(0, -1)
  for (let ago = 400; ago > daysBack; ago -= 5) fill(today - ago, random.pick(chairs), 1)
  for (let day = today - daysBack; day <= today + daysAhead; day++) {
    for (const stylist of random.some(chairs, 4)) fill(day, stylist, 2)
  }
  seedFilmSet(db, midnight, account, regulars, shop, n + 1)
  seedTimeOff(db, today, account, chairs, clock)
}

/** One visit of a day and a half that is under way on the whole day of the reset. */
function seedFilmSet(
  db: DatabaseSync,
  midnight: number,
  account: string,
  guests: readonly Guest[],
  { branches, menu, stylists }: Shop,
  n: number,
): void {
  const [crew, item] = [stylists.at(-1), menu.at(-1)]
  const at = branches.find(({ id }) => id === crew?.shifts[0]?.branch)
  if (!crew || !item || !at) return
  const starts = midnight - 3600 * 6
  const visit: Visit = {
    id: idOf(account, 'visit', n),
    account,
    n,
    guest: guests[1]?.id ?? '',
    stylist: crew.id,
    branch: at.id,
    starts,
    ends: starts + item.minutes * 60,
    day: wallAt(starts, at.zone).day,
    items: [{ id: item.id, label: item.label }],
    state: 'agreed',
    own: null,
    remark: 'Studio 4, ask for Noor',
    reason: null,
  }
  insertVisit(db, visit, 1)
}

/** A receipt's line, and now and then something to take home. */
function sell(db: DatabaseSync, random: Random, visit: Visit, item: MenuItem): void {
  const promo = random.next() < 0.3 ? random.pick(promos) : undefined
  const rebate = promo ? Math.round((item.price * promo[2]) / 100) : 0
  const paid = item.price - rebate
  const line = {
    account: visit.account,
    branch: visit.branch,
    day: visit.day,
    pay: random.pick(pays),
    promo: promo?.[0] ?? null,
    promoKind: promo?.[1] ?? null,
  }
  const refund = random.next() < 0.06 ? Math.round(paid / 2) : 0
  const tip = random.next() < 0.3 ? Math.round(paid / 10) : 0
  const service = random.next() < 0.2 ? Math.round(paid / 20) : 0
  insertSale(db, { ...line, label: item.label, pieces: 1, gross: item.price, rebate, refund, tip, service })
  if (random.next() < 0.15) {
    const pieces = random.between(1, 3)
    const gross = pieces * random.between(900, 2900)
    const none = { promo: null, promoKind: null, rebate: 0, refund: 0, tip: 0, service: 0 }
    insertSale(db, { ...line, ...none, label: 'Shampoo 250 ml', pieces, gross })
  }
}

/** The third of the team is on a course for three days; everybody else has had office hours or a pause. */
function seedTimeOff(
  db: DatabaseSync,
  today: number,
  account: string,
  chairs: readonly Stylist[],
  clock: (branch: string, day: number, minute: number) => number,
): void {
  const away = chairs[2]
  if (!away) return
  const branch = away.shifts[0]?.branch ?? ''
  for (let day = today + 40; day < today + 43; day++) {
    const span = { starts: clock(branch, day, 540), ends: clock(branch, day, 1140) }
    insertTimeOff(db, account, { stylist: away.id, kind: 'course', label: 'Colour academy – مستوى ٢', ...span })
  }
  for (const [index, stylist] of chairs.entries()) {
    const home = stylist.shifts[0]?.branch ?? ''
    const span = { starts: clock(home, today + 33, 720), ends: clock(home, today + 33, 765) }
    const kind = index % 2 === 0 ? ('pause' as const) : ('office' as const)
    insertTimeOff(db, account, { stylist: stylist.id, kind, label: '', ...span })
  }
}
