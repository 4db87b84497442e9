import { AppCaller, dayFromNow } from './app-caller.ts'
import type { Row } from './app-caller.ts'

export interface Price {
  readonly amount: number
  readonly currency: string
}

interface Fare extends Row {
  readonly fare_id: string
  readonly class: string
  readonly price: Price
  readonly flex_available: boolean
}

/** The demo user as a traveller: one adult from İstanbul to Ankara in twenty days, unless said otherwise. */
export class Traveller {
  readonly caller: AppCaller

  private constructor(caller: AppCaller) {
    this.caller = caller
  }

  static async open(): Promise<Traveller> {
    return new Traveller(await AppCaller.open('travel-booking'))
  }

  search(more: Row = {}, user?: string): Promise<Row[]> {
    const input = { from: 'Istanbul', to: 'Ankara', date: dayFromNow(20), ...more }
    return this.caller.rows('search_trips', 'trips', input, user)
  }

  refusal(more: Row): Promise<string> {
    const input = { from: 'Istanbul', to: 'Ankara', date: dayFromNow(20), ...more }
    return this.caller.refused('search_trips', input)
  }

  /** The fares of the first trip that a search finds. */
  async fares(more: Row = {}, user?: string): Promise<Fare[]> {
    const [first] = await this.search({ limit: 1, ...more }, user)
    return (await this.caller.rows('get_trip', 'fares', { trip_id: first?.['trip_id'] }, user)) as Fare[]
  }

  /** What books a fare of that trip for one adult; the cheapest unless another is named. */
  async order(more: Row = {}, name?: string, flex = false) {
    const fares = await this.fares(more)
    const wanted = `${name ?? fares[0]!.class}${flex ? ', with flex' : ''}`
    const { fare_id, price: total } = fares.find((one) => one.class === wanted)!
    return { fare_id, passengers: [{ first_name: 'Zoë', last_name: 'Núñez' }], total }
  }

  booking(booking_id: unknown): Promise<Row> {
    return this.caller.call('get_booking', { booking_id })
  }

  /** The first of the demo user's options on a day. */
  async options(
    booking_id: unknown,
    days: number,
  ): Promise<{ option_id: string; total: Price; [key: string]: unknown }[]> {
    const input = { booking_id, date: dayFromNow(days) }
    return (await this.caller.rows('get_change_options', 'options', input)) as Awaited<ReturnType<Traveller['options']>>
  }

  async actions(): Promise<string[]> {
    return (await this.caller.control.effects()).map(({ action }) => action)
  }

  /** The carrier answers the letter in which it was asked about a booking. */
  async agree(booking_id: unknown): Promise<number> {
    const { url } = this.caller.sandbox
    const demo = (await this.caller.sandbox.accounts('travel-booking')).find(({ user }) => user === 'demo')
    const cookie = demo!.session.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const answer = await fetch(`${url}/travel-booking/trips/x/letters?take=100`, { headers: { cookie } })
    const { letters } = (await answer.json()) as { letters: { bookingRef: string; kind: string; words: string }[] }
    const letter = letters.find(({ bookingRef, kind }) => bookingRef === booking_id && kind === 'ASKED')
    const [path = ''] = /\/o\/\S+/.exec(letter?.words ?? '') ?? []
    return (await fetch(`${url}/travel-booking${path}`, { method: 'POST', redirect: 'manual' })).status
  }
}
