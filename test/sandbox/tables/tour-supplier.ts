import { tourSupplier } from '../../../sandbox/tour-supplier/app.ts'
import { dayIn } from '../../../sandbox/tour-supplier/clock.ts'
import { book, day, guest, rest, tripOf, type Item } from '../tour-supplier-supplier.ts'
import type { AppPerson } from '../open-app.ts'
import type { Table } from './table.ts'

const wide = `orders?state=ANY&first=${day(-20)}&last=${day(30)}`
const soon = `orders?first=${day(2)}&last=${day(4)}`
const items = async (who: AppPerson, path: string): Promise<Item[]> =>
  (await who.read<{ items: Item[] }>(`${rest}/${path}`)).items

/** A guest rates a trip that nobody has rated. */
async function rates(who: AppPerson): Promise<unknown> {
  const rated = new Set((await items(who, 'feedback?size=100')).map(({ orderNo }) => orderNo))
  const gone = await items(who, `orders?first=${day(-40)}&last=${day(-3)}&size=100`)
  const trip = await tripOf(who, gone.find(({ orderNo }) => !rated.has(orderNo))?.['orderNo'])
  return guest(who, `${trip}/rate`, { stars: '4', words: 'Late, but good' })
}
/** Of the app's newest supplier, whose office is in São Paulo. */
const dayOfOffice = (offset: number): string => dayIn('America/Sao_Paulo', Date.now() / 1000 + offset * 86_400)
const order = '<orders|0.orderNo>'
const activity = '<activities|0.activityId>'
const variant = '<activities|0.variants.0.variantId>'
const span = `first=${day(1)}&last=${day(2)}`
const seats = `variants/${variant}/seats/${day(200)}`

export const table: Table = {
  app: tourSupplier,
  base: `${rest}/`,
  token: [`${rest}/session`, 'xt'],
  size: 'size',
  paged: /^(orders(\?|$)|threads(\?|$)|feedback)/,
  page: 25,
  next: ({ after }: { after?: string | null }) => (after ? `after=${after}` : null),
  lists: {
    [wide]: { id: 'orderNo', order: ({ day: on, start, orderNo }: Item) => [on, start, orderNo].join(' ') },
    [wide.replace('state=ANY&', '')]: {
      id: 'orderNo',
      where: ([first]: Item[]) => ({
        [`activity=${String(first?.['activityId'])}`]: { activityId: String(first?.['activityId']), state: 'LIVE' },
      }),
    },
    [wide.replace('ANY', 'VOID')]: { id: 'orderNo', least: 5 },
    [soon]: {
      id: 'orderNo',
      least: 26,
      by: 1,
      meanwhile: (who, { count }) => book(who, day(2 + (count % 3))),
      keeps: 'all',
    },
    threads: {
      id: 'threadId',
      order: ({ lastEpoch }: Item) => -Number(lastEpoch),
      where: { 'show=unseen': { unseen: (count: number) => count > 0 } },
    },
    'threads?show=unseen': {
      id: 'threadId',
      first: { lastWords: 'Again!' },
      least: 5,
      by: 1,
      meanwhile: async (who, { before }: { before: Item[] }) =>
        guest(who, `${await tripOf(who, before.at(-1)?.['orderNo'])}/words`, { words: 'Again!' }),
      adds: 0,
      keeps: 'ids',
    },
    feedback: {
      id: 'feedbackId',
      order: (row: Item) => -Number(row['day']),
      where: (all: Item[]) => {
        const activityId = String(all[3]?.['activityId'])
        return {
          'show=open': { answer: null },
          [`first=${day(-30)}`]: { day: (on: string) => on >= day(-30) },
          [`activity=${activityId}&show=open`]: { activityId, answer: null },
        }
      },
      by: 2,
      meanwhile: rates,
      first: { stars: 4, words: 'Late, but good', answer: null },
      keeps: 'ids',
    },
    'activities?stage=ANY': { id: 'activityId', least: 2 },
  },
  alike: { orders: `orders?state=LIVE&first=${dayOfOffice(0)}&last=${dayOfOffice(7)}` },
  refused: `
    400 PARAM_INVALID: orders?size=0  orders?state=live  orders?first=2026-12-31  insights?first=20260101
      feedback?show=unseen
    400 PARAM_UNKNOWN: orders?status=ANY
    400 AFTER_UNKNOWN: threads?after=12_5-abc
    400 SPAN_BACKWARDS: orders?first=${day(1)}&last=${day(0)}
    400 BODY_INVALID: PUT ${seats} ["x"]
    422 DEPARTURES_REQUIRED: PUT ${seats} {"departures":[]}
    422 FIELD_UNKNOWN: PUT ${seats} {"departures":[{"start":"0900","free":1,"gate":"SHUT"}]}
    422 START_INVALID: PUT ${seats} {"departures":[{"start":"09:00","free":1}]}
    422 FREE_INVALID: PUT ${seats} {"departures":[{"start":"0900","free":1000}]}
    422 DEPARTURE_TWICE: PUT ${seats} {"departures":[{"start":"0900","free":1},{"start":"0900","free":1}]}
    422 DAY_INVALID: PUT variants/${variant}/seats/20260231 {"departures":[{"start":"0900","free":1}]}
    422 PRICE_REQUIRED: FORM /extranet/variants/${variant}/tariff
    422 WORDS_INVALID: POST feedback/<feedback?show=open|0.feedbackId>/answer {"words":7}
    422 WORDS_TOO_LONG: POST feedback/<feedback?show=open|0.feedbackId>/answer {"words":"${'x'.repeat(1001)}"}
      FORM /extranet/threads/<threads|0.threadId>/answer words=${'x'.repeat(2001)}
  `,
  names: `
    session  orders  orders/${order}  activities  threads  threads/<threads|0.threadId>  feedback  outbox
    variants/${variant}/seats?${span}  variants/${variant}/tariff  insights?${span}
  `,
  looks: {
    orders: { day: /^\d{8}$/, start: /^\d{4}$/, state: 'LIVE' },
    [soon]: { day: (on: string) => [2, 3, 4].map(day).includes(on) },
    [wide.replace('ANY', 'VOID')]: { state: 'VOID' },
    activities: { stage: 'ONLINE' },
    'activities?stage=OFFLINE': { stage: 'OFFLINE' },
    [`=orders/${order}`]: { retail: { minor: Number.isInteger, cur: 'EUR', digits: 2 }, day: /^\d{8}$/ },
  },
  holds: {
    [`${wide}|state`]: ['LIVE', 'VOID'],
    [`${wide}|zone`]: 6,
    'activities?stage=ANY|stage': ['ONLINE', 'OFFLINE'],
    'feedback|stars': [1, 2, 3, 4, 5],
    'feedback|answer': /^null$/,
    'feedback|words': [/^$/, /^.{3001}/s],
    'threads|lastWords': /^$/,
    [`activities > variants/{variants.0.variantId}/seats?first=${day(2)}&last=${day(40)}|calendar.departures.gate`]: [
      'OPEN',
      'SHUT',
    ],
    [`activities > variants/{variants.0.variantId}/seats?first=${day(2)}&last=${day(40)}|calendar.departures.free`]:
      /^0$/,
  },
  change: async (me) => {
    const [open] = await items(me, 'feedback?show=open')
    return me.write('POST', `${rest}/feedback/${String(open?.['feedbackId'])}/answer`, { words: 'Gone soon' })
  },
  strangers: `
    404 ORDER_NOT_FOUND: orders/${order}  orders/<threads|0.threadId>
    404 ACTIVITY_NOT_FOUND: orders?activity=${activity}  insights?first=20260101&last=20260102&activity=${activity}
    404 VARIANT_NOT_FOUND: variants/${variant}/seats?first=20260101&last=20260102
      PUT variants/${variant}/seats/${day(5)} {"departures":[{"start":"0900","free":1}]}
      FORM /extranet/variants/${variant}/tariff adults=100
    404 THREAD_NOT_FOUND: threads/<threads|0.threadId>  FORM /extranet/threads/<threads|0.threadId>/answer words=Hi
    404 FEEDBACK_NOT_FOUND: POST feedback/<feedback?show=open|0.feedbackId>/answer {"words":"Hi"}
  `,
  kinds: {
    manager: `
      303: FORM /extranet/variants/${variant}/seats day=${day(299)}&free_0900=5
        FORM /extranet/feedback/<feedback?show=open|0.feedbackId>/answer words=Hi
    `,
    dispatcher: `
      200: orders  threads  feedback
      403 RIGHT_MISSING: insights?first=20260101&last=20260102  FORM /extranet/variants/${variant}/tariff adults=100
    `,
    guide: `
      200: orders
      403 RIGHT_MISSING: insights?first=20260101&last=20260102  threads  feedback
        FORM /extranet/variants/${variant}/tariff adults=100  POST feedback/41/answer {"words":"Hi"}
        PUT ${seats} {"departures":[{"start":"0900","free":1}]}
    `,
  },
  pages: { shows: '', paths: `/extranet/orders/${order}  /extranet/threads/<threads|0.threadId>` },
}
