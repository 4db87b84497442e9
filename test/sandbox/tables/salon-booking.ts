import { salonBooking } from '../../../sandbox/salon-booking/app.ts'
import type { AppPerson } from '../open-app.ts'
import { day, type Opening, type Rows, type Visit } from '../salon-booking-salon.ts'
import type { Row, Table } from './table.ts'

const always = `visits?first_day=${day(-500)}&last_day=${day(60)}`
const ahead = `visits?first_day=${day(2)}&last_day=${day(20)}`
const guests = 'guests?q=guest.'
const at = (who: AppPerson, path: string, body: unknown): Promise<Response> =>
  who.write('POST', `/api/v2/${path}`, body)

/** One visit is called off, another moved, and a third booked. */
async function stirs(who: AppPerson, { before, count }: { before: Visit[]; count: number }): Promise<Response> {
  const live = before.filter(({ state }) => state.code === 'planned').toReversed()
  const [off, moved] = [live[count * 2], live[count * 2 + 1]]
  const [{ what, guest }] = before as [Visit]
  const items = what.map(({ menu_item }) => menu_item)
  const { rows } = await who.read<Rows<Opening>>(`/api/v2/openings?day=${day(3)}&menu_item=${items.join(',')}`)
  const { begin_local, tz, stylist } = rows[rows.length - 1] as Opening
  const booked = await at(who, 'visits', {
    guest: guest.guest,
    menu_items: items,
    begin_local,
    tz,
    stylist: stylist.stylist,
  })
  if (booked.status >= 300) return booked
  await at(who, `visits/${off?.visit}/call-off`, { reason: 'Salon closed' })
  return at(who, `visits/${moved?.visit}/move`, { begin_local: `${day(50 + count)} 09:00`, tz: moved?.tz })
}
const theirs = `<visits?first_day=${day(3)}&last_day=${day(20)}&state=planned`
const booking = (more: string): string =>
  `POST visits {"begin_local":"${day(30)} 09:00","tz":"<${always}|0.tz>",${more}}`.replace('<visits', '<my visits')
const mine = {
  guest: `"guest":"<my ${always}|0.guest.guest>"`,
  items: `"menu_items":["<my ${always}|0.what.0.menu_item>"]`,
}
const to = `{"begin_local":"${day(30)} 09:00","tz":"${theirs}|0.tz>"}`
const good = `"guest":"<${always}|0.guest.guest>","menu_items":["<${always}|0.what.0.menu_item>"],"begin_local":"${day(26)} 12:00","tz":"<${always}|0.tz>"`
const off = (kind: string, until: number): string =>
  JSON.stringify({ kind, begin_local: `${day(30)} 09:00`, finish_local: `${day(until)} 10:00`, tz: 'Europe/Lisbon' })

export const table: Table = {
  app: salonBooking,
  base: '/api/v2/',
  token: ['/api/v2/me', 'csrf'],
  size: 'limit',
  most: 200,
  paged: /^(visits|guests|payouts)/,
  page: 50,
  total: 'total',
  next: ({ total, as_of }: { total: number; as_of: string }, seen: Row[]) =>
    seen.length < total ? `offset=${seen.length}&as_of=${as_of}` : null,
  lists: {
    [always]: { id: 'visit' },
    [ahead]: { id: 'visit', least: 40, meanwhile: stirs, adds: 'any' },
    [`${ahead}&state=planned`]: {
      id: 'visit',
      least: 20,
      by: 3,
      meanwhile: (who, { before, seen }: { before: Visit[]; seen: Visit[] }) =>
        at(who, `visits/${before[seen.length - 1]?.visit}/call-off`, { reason: 'Salon closed' }),
      adds: -1,
    },
    guests: { id: 'guest' },
    [guests]: {
      id: 'guest',
      least: 101,
      by: 3,
      meanwhile: (who, { count }) =>
        at(who, 'guests', {
          full_name: `${count % 2 === 0 ? 'Aaa' : 'Zzz'} ${count}`,
          mail: `guest.new.${count}@post.example`,
        }),
    },
    payouts: { id: 'payout' },
    [`payouts?first_day=${day(-90)}`]: { id: 'payout' },
    [`payouts?first_day=${day(-25)}`]: {
      id: 'payout',
      least: 10,
      by: 1,
      meanwhile: (who) => who.form('/wallet/pay-out', { gross: '10' }),
      first: { kind: 'by_hand', gross: { minor: 10 }, charges: { minor: 1 }, arrives: { minor: 9 } },
    },
  },
  refused: `
    200: ${always}&offset=99999
    400 BODY_INVALID: POST visits "x"
    422 FIELD_UNKNOWN: POST visits {${good},"colour":"red"}  POST guests {"full_name":"x","card":"4111"}
    422 FLAG_INVALID: POST visits {${good},"tell_guest":"yes"}
    422 ITEMS_REQUIRED: POST visits {${good},"menu_items":[]}
    422 LIST_INVALID: POST visits {${good},"menu_items":"x"}  POST guests {"full_name":"x","sensitivities":"latex"}
    422 LIST_TOO_LONG: POST visits {${good},"menu_items":["a","b","c","d","e","f","g","h","i","j","k"]}
    422 ZONE_UNKNOWN: POST visits {${good},"tz":"Mars/Base"}
    422 TIME_SKIPPED: POST visits {${good},"begin_local":"2027/03/28 02:30","tz":"Europe/Paris"}
    422 TEXT_REQUIRED: POST guests {}
    422 TEXT_INVALID: POST guests {"full_name":" "}
    422 TEXT_TOO_LONG: POST visits {${good},"remark":"${'x'.repeat(501)}"}
    422 MOBILE_INVALID: POST guests {"full_name":"x","mobile":"call me"}
    422 REASON_REQUIRED: POST visits/<${ahead}&state=planned|0.visit>/call-off {}
    422 KIND_INVALID: POST team/<team|0.stylist>/time-off ${off('holiday', 30)}
    422 TIME_TOO_LONG: POST team/<team|0.stylist>/time-off ${off('office', 32)}
    422 PARAM_INVALID: visits  visits?first_day=2026-01-01  visits?first_day=2026/02/30  guests?limit=501  guests?offset=-1
      visits?first_day=2026/01/02&last_day=2026/01/01  visits?first_day=2026/01/01&limit=201  guests?not_seen_since=x
      payouts?first_day=x  takings  takings?first_day=2026/01/01&split=day  openings?menu_item=x
    422 STATE_UNKNOWN: visits?first_day=2026/01/01&state=booked
    422 AS_OF_INVALID: guests?as_of=1-2-3
    422 AMOUNT_TOO_HIGH: FORM /wallet/pay-out gross=99999999
    422 AMOUNT_INVALID: FORM /wallet/pay-out gross=1.5
  `,
  place: ['guests', [], '422 AS_OF_INVALID'],
  names: `
    menu  guests  ${always}  team  openings?day=${day(2)}&menu_item=<menu|0.menu_item>  payouts
    takings?first_day=${day(-9)}&last_day=${day(0)}&split=promo  guests/<guests|0.guest>  guests/<guests|1.guest>
  `,
  looks: {
    [always]: {
      visit: /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/,
      begin_local: /^\d{4}\/\d\d\/\d\d \d\d:\d\d$/,
    },
    guests: { last_seen: /^(null|\d{4}\/\d\d\/\d\d)$/ },
    [`=${always}&offset=99999`]: { rows: (rows: unknown[]) => rows.length === 0, limit: 50 },
    '=menu': { rows: { 0: { cost: { minor: 4250, currency: { code: 'EUR', exponent: 2 } } } } },
  },
  holds: {
    [`${always}|state.label`]: 8,
    [`${always}|tz`]: 3,
    [`${always}|remark`]: /^null$/,
    'guests|full_name': /.{101}/,
    'guests?q=guest.1.3@ > guests/{guest}|jottings.text': /^.{1990}/s,
  },
  across: { 'me|.salon.currency.exponent': 3 },
  change: (me) => at(me, 'guests', { full_name: 'Gone after the reset', mail: 'gone@post.example' }),
  strangers: `
    404 VISIT_NOT_FOUND: /visits/${theirs}|0.visit>  visits/${theirs}|0.visit>
      POST visits/${theirs}|0.visit>/move ${to}  POST visits/${theirs}|0.visit>/call-off {"reason":"Salon closed"}
    404 GUEST_NOT_FOUND: /guests/<guests|0.guest>  guests/<guests|0.guest>
      POST guests/<guests|0.guest>/jottings {"text":"x"}
    404 STYLIST_NOT_FOUND: /team/<team|0.stylist>
      POST team/${theirs}|0.stylist.stylist>/time-off ${to.replace('{', '{"kind":"pause",')}
    422 GUEST_UNKNOWN: ${booking(`"guest":"${theirs}|0.guest.guest>",${mine.items}`)}
      visits?first_day=${day(0)}&guest=<guests|0.guest>
    422 STYLIST_UNKNOWN: ${booking(`${mine.guest},${mine.items},"stylist":"${theirs}|0.stylist.stylist>"`)}
    422 BRANCH_UNKNOWN: ${booking(`${mine.guest},${mine.items},"branch":"${theirs}|0.branch>"`)}
    422 ITEM_UNKNOWN: ${booking(`${mine.guest},"menu_items":["${theirs}|0.what.0.menu_item>"]`)}
  `,
  kinds: {
    manager: `
      200: visits?first_day=${day(0)}  guests  takings?first_day=${day(0)}  payouts
    `,
    front_desk: `
      200: visits?first_day=${day(0)}  guests
      403 RIGHT_MISSING: takings?first_day=${day(0)}  payouts
      201: POST guests {"full_name":"Bo"}
    `,
    stylist: `
      200: visits?first_day=${day(0)}
      403 RIGHT_MISSING: guests  takings?first_day=${day(0)}  payouts  POST guests {"full_name":"Bo"}
    `,
    cash_owner: `
      200: takings?first_day=${day(0)}
      422 PAYMENTS_OFF: payouts
    `,
  },
  pages: {
    shows: '',
    paths: `
      /  /diary  /visits/new  /guests  /guests/new  /guests/<guests?q=script|0.guest>  /team  /team/<team|0.stylist>
      /menu  /takings  /wallet
    `,
  },
}
