import { hash32 } from '../platform/random.ts'
import { addDays, weekdayOf } from './clock.ts'
import { insertOrders } from './orders.ts'
import type { Ground, SeededOrder, SeededVariant } from './seed-ground.ts'
import { guests } from './seed-words.ts'

/** What looks random in the guest's link, the same after every reset. */
export const keyOf = (serial: number): string => `${hash32(`farelune ${serial}`).toString(16)}${serial.toString(36)}`

/** From 120 days back to 90 ahead, most of them in the next days; every sixth is cancelled. */
export function seedOrders(ground: Ground, variants: readonly SeededVariant[]): SeededOrder[] {
  const { db, random, account, base, midnight, today } = ground
  const orders: SeededOrder[] = []
  const taken = new Map<string, number>()
  // What runs every day looks the same whatever the weekday of the reset is, but for the one that takes the others' place.
  const daily = variants.find(({ weekdays }) => weekdays === '1111111') ?? random.pick(variants)
  for (let offset = -120; offset <= 90; offset++) {
    const day = addDays(today, offset)
    const wanted = offset >= -1 && offset <= 8 ? 13 : 2
    for (let index = 0; index < wanted; index++) {
      const wished = random.pick(variants)
      const variant = wished.weekdays[weekdayOf(day)] === '1' ? wished : daily
      const start = random.pick(variant.starts)
      const [adults, children] = [random.between(1, 4), Math.max(0, random.between(-2, 3))]
      const [guest, lang] = random.pick(guests)
      const at = `${variant.serial} ${day}${start}`
      const seats = (taken.get(at) ?? 0) + adults + children
      const serial = base + orders.length + 1
      const isVoid = serial % 6 === 0 || seats > variant.capacity
      if (!isVoid) taken.set(at, seats)
      orders.push({
        serial,
        account,
        activity: variant.activity,
        variant: variant.serial,
        day,
        start,
        state: isVoid ? 'VOID' : 'LIVE',
        adults,
        children,
        minor: adults * variant.adults + children * variant.children,
        guest,
        lang,
        mail: `guest.${serial}@mail.example`,
        key: keyOf(serial),
        placed: midnight + (Math.min(offset, 0) - random.between(1, 20)) * 86_400 - random.between(0, 80_000),
        offset,
      })
    }
  }
  insertOrders(db, orders)
  return orders
}

/** In the next weeks each variant has departures that are shut, sold out, and set by hand; some of them with orders. */
export function seedAllotments({ db, today }: Ground, variants: readonly SeededVariant[]): void {
  const insert = db.prepare('INSERT INTO allotments VALUES (?, ?, ?, ?, ?)')
  for (const [turn, { serial, starts, weekdays }] of variants.entries()) {
    for (let offset = 2; offset <= 40; offset++) {
      const day = addDays(today, offset)
      const [start = ''] = starts.toReversed()
      const kind = (offset + turn) % 5
      if (weekdays[weekdayOf(day)] !== '1' || kind > 2) continue
      insert.run(serial, day, start, kind === 2 ? 3 : 0, kind === 0 ? 'SHUT' : 'OPEN')
    }
  }
}
