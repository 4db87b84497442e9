import { type AppPerson } from './open-app.ts'

interface Money {
  minor: number
  currency: string
  exponent: number
}

interface Moment {
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

interface Hit {
  tripNo: string
  vehicle: string
  leaves: Moment
  reaches: Moment
  minutes: number
  swaps: number
  cheapest: Money
  serviceFee: Money
}

interface Found {
  searchToken: string
  there: { found: number; hits: Hit[] }
  back: { found: number; hits: Hit[] } | null
}

/** `28 Feb 2027`, so many days from today (UTC). */
export function dayOn(days: number): string {
  const [, date, month, year] = new Date(Date.now() + days * 86_400_000).toUTCString().split(' ')
  return `${date} ${month} ${year}`
}

/** Unix milliseconds. */
export const msOf = ({ day, clock, minutesFromUtc }: Moment): number =>
  Date.parse(`${day} ${clock} UTC`) - minutesFromUtc * 60_000

const search = (who: AppPerson, query: Record<string, string>): Promise<Found> =>
  who.read(
    `/trips/x/searches?${new URLSearchParams({ start: 'ist', goal: 'ank', day: dayOn(20), ...query }).toString()}`,
  )

export const bookingOf = async (who: AppPerson, ref: string): Promise<Full> =>
  (await who.read<{ booking: Full }>(`/trips/x/bookings/${ref}`)).booking

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
