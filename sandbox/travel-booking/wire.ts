import { bookingRef, sumOf, ticketKey, type Booking } from './bookings.ts'
import type { GiveBack, Move } from './changes.ts'
import { dayText, when } from './clock.ts'
import { routeOf, type Letter } from './letters.ts'
import { tariffsOf } from './lines.ts'
import { money, type Currency } from './money.ts'
import type { Basket } from './orders.ts'
import type { Place } from './places.ts'
import { cheapest, fareOf, flexPriceOf, serviceFeeOf, type Band, type Trip } from './timetable.ts'

const journey = ({ vehicle, carrier, leaves, reaches, hops }: Trip) => ({
  vehicle,
  carrier,
  leaves: when(leaves),
  reaches: when(reaches),
  minutes: (reaches.ms - leaves.ms) / 60_000,
  swaps: hops.length - 1,
})

const hopsOf = ({ hops }: Trip) =>
  hops.map(({ fromStop, toStop, leaves, reaches }) => ({
    fromStop,
    toStop,
    leaves: when(leaves),
    reaches: when(reaches),
  }))

export function hitOut(no: string, trip: Trip, riders: readonly Band[], currency: Currency) {
  const fare = cheapest(trip, riders, currency)
  const serviceFee = money(serviceFeeOf(fare, currency), currency)
  return { tripNo: no, ...journey(trip), cheapest: money(fare, currency), serviceFee }
}

export function tripOut(no: string, trip: Trip, riders: readonly Band[], currency: Currency) {
  const tariffs = tariffsOf(trip.vehicle).map((tariff) => {
    const fare = fareOf(trip.run, tariff, riders, currency)
    return {
      tariffCode: tariff.code,
      label: tariff.label,
      fare: money(fare, currency),
      swappable: tariff.swappable,
      givesBack: tariff.givesBack,
      flexOffered: tariff.flexOffered,
      flexPrice: tariff.flexOffered ? money(flexPriceOf(fare), currency) : null,
      serviceFee: money(serviceFeeOf(fare, currency), currency),
    }
  })
  return { tripNo: no, ...journey(trip), carrierConfirms: trip.asks, hops: hopsOf(trip), tariffs }
}

export const basketOut = ({ fare, flexPrice, serviceFee, sum, currency }: Basket) => ({
  fare: money(fare, currency),
  flexPrice: money(flexPrice, currency),
  serviceFee: money(serviceFee, currency),
  sum: money(sum, currency),
})

export const bookingRow = (b: Booking) => ({
  bookingRef: bookingRef(b),
  journey: routeOf(b),
  vehicle: b.trip.vehicle,
  carrier: b.trip.carrier,
  leaves: when(b.trip.leaves),
  standing: b.standing,
})

export const bookingFull = (b: Booking) => ({
  ...bookingRow(b),
  reaches: when(b.trip.reaches),
  hops: hopsOf(b.trip),
  riders: b.riders,
  tariff: {
    tariffCode: b.tariff.code,
    label: b.tariff.label,
    swappable: b.tariff.swappable,
    givesBack: b.tariff.givesBack,
  },
  flexCover: b.flex,
  sum: money(sumOf(b), b.currency),
  parts: {
    fare: money(b.fare, b.currency),
    flexPrice: money(b.flexPrice, b.currency),
    serviceFee: money(b.serviceFee, b.currency),
    swapFees: money(b.swapFees, b.currency),
  },
  givenBack: b.givenBack === null ? null : money(b.givenBack, b.currency),
  notice: b.notice,
  bookedOn: dayText(b.made),
})

const paperOf = { RAIL: 'E_TICKET', COACH: 'MOBILE', AIR: 'E_TICKET', SEA: 'PRINT_AT_HOME' } as const

export const ticketsOut = (b: Booking, base: string) => ({
  bookingRef: bookingRef(b),
  papers: b.riders.map(({ givenName, familyName }, index) => ({
    rider: `${givenName} ${familyName}`.trim(),
    paper: paperOf[b.trip.vehicle],
    link: `${base}/t/${ticketKey(b, index)}`,
  })),
})

export const moveOut = ({ moveId, trip, difference, fee, toPay }: Move, currency: Currency) => ({
  moveId,
  leaves: when(trip.leaves),
  reaches: when(trip.reaches),
  difference: money(difference, currency),
  swapFee: money(fee, currency),
  toPay: money(toPay, currency),
})

export function giveBackOut({ booking: b, refused, minor, kept }: GiveBack) {
  const { code, message } = refused?.problem ?? {}
  return {
    bookingRef: bookingRef(b),
    possible: refused === undefined,
    because: refused === undefined ? null : { code, words: message },
    givenBack: money(minor, b.currency),
    notGivenBack: {
      serviceFee: money(b.serviceFee, b.currency),
      flexPrice: money(b.flexPrice, b.currency),
      swapFees: money(b.swapFees, b.currency),
      keptByCarrier: money(kept, b.currency),
    },
  }
}

export const letterOut = ({ serial, booking, kind, recipient, subject, words, sent }: Letter) => ({
  letterNo: serial,
  bookingRef: bookingRef({ serial: booking }),
  kind,
  recipient,
  subject,
  words,
  sentOn: dayText(sent),
})

export const placeOut = ({ key, city, also, zone, stops }: Place) => ({ placeKey: key, city, also, zone, stops })
