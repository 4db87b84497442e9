import { InputRejected } from '../kit/failures.ts'

/** The app's numbers of trips hold within their search, and codes of tariffs within their trip: an id carries all of it. */
export function tripId(tripNo: string, searchToken: string): string {
  return `${tripNo}.${searchToken}`
}

/** Of a tariff by itself, or of the same one booked with flex. */
export function fareId(tripNo: string, searchToken: string, tariffCode: string, flex: boolean): string {
  return `${tripId(tripNo, searchToken)}.${tariffCode}${flex ? '.flex' : ''}`
}

/** The search and the trip's number in it. */
export function tripOf(id: string): readonly [searchToken: string, tripNo: string] {
  const [, tripNo, searchToken] = /^(\w+)\.([\w-]+)$/.exec(id) ?? []
  if (tripNo === undefined || searchToken === undefined)
    throw new InputRejected('TRIP_NOT_FOUND', 'No search found a trip with this id.')
  return [searchToken, tripNo]
}

export function fareOf(id: string) {
  const [, tripNo, searchToken, tariffCode, flex] = /^(\w+)\.([\w-]+)\.(\w+)(\.flex)?$/.exec(id) ?? []
  if (tariffCode === undefined) throw new InputRejected('TARIFF_NOT_FOUND', 'No trip has a fare with this id.')
  return { searchToken, tripNo, tariffCode, flexCover: flex !== undefined }
}
