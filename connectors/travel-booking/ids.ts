import { InputRejected } from '../kit/failures.ts'

/** Trip numbers are valid within one search, tariff codes within one trip; an id holds all. */
export function tripId(tripNo: string, searchToken: string): string {
  return `${tripNo}.${searchToken}`
}

/** The id of a tariff, or of the same tariff booked with flex. */
export function fareId(tripNo: string, searchToken: string, tariffCode: string, flex: boolean): string {
  return `${tripId(tripNo, searchToken)}.${tariffCode}${flex ? '.flex' : ''}`
}

/** The search token and the trip's number in it. */
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
