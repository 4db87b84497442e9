import type { DatabaseSync } from 'node:sqlite'
import { all, number, one, run, text } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { dayIn, isDay } from './clock.ts'
import { idOf, type Prices, type Variant } from './entities.ts'
import { invalid, knownFields, wholeIn } from './input.ts'

type Pax = keyof Prices
const kinds: readonly Pax[] = ['adults', 'children']
const mostMinor = 10_000_000

/** What departures on that day cost. */
export function pricesOn(db: DatabaseSync, variant: number, day: string): Prices {
  const sql = 'SELECT minor FROM tariffs WHERE variant = ? AND pax = ? AND starting <= ? ORDER BY starting DESC LIMIT 1'
  const price = (pax: Pax): number => number(one(db, sql, variant, pax, day) ?? {}, 'minor')
  return { adults: price('adults'), children: price('children') }
}

/** Every day from which a price of the variant is another one, with the prices from then on, earliest first. */
export function tariffSteps(db: DatabaseSync, variant: number): (Prices & { starting: string })[] {
  const days = all(db, 'SELECT DISTINCT starting FROM tariffs WHERE variant = ? ORDER BY starting', variant)
  return days.map((row) => {
    const starting = text(row, 'starting')
    return { starting, ...pricesOn(db, variant, starting) }
  })
}

function readPrice(form: URLSearchParams, pax: Pax): number | undefined {
  const minor = wholeIn(form.get(pax))
  const least = pax === 'adults' ? 1 : 0
  if (minor !== undefined && !(minor >= least && minor <= mostMinor)) {
    throw invalid('PRICE_INVALID', `${pax} must be a whole number from ${least} to ${mostMinor}.`, pax)
  }
  return minor
}

function readStarting({ form, now }: SignedIn, zone: string): string {
  const today = dayIn(zone, now)
  const starting = (form.get('starting') ?? '') || today
  if (!isDay(starting)) throw invalid('DAY_INVALID', 'starting must be a day such as 20261231.', 'starting')
  if (starting < today) throw new Refusal(422, 'DAY_PASSED', `It is ${today} in ${zone} already.`, 'starting')
  return starting
}

/** From `starting` on these prices hold: later steps of the same kind go. Orders keep the price that they were placed at. */
export function setTariff(request: SignedIn, variant: Variant): Prices & { starting: string } {
  const { db, form } = request
  knownFields(form, (name) => ['adults', 'children', 'starting'].includes(name))
  const wanted = kinds.flatMap((pax) => {
    const minor = readPrice(form, pax)
    return minor === undefined ? [] : [{ pax, minor }]
  })
  if (wanted.length === 0) throw invalid('PRICE_REQUIRED', 'Give a price for adults or children.', 'adults')
  const starting = readStarting(request, variant.activity.zone)
  for (const { pax, minor } of wanted) {
    run(db, 'DELETE FROM tariffs WHERE variant = ? AND pax = ? AND starting >= ?', variant.serial, pax, starting)
    run(db, 'INSERT INTO tariffs VALUES (?, ?, ?, ?)', variant.serial, pax, starting, minor)
  }
  const set = Object.fromEntries(wanted.map(({ pax, minor }) => [pax, minor]))
  request.effect('tariff.set', { variantId: idOf('variants', variant.serial), starting, ...set })
  return { starting, ...pricesOn(db, variant.serial, starting) }
}
