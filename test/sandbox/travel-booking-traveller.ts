import { travelBooking } from '../../sandbox/travel-booking/app.ts'
import { openApp, type AppPerson, type OpenApp } from './open-app.ts'

export interface Money {
  minor: number
  currency: string
  exponent: number
}

export interface Moment {
  day: string
  clock: string
  zone: string
  minutesFromUtc: number
}

export interface Row {
  bookingRef: string
  journey: string
  vehicle: string
  carrier: string
  leaves: Moment
  standing: string
}

export interface Full extends Row {
  riders: { givenName: string; familyName: string; band: string }[]
  tariff: { tariffCode: string; label: string; swappable: boolean; givesBack: boolean }
  flexCover: boolean
  sum: Money
  parts: Record<'fare' | 'flexPrice' | 'serviceFee' | 'swapFees', Money>
  givenBack: Money | null
  notice: string
}

export interface Hit {
  tripNo: string
  vehicle: string
  leaves: Moment
  reaches: Moment
  minutes: number
  swaps: number
  cheapest: Money
  serviceFee: Money
}

export interface Found {
  searchToken: string
  there: { found: number; hits: Hit[] }
  back: { found: number; hits: Hit[] } | null
}

export interface Move {
  moveId: string
  leaves: Moment
  difference: Money
  swapFee: Money
  toPay: Money
}

export interface Letter {
  bookingRef: string
  kind: string
  recipient: string
  words: string
}

export const open = (): Promise<OpenApp> =>
  openApp(travelBooking, async (person) => (await person.read<{ seal: string }>('/trips/x/me')).seal)

/** `28 Feb 2027`, so many days from today (UTC). */
export function dayOn(days: number): string {
  const [, date, month, year] = new Date(Date.now() + days * 86_400_000).toUTCString().split(' ')
  return `${date} ${month} ${year}`
}

/** Unix milliseconds. */
export const msOf = ({ day, clock, minutesFromUtc }: Moment): number =>
  Date.parse(`${day} ${clock} UTC`) - minutesFromUtc * 60_000

export const search = (who: AppPerson, query: Record<string, string>): Promise<Found> =>
  who.read(
    `/trips/x/searches?${new URLSearchParams({ start: 'ist', goal: 'ank', day: dayOn(20), ...query }).toString()}`,
  )

export const bookingOf = async (who: AppPerson, ref: string): Promise<Full> =>
  (await who.read<{ booking: Full }>(`/trips/x/bookings/${ref}`)).booking

/** Reads the list to its end, with something happening after each page. */
export async function whole(who: AppPerson, scope: string, take = 100, meanwhile?: () => Promise<unknown>) {
  const seen: Row[] = []
  for (let more = ''; ;) {
    const page = await who.read<{ bookings: Row[]; after: string | null }>(
      `/trips/x/bookings?scope=${scope}&take=${take}${more}`,
    )
    seen.push(...page.bookings)
    if (page.after === null) return seen
    more = `&after=${page.after}`
    await meanwhile?.()
  }
}

export const lettersOf = async (who: AppPerson, ref: string): Promise<Letter[]> =>
  (await who.read<{ letters: Letter[] }>('/trips/x/letters?take=100')).letters.filter((one) => one.bookingRef === ref)

/** The first booking ahead that fits. */
export async function firstAhead(who: AppPerson, fits: (booking: Full) => boolean): Promise<Full> {
  for (const { bookingRef } of await whole(who, 'AHEAD')) {
    const booking = await bookingOf(who, bookingRef)
    if (fits(booking)) return booking
  }
  throw new Error('No booking fits.')
}

/** Orders the first found trip's tariff for one grown-up. */
export async function order(who: AppPerson, query: Record<string, string> = {}, tariffCode?: string, flex = false) {
  const { searchToken, there } = await search(who, query)
  const tripNo = there.hits[0]?.tripNo ?? ''
  const path = `/trips/x/searches/${searchToken}/${tripNo}`
  const { trip } = await who.read<{ trip: { tariffs: { tariffCode: string }[] } }>(path)
  const wish = { searchToken, tripNo, tariffCode: tariffCode ?? trip.tariffs[0]?.tariffCode ?? '' }
  const bill = new URLSearchParams({ ...wish, flexCover: flex ? 'yes' : 'no' })
  const { sum } = await who.read<{ sum: Money }>(`/trips/x/checkout?${bill.toString()}`)
  const riders = [{ givenName: 'Zoë', familyName: 'Núñez' }]
  return { ...wish, flexCover: flex, riders, agreed: { minor: sum.minor, currency: sum.currency } }
}
