import { randomBytes } from 'node:crypto'
import { count, run } from '../platform/rows.ts'
import { Refusal, type AppRequest } from '../platform/types.ts'
import { variantsOf } from './activities.ts'
import { dayIn, hasLeft, isDay } from './clock.ts'
import { idOf, type Activity, type Order, type Variant } from './entities.ts'
import { invalid, readWords, wholeIn } from './input.ts'
import { post } from './mails.ts'
import { insertOrders, orderByKey } from './orders.ts'
import { seatsOn, takeSeats } from './seats.ts'
import { nextSerial } from './supplier.ts'
import { pricesOn } from './tariffs.ts'
import { insertMessages, threadOf } from './threads.ts'

function readPax(form: URLSearchParams, name: string, least: number): number {
  const pax = wholeIn(form.get(name)) ?? least
  if (!(pax >= least && pax <= 20)) throw invalid('PAX_INVALID', `${name} must be from ${least} to 20.`, name)
  return pax
}

function checkSeats({ db, now }: AppRequest, variant: Variant, day: string, start: string, seats: number): void {
  const { zone } = variant.activity
  if (!isDay(day)) throw invalid('DAY_INVALID', 'The day must be one such as 20261231.', 'day')
  const departure = seatsOn(db, variant, day).find((one) => one.start === start)
  if (!departure) throw invalid('DEPARTURE_UNKNOWN', 'Nothing departs then.', 'start')
  if (hasLeft(day, start, zone, now)) throw new Refusal(409, 'DEPARTED', 'This departure has left.', 'start')
  if (departure.gate === 'SHUT' || departure.free < seats) {
    throw new Refusal(409, 'SOLD_OUT', 'There are not that many seats left.', 'start')
  }
}

/** A guest books; answers the order, whose key opens its page. */
export function placeOrder(request: AppRequest, activity: Activity): Order {
  const { db, form, now } = request
  const { account } = activity
  const variant = variantsOf(db, activity).find(({ serial }) => idOf('variants', serial) === form.get('variant'))
  if (activity.stage !== 'ONLINE' || !variant) throw new Refusal(404, 'VARIANT_NOT_FOUND', 'This is not on sale.')
  const [day, start] = [form.get('day') ?? '', form.get('start') ?? '']
  const [adults, children] = [readPax(form, 'adults', 1), readPax(form, 'children', 0)]
  const guest = readWords(form.get('guest'), 'guest', 200)
  const mail = readWords(form.get('mail'), 'mail', 200)
  checkSeats(request, variant, day, start, adults + children)
  takeSeats(db, variant.serial, day, start, adults + children)
  const prices = pricesOn(db, variant.serial, day)
  const serial = nextSerial(db, 'orders', account)
  const minor = adults * prices.adults + children * prices.children
  const key = randomBytes(12).toString('hex')
  const person = { guest, lang: form.get('lang') ?? 'en', mail, key, placed: now }
  const place = { serial, account, activity: activity.serial, variant: variant.serial, day, start, state: 'LIVE' }
  insertOrders(db, [{ ...place, adults, children, minor, ...person }])
  const about = idOf('orders', serial)
  const words = `${request.base}/trip/${key}`
  post(db, account, [{ kind: 'ORDER', recipient: mail, subject: `Your order ${about}`, words, about, sent: now }])
  request.effect('order.placed', { orderNo: about, day, start, adults, children })
  return orderByKey(db, key)
}

/** A guest writes to the supplier. */
export function writeToSupplier(request: AppRequest, { account, serial: booking }: Order): void {
  const { db, form, now } = request
  const words = readWords(form.get('words'), 'words', 2000)
  const thread = threadOf(db, account, booking)
  const serial = nextSerial(db, 'messages', account)
  insertMessages(db, [{ serial, account, thread, side: 'GUEST', words, sent: now }])
  request.effect('guest.wrote', { threadId: idOf('threads', thread), messageId: idOf('messages', serial), words })
}

/** A guest cancels before departure; the seats are free again. */
export function cancelOrder(request: AppRequest, order: Order): void {
  const { db, now } = request
  const { account, serial, variant, day, start, adults, children, zone, mail } = order
  if (order.state === 'VOID') throw new Refusal(409, 'ORDER_VOID', 'This order is cancelled already.')
  if (hasLeft(day, start, zone, now)) throw new Refusal(409, 'DEPARTED', 'This departure has left.')
  run(db, "UPDATE orders SET state = 'VOID' WHERE serial = ?", serial)
  takeSeats(db, variant, day, start, -adults - children)
  const about = idOf('orders', serial)
  const subject = `Your order ${about} is cancelled`
  post(db, account, [{ kind: 'CANCELLATION', recipient: mail, subject, words: '', about, sent: now }])
  request.effect('order.cancelled', { orderNo: about })
}

/** A guest who was there says how it was, once. */
export function rateOrder(request: AppRequest, order: Order): void {
  const { db, form, now } = request
  const { account, activity, serial: booking, day, start, zone } = order
  const stars = wholeIn(form.get('stars')) ?? 0
  if (!(stars >= 1 && stars <= 5)) throw invalid('STARS_INVALID', 'stars must be from 1 to 5.', 'stars')
  if (order.state === 'VOID') throw new Refusal(409, 'ORDER_VOID', 'This order is cancelled.')
  if (!hasLeft(day, start, zone, now)) throw new Refusal(409, 'NOT_DEPARTED', 'Tell us when you have been there.')
  if (count(db, 'feedback WHERE booking = ?', booking) > 0) {
    throw new Refusal(409, 'RATED_ALREADY', 'You have told us already.')
  }
  const serial = nextSerial(db, 'feedback', account)
  const words = (form.get('words') ?? '').replaceAll('\r\n', '\n').slice(0, 4000)
  const values = [serial, account, activity, booking, stars, words, dayIn('UTC', now), null, null]
  run(db, 'INSERT INTO feedback VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)', ...values)
  request.effect('order.rated', { feedbackId: idOf('feedback', serial), stars, words })
}
