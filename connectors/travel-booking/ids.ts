import { Unsendable } from '../failures.ts'

/** The app's numbers of trips hold within their search, and codes of tariffs within their trip: an id carries all of it. */
export function tripId(tripNo: string, searchToken: string): string {
  return `${tripNo}.${searchToken}`
}

export function fareId(tripNo: string, searchToken: string, tariffCode: string): string {
  return `${tripId(tripNo, searchToken)}.${tariffCode}`
}

/** The search and the trip's number in it. */
export function tripOf(id: string): readonly [searchToken: string, tripNo: string] {
  const [, tripNo, searchToken] = /^(\w+)\.([\w-]+)$/.exec(id) ?? []
  if (tripNo === undefined || searchToken === undefined)
    throw new Unsendable('TRIP_NOT_FOUND', 'No search found a trip with this id.')
  return [searchToken, tripNo]
}

export function fareOf(id: string) {
  const [, tripNo, searchToken, tariffCode] = /^(\w+)\.([\w-]+)\.(\w+)$/.exec(id) ?? []
  if (tariffCode === undefined) throw new Unsendable('TARIFF_NOT_FOUND', 'No trip has a fare with this id.')
  return { searchToken, tripNo, tariffCode }
}
