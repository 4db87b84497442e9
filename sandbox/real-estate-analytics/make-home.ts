import type { Random } from '../platform/random.ts'
import type { Area } from './areas.ts'
import { kinds, type Home, type Lane } from './homes.ts'
import { streets } from './seed-words.ts'

/** A home in a neighborhood, with figures as they are there: rentals do better where its score is high. */
export function makeHome(random: Random, hood: Area, lane: Lane, serial: number, since: number): Home {
  const { serial: area, city, cityName, st, score } = hood
  const price = random.between(95, 780) * 1000 + random.pick([0, 0, 0, 500, 900])
  const street = `${random.between(1, 99)}${(serial % 1000).toString().padStart(3, '0')} ${random.pick(streets)}`
  return {
    serial,
    lane,
    street: `${street}, ${cityName}, ${st}`,
    area,
    city,
    kind: random.pick(kinds),
    br: random.between(0, 6),
    ba: random.pick([1, 1, 1.5, 2, 2, 2.5, 3, 3.5, 4, 5]),
    price,
    rate: Math.round(30 + price / 3400 + random.between(0, 55) + score / 4),
    occBp: 2700 + score * 24 + random.between(0, 2600),
    rent: Math.round(price * (0.0058 + random.next() * 0.0052)),
    x: hood.x + random.between(-3500, 3500),
    y: hood.y + random.between(-3500, 3500),
    since,
  }
}
