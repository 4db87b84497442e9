import { isRecord } from '../platform/body.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { bookingRef, insertBookings, sumOf, type Booking, type Rider } from './bookings.ts'
import { invalid, readObject, readText } from './input.ts'
import { insertLetters, letterAbout } from './letters.ts'
import { tariffOf, type Tariff } from './lines.ts'
import { memberOf, nextSerial } from './members.ts'
import { price, type Currency } from './money.ts'
import { foundTrip, readToken } from './search.ts'
import { fareOf, flexPriceOf, serviceFeeOf, type Band, type Trip } from './timetable.ts'

export interface Basket {
  trip: Trip
  tariff: Tariff
  flex: boolean
  riders: Band[]
  currency: Currency
  fare: number
  flexPrice: number
  serviceFee: number
  sum: number
}

/** What a tariff of a found trip would cost in all. */
export function fillBasket(request: SignedIn, token: string, no: string, code: string, flex: boolean): Basket {
  const { riders, ...search } = readToken(request, token)
  const trip = foundTrip(request, { ...search, riders }, no)
  const tariff = tariffOf(trip.vehicle, code)
  if (!tariff) throw new Refusal(404, 'TARIFF_NOT_FOUND', 'This trip has no such tariff.', 'tariffCode')
  if (flex && !tariff.flexOffered) throw invalid('FLEX_NOT_OFFERED', 'This tariff comes without flex.', 'flexCover')
  const { currency } = memberOf(request.db, request.viewer.account.account)
  const fare = fareOf(trip.run, tariff, riders, currency)
  const flexPrice = flex ? flexPriceOf(fare) : 0
  const serviceFee = serviceFeeOf(fare, currency)
  return { trip, tariff, flex, riders, currency, fare, flexPrice, serviceFee, sum: fare + flexPrice + serviceFee }
}

function readRiders(value: unknown, wanted: readonly Band[]): Rider[] {
  if (!Array.isArray(value)) throw invalid('RIDERS_INVALID', 'riders must be a list.', 'riders')
  const riders = value.map((item: unknown, index): Rider => {
    const at = `riders.${index}`
    const { givenName, familyName } = readObject(item, at, ['givenName', 'familyName'])
    return {
      givenName: readText(givenName, `${at}.givenName`, 80),
      familyName: readText(familyName, `${at}.familyName`, 80),
      band: wanted[index] ?? 'GROWN_UP',
    }
  })
  if (riders.length !== wanted.length) {
    throw invalid('PARTY_MISMATCH', `The search was for ${wanted.length}: name each of them, once.`, 'riders')
  }
  return riders
}

/** Refuses unless the traveller has agreed to exactly this sum. */
export function mustAgree(agreed: unknown, minor: number, currency: Currency): void {
  if (!isRecord(agreed) || !Number.isInteger(agreed['minor']) || typeof agreed['currency'] !== 'string') {
    throw invalid('AGREED_INVALID', 'agreed must be { minor, currency }: what the traveller agreed to.', 'agreed')
  }
  readObject(agreed, 'agreed', ['minor', 'currency', 'exponent'])
  if (agreed['minor'] !== minor || agreed['currency'] !== currency) {
    throw new Refusal(409, 'SUM_DIFFERS', `The sum is ${price(minor, currency)} now (minor ${minor}).`, 'agreed')
  }
}

/** Books a tariff and charges the card on file. */
export function placeOrder(request: SignedIn): Booking {
  const { db, viewer, base, now, json } = request
  const { account, email } = viewer.account
  const fields = ['searchToken', 'tripNo', 'tariffCode', 'flexCover', 'riders', 'agreed']
  const sent = readObject(json, '', fields)
  const [token, no, code] = ['searchToken', 'tripNo', 'tariffCode'].map((name) => readText(sent[name], name, 300))
  const flex = sent['flexCover'] ?? false
  if (typeof flex !== 'boolean') throw invalid('FLAG_INVALID', 'flexCover must be true or false.', 'flexCover')
  const basket = fillBasket(request, token ?? '', no ?? '', code ?? '', flex)
  const riders = readRiders(sent['riders'], basket.riders)
  mustAgree(sent['agreed'], basket.sum, basket.currency)
  if (memberOf(db, account).card === null) {
    throw new Refusal(402, 'CARD_MISSING', 'There is no card on file to charge.')
  }
  const booking: Booking = {
    serial: nextSerial(db, 'bookings', account),
    account,
    standing: basket.trip.asks ? 'AWAITING' : 'CONFIRMED',
    run: basket.trip.run,
    trip: basket.trip,
    leaves: basket.trip.leaves.ms,
    tariff: basket.tariff,
    flex,
    riders,
    currency: basket.currency,
    fare: basket.fare,
    flexPrice: basket.flexPrice,
    serviceFee: basket.serviceFee,
    swapFees: 0,
    givenBack: null,
    issue: 1,
    notice: '',
    made: now * 1000,
  }
  insertBookings(db, [booking])
  const kind = basket.trip.asks ? 'ASKED' : 'BOOKED'
  insertLetters(db, account, [letterAbout(booking, kind, email, base, nextSerial(db, 'letters', account), now * 1000)])
  request.effect('order.place', {
    bookingRef: bookingRef(booking),
    tripNo: no,
    tariffCode: code,
    flexCover: flex,
    riders,
    sum: sumOf(booking),
    currency: booking.currency,
  })
  return booking
}
