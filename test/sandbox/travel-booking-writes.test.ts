import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { codeOf } from './visitor.ts'
import { bookingOf, dayOn, lettersOf, open, order, firstAhead, search, whole } from './travel-booking-traveller.ts'
import type { Full, Move } from './travel-booking-traveller.ts'
import type { AppPerson, OpenApp } from './open-app.ts'

let app: OpenApp
let who: AppPerson
beforeAll(async () => {
  app = await open()
})
beforeEach(async () => {
  who = await app.newcomer()
})
afterAll(() => app[Symbol.asyncDispose]())

const confirmed = ({ standing }: Full): boolean => standing === 'CONFIRMED'
const movesOf = async (ref: string, day = dayOn(40)): Promise<Move[]> =>
  (await who.read<{ moves: Move[] }>(`/trips/x/bookings/${ref}/moves?day=${day}`)).moves

const mailOf = async (): Promise<string> =>
  (await who.read<{ traveller: { mail: string } }>('/trips/x/me')).traveller.mail

interface GiveBack {
  possible: boolean
  because: { code: string } | null
  givenBack: { minor: number }
  notGivenBack: Record<string, { minor: number }>
}
const giveBackOf = (ref: string): Promise<GiveBack> => who.read(`/trips/x/bookings/${ref}/giveback`)

/** Status and code of a form that is refused, with the effects that it left. */
async function refusedForm(path: string, fields: Record<string, string>): Promise<unknown[]> {
  const before = (await app.effects(who)).length
  const response = await who.form(path, fields)
  return [response.status, await codeOf(response), (await app.effects(who)).length - before]
}

test('an order is confirmed, charged as agreed, listed, has tickets and a letter, and is one effect', async () => {
  const wish = await order(who, { by: 'RAIL' }, 'SAVER', true)
  const before = (await app.effects(who)).length
  const { booking } = await who.wrote<{ booking: Full }>('POST', '/trips/x/orders', wish)
  const { bookingRef: ref, parts } = booking
  expect(booking).toMatchObject({ standing: 'CONFIRMED', flexCover: true, givenBack: null })
  expect(booking.riders).toEqual([{ givenName: 'Zoë', familyName: 'Núñez', band: 'GROWN_UP' }])
  expect(booking.sum.minor).toBe(wish.agreed.minor)
  expect(parts.fare.minor + parts.flexPrice.minor + parts.serviceFee.minor).toBe(wish.agreed.minor)
  expect(parts.flexPrice.minor).toBe(Math.ceil(parts.fare.minor * 0.12))
  expect(await bookingOf(who, ref)).toEqual(booking)
  expect((await whole(who, 'AHEAD')).map(({ bookingRef }) => bookingRef)).toContain(ref)
  expect((await lettersOf(who, ref)).map(({ kind }) => kind)).toEqual(['BOOKED'])
  const { papers } = await who.read<{ papers: { rider: string; link: string }[] }>(`/trips/x/bookings/${ref}/papers`)
  expect(papers.map(({ rider }) => rider)).toEqual(['Zoë Núñez'])
  expect(await (await fetch(papers[0]?.link ?? '')).text()).toContain('Núñez')
  const effects = (await app.effects(who)).slice(before)
  expect(effects.map(({ action, body }) => [action, body['bookingRef']])).toEqual([['order.place', ref]])
})

test('an order that does not fit is refused whole', async () => {
  const wish = await order(who, { by: 'RAIL' }, 'SAVER')
  const before = [(await app.effects(who)).length, (await whole(who, 'EVERYTHING')).length]
  const [rider] = wish.riders
  const cases: [Record<string, unknown>, number, string][] = [
    [{ agreed: { ...wish.agreed, minor: wish.agreed.minor - 1 } }, 409, 'SUM_DIFFERS'],
    [{ agreed: { ...wish.agreed, currency: 'USD' } }, 409, 'SUM_DIFFERS'],
    [{ agreed: undefined }, 422, 'AGREED_INVALID'],
    [{ agreed: { ...wish.agreed, tip: 1 } }, 422, 'FIELD_UNKNOWN'],
    [{ flexCover: true }, 409, 'SUM_DIFFERS'],
    [{ flexCover: 'yes' }, 422, 'FLAG_INVALID'],
    [{ tariffCode: 'FIRST', flexCover: true }, 422, 'FLEX_NOT_OFFERED'],
    [{ tariffCode: 'DECK' }, 404, 'TARIFF_NOT_FOUND'],
    [{ tripNo: 'O00199' }, 404, 'TRIP_NOT_FOUND'],
    [{ searchToken: 'made-up' }, 404, 'SEARCH_UNKNOWN'],
    [{ riders: [] }, 422, 'PARTY_MISMATCH'],
    [{ riders: [rider, rider] }, 422, 'PARTY_MISMATCH'],
    [{ riders: 'me' }, 422, 'RIDERS_INVALID'],
    [{ riders: ['me'] }, 422, 'OBJECT_INVALID'],
    [{ riders: [{ ...rider, familyName: ' ' }] }, 422, 'FIELD_REQUIRED'],
    [{ riders: [{ ...rider, givenName: 7 }] }, 422, 'TEXT_INVALID'],
    [{ riders: [{ ...rider, givenName: 'x'.repeat(81) }] }, 422, 'TEXT_TOO_LONG'],
    [{ riders: [{ ...rider, age: 7 }] }, 422, 'FIELD_UNKNOWN'],
    [{ coupon: 'FREE' }, 422, 'FIELD_UNKNOWN'],
  ]
  for (const [change, status, code] of cases) {
    const answer = await who.refused('POST', '/trips/x/orders', { ...wish, ...change })
    expect([change, ...answer]).toEqual([change, status, code])
  }
  expect(await who.refused('POST', '/trips/x/orders', [])).toEqual([400, 'BODY_INVALID'])
  expect([(await app.effects(who)).length, (await whole(who, 'EVERYTHING')).length]).toEqual(before)
})

test('without a card on file nothing can be ordered, but what is booked can be cancelled', async () => {
  who = await app.newcomer('cardless')
  expect(await who.refused('POST', '/trips/x/orders', await order(who))).toEqual([402, 'CARD_MISSING'])
  const rows = await whole(who, 'AHEAD')
  const all = await Promise.all(rows.map(({ bookingRef }) => bookingOf(who, bookingRef)))
  const mine = all.find((one) => confirmed(one) && one.tariff.givesBack)
  expect((await who.form(`/trips/bookings/${mine?.bookingRef}/cancel`)).status).toBe(303)
  expect((await app.effects(who)).map(({ action }) => action)).toEqual(['booking.cancel'])
})

test('where the carrier confirms by hand a booking waits, without tickets, until it does', async () => {
  const wish = await order(who, { goal: 'İzmir', by: 'SEA' }, 'SUITE')
  const { booking } = await who.wrote<{ booking: Full }>('POST', '/trips/x/orders', wish)
  const { bookingRef: ref } = booking
  expect(booking.standing).toBe('AWAITING')
  for (const path of ['papers', `moves?day=${dayOn(30)}`]) {
    expect(await who.denied(`/trips/x/bookings/${ref}/${path}`)).toEqual([409, 'BOOKING_NOT_CONFIRMED'])
  }
  expect((await giveBackOf(ref)).because?.code).toBe('BOOKING_NOT_CONFIRMED')
  expect(await refusedForm(`/trips/bookings/${ref}/cancel`, {})).toEqual([409, 'BOOKING_NOT_CONFIRMED', 0])
  const [asked] = await lettersOf(who, ref)
  expect(asked?.recipient).not.toContain('ferrovela')
  const link = /http\S+/.exec(asked?.words ?? '')?.[0] ?? ''
  expect((await fetch(`${link}x`, { method: 'POST' })).status).toBe(404)
  expect((await fetch(link, { method: 'POST', redirect: 'manual' })).status).toBe(303)
  expect((await fetch(link, { method: 'POST', redirect: 'manual' })).status).toBe(409)
  expect((await bookingOf(who, ref)).standing).toBe('CONFIRMED')
  expect((await lettersOf(who, ref)).map(({ kind, recipient }) => `${kind} ${recipient}`)[0]).toBe(
    `AGREED ${await mailOf()}`,
  )
  expect((await who.get(`/trips/x/bookings/${ref}/papers`)).status).toBe(200)
})

test('an exchangeable booking moves to another departure for the difference and the fee', async () => {
  const was = await firstAhead(who, (one) => confirmed(one) && one.tariff.tariffCode === 'CLASSIC' && !one.flexCover)
  const { bookingRef: ref } = was
  const moves = await movesOf(ref)
  expect(moves.length).toBeGreaterThan(1)
  expect(new Set(moves.map(({ leaves }) => leaves.day))).toEqual(new Set([dayOn(40)]))
  for (const { difference, swapFee, toPay } of moves) {
    expect(swapFee.minor).toBeGreaterThan(0)
    expect(toPay.minor).toBe(Math.max(0, difference.minor) + swapFee.minor)
  }
  const [move] = moves
  if (!move) throw new Error('There is no move.')
  const { papers } = await who.read<{ papers: { link: string }[] }>(`/trips/x/bookings/${ref}/papers`)
  const path = `/trips/bookings/${ref}/move`
  const agreedMinor = String(move.toPay.minor)
  expect((await who.read<{ move: Move }>(`/trips/x/bookings/${ref}/moves/${move.moveId}`)).move).toEqual(move)
  expect(await refusedForm(path, { moveId: move.moveId, agreedMinor: '1' })).toEqual([409, 'SUM_DIFFERS', 0])
  expect(await refusedForm(path, { moveId: move.moveId })).toEqual([422, 'FIELD_REQUIRED', 0])
  expect(await refusedForm(path, { agreedMinor })).toEqual([422, 'FIELD_REQUIRED', 0])
  expect(await refusedForm(path, { moveId: 'MV-1-1-1-1', agreedMinor })).toEqual([404, 'MOVE_NOT_FOUND', 0])
  expect(await refusedForm(path, { moveId: move.moveId, agreedMinor, seat: '1' })).toEqual([422, 'FIELD_UNKNOWN', 0])
  const response = await who.form(path, { moveId: move.moveId, agreedMinor })
  expect([response.status, response.headers.get('location')]).toEqual([
    303,
    `/travel-booking/trips/bookings/${ref}?done=moved&moveId=${move.moveId}&paid=${agreedMinor}`,
  ])
  const is = await bookingOf(who, ref)
  expect([is.standing, is.leaves]).toEqual(['CONFIRMED', move.leaves])
  expect(is.sum.minor).toBe(was.sum.minor + move.toPay.minor)
  expect((await lettersOf(who, ref))[0]?.kind).toBe('MOVED')
  expect((await app.effects(who)).at(-1)).toMatchObject({ action: 'booking.move', body: { bookingRef: ref } })
  expect((await fetch(papers[0]?.link ?? '')).status).toBe(404)
  expect(await refusedForm(path, { moveId: move.moveId, agreedMinor })).toEqual([404, 'MOVE_NOT_FOUND', 0])
})

test('flex waives the fee of a change; a tariff that is not exchangeable cannot be changed, nor what is over', async () => {
  const flex = await firstAhead(who, (one) => confirmed(one) && one.tariff.swappable && one.flexCover)
  for (const { swapFee } of await movesOf(flex.bookingRef)) expect(swapFee.minor).toBe(0)
  const fixed = await firstAhead(who, (one) => confirmed(one) && !one.tariff.swappable)
  const left = (await whole(who, 'BEHIND'))[0]?.bookingRef ?? ''
  const off = (await whole(who, 'CALLED_OFF'))[0]?.bookingRef ?? ''
  for (const [ref, code] of [
    [fixed.bookingRef, 'TARIFF_NOT_SWAPPABLE'],
    [left, 'BOOKING_DEPARTED'],
    [off, 'BOOKING_CANCELLED'],
  ]) {
    expect(await who.denied(`/trips/x/bookings/${ref}/moves?day=${dayOn(9)}`)).toEqual([409, code])
    const fields = { moveId: 'MV-1-1-1-1', agreedMinor: '0' }
    expect(await refusedForm(`/trips/bookings/${ref}/move`, fields)).toEqual([409, code, 0])
  }
  expect(await who.denied(`/trips/x/bookings/${flex.bookingRef}/moves`)).toEqual([422, 'DAY_INVALID'])
  expect(await who.denied(`/trips/x/bookings/${flex.bookingRef}/moves?day=${dayOn(-2)}`)).toEqual([422, 'DAY_PAST'])
})

test.each([
  ['a refundable tariff', (one: Full) => confirmed(one) && one.tariff.givesBack],
  ['flex', (one: Full) => confirmed(one) && !one.tariff.givesBack && one.flexCover],
])('a booking with %s is cancelled for what was quoted, and never again', async (_, fits) => {
  const was = await firstAhead(who, fits)
  const { bookingRef: ref, parts } = was
  const quote = await giveBackOf(ref)
  expect(quote).toMatchObject({ possible: true, because: null, givenBack: parts.fare })
  const kept = Object.values(quote.notGivenBack).reduce((sum, { minor }) => sum + minor, 0)
  expect(quote.givenBack.minor + kept).toBe(was.sum.minor)
  expect((await bookingOf(who, ref)).standing).toBe('CONFIRMED')
  const path = `/trips/bookings/${ref}/cancel`
  expect(await refusedForm(path, { agreedMinor: String(was.sum.minor) })).toEqual([409, 'SUM_DIFFERS', 0])
  expect(await refusedForm(path, { reason: 'rain' })).toEqual([422, 'FIELD_UNKNOWN', 0])
  const { papers } = await who.read<{ papers: { link: string }[] }>(`/trips/x/bookings/${ref}/papers`)
  const response = await who.form(path, { agreedMinor: String(quote.givenBack.minor) })
  expect(response.headers.get('location')).toBe(
    `/travel-booking${path.replace('/cancel', '')}?done=cancelled&givenBack=${parts.fare.minor}&currency=${parts.fare.currency}`,
  )
  expect(await bookingOf(who, ref)).toMatchObject({ standing: 'CANCELLED', givenBack: parts.fare })
  expect((await whole(who, 'CALLED_OFF')).map(({ bookingRef }) => bookingRef)).toContain(ref)
  expect((await whole(who, 'AHEAD')).map(({ bookingRef }) => bookingRef)).not.toContain(ref)
  expect((await lettersOf(who, ref))[0]).toMatchObject({ kind: 'CALLED_OFF', recipient: await mailOf() })
  expect((await app.effects(who)).at(-1)).toMatchObject({ action: 'booking.cancel', body: { bookingRef: ref } })
  expect((await fetch(papers[0]?.link ?? '')).status).toBe(410)
  expect(await who.denied(`/trips/x/bookings/${ref}/papers`)).toEqual([409, 'BOOKING_CANCELLED'])
  expect(await refusedForm(path, {})).toEqual([409, 'BOOKING_CANCELLED', 0])
})

test('neither refundable nor flex, or over: the quote says why not, and cancelling is refused', async () => {
  const fixed = await firstAhead(who, (one) => confirmed(one) && !one.tariff.givesBack && !one.flexCover)
  const left = (await whole(who, 'BEHIND'))[0]?.bookingRef ?? ''
  for (const [ref = '', code] of [
    [fixed.bookingRef, 'TARIFF_KEEPS_MONEY'],
    [left, 'BOOKING_DEPARTED'],
  ]) {
    const quote = await giveBackOf(ref)
    expect([quote.possible, quote.because?.code, quote.givenBack.minor]).toEqual([false, code, 0])
    expect(await refusedForm(`/trips/bookings/${ref}/cancel`, {})).toEqual([409, code, 0])
  }
  expect((await who.get(`/trips/x/bookings/${left}/papers`)).status).toBe(200)
})

test('within a day of departure the carrier keeps a quarter of a refundable fare, but nothing with flex', async () => {
  // Clocks in İstanbul are three hours ahead.
  const today = dayOn(3 / 24)
  const soon = (await search(who, { day: today, by: 'RAIL' })).there.found > 0 ? today : dayOn(1 + 3 / 24)
  const late = async (tariff: string, flex: boolean): Promise<[GiveBack, Full]> => {
    const wish = await order(who, { by: 'RAIL', day: soon }, tariff, flex)
    const { booking } = await who.wrote<{ booking: Full }>('POST', '/trips/x/orders', wish)
    return [await giveBackOf(booking.bookingRef), booking]
  }
  const [first, dear] = await late('FIRST', false)
  expect(first.notGivenBack['keptByCarrier']?.minor).toBe(Math.ceil(dear.parts.fare.minor / 4))
  const [saver, cheap] = await late('SAVER', true)
  expect(saver.givenBack.minor).toBe(cheap.parts.fare.minor)
})
