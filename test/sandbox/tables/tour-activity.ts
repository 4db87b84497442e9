import { tourActivity } from '../../../sandbox/tour-activity/app.ts'
import { dayAhead, inShop, iso, shopOf, year, type Booking, type Day, type Thread } from '../tour-activity-panel.ts'
import type { Row, Table } from './table.ts'

interface Money extends Row {
  sum?: { value: string }
}
const span = (from: number, to: number): string => `fromDay=${dayAhead(from)}&toDay=${dayAhead(to)}`
const week = `bookings?${span(-4, 12)}&st=ANY`
const soon = `bookings?${span(2, 4)}`
const wide = `bookings?${span(-440, 140)}&st=ANY`
const act = '<tours|0.act>'

/** The moment of a departure, found by trying what clocks in its zone show. */
function moment({ day, hour, tz }: Booking): number {
  const wanted = Date.parse(`${iso(day)}T${hour}:00Z`)
  for (let minutes = -14 * 60; minutes <= 14 * 60; minutes += 15) {
    const at = wanted + minutes * 60_000
    if (new Date(at).toLocaleString('sv-SE', { timeZone: tz }).startsWith(`${iso(day)} ${hour}`)) return at
  }
  throw new Error(`${day} ${hour} is no time in ${tz}.`)
}
const places = (more: Row): string =>
  `PUT tours/${act}/places ${JSON.stringify({ fromDay: dayAhead(50), toDay: dayAhead(50), places: 20, ...more })}`

export const table: Table = {
  app: tourActivity,
  base: '/panel/',
  token: ['/panel/me', 'seal'],
  size: 'size',
  paged: /^bookings/,
  page: 25,
  next: ({ next }: { next?: string | null }) => (next ? `next=${next}` : null),
  lists: {
    [week]: {
      id: 'bk',
      order: moment,
      where: ([booking]: Booking[]) => ({ [`act=${booking?.act}`]: { act: booking?.act ?? '' } }),
    },
    [wide]: { id: 'bk' },
    [soon]: {
      id: 'bk',
      least: 20,
      by: 1,
      meanwhile: async (who, { count }) => {
        const { rows } = await who.read<{ rows: { title: string }[] }>('/panel/tours')
        const trip = {
          day: dayAhead(count % 2 === 0 ? 2 : 4),
          hour: '09:30',
          pax: '1',
          full: 'Late Booker',
          mail: 'late@mail.example',
        }
        const [status, code] = await inShop(who, await shopOf(who, rows[0]?.title ?? ''), trip)
        if (status !== 303) throw new Error(code)
      },
      keeps: 'all',
    },
    [`${soon}&st=VOID`]: { id: 'bk', least: 1 },
    inbox: {
      id: 'bk side',
      least: 20,
      order: ({ last }: Thread) => -Date.parse(`${iso(last.day)}T${last.hour}:00${last.off}`),
      where: (all: Thread[]) => {
        const both = all.find(({ side }) => side === 'OFFICE')
        return { 'fresh=1': { fresh: true }, [`bk=${both?.bk}`]: { bk: both?.bk ?? '' } }
      },
    },
    reviews: {
      id: '~act day mark words',
      least: 22,
      order: ({ day }: Booking) => -Date.parse(iso(day)),
      where: (all: Booking[]) => {
        const { act, day } = all[20] as Booking
        return { [`act=${act}`]: { act }, [`fromDay=${day}`]: { day: (on: string) => iso(on) >= iso(day) } }
      },
    },
    tours: { id: 'act', least: 3 },
  },
  refused: `
    400 PARAM_UNKNOWN: tours?state=LIVE
    400 PARAM_INVALID: bookings?st=VALID&st=VOID  bookings?st=valid  bookings?fromDay=2026-12-31
      bookings?fromDay=31-02-2026  bookings?size=0  bookings?size=101  inbox?fresh=yes  bills?year=soon
    400 SPAN_BACKWARDS: bookings?fromDay=02-01-2026&toDay=01-01-2026
    422 SPAN_TOO_LONG: tours/<tours|0.act>/calendar?fromDay=01-01-2026&toDay=02-01-2027
    400 BODY_INVALID: POST inbox/<inbox|0.bk> ["x"]
    422 SIDE_INVALID: POST inbox/<inbox|0.bk> {"side":"BOSS","words":"x"}
    422 TEXT_TOO_LONG: POST inbox/<inbox|0.bk> {"side":"OFFICE","words":"${'x'.repeat(2001)}"}
    422 TEXT_INVALID: POST inbox/<inbox|0.bk> {"side":"OFFICE","words":7}
    422 DAY_INVALID: ${places({ fromDay: '2026-12-31' })}
    422 HOURS_INVALID: ${places({ hours: [] })}
    422 HOUR_INVALID: ${places({ hours: ['8:15'] })}
    422 NUMBER_INVALID: ${places({ places: '20' })}
    422 FIELD_UNKNOWN: ${places({ note: 'x' })}  FORM /desk/tours/${act}/shut ${span(50, 50)}&why=x
  `,
  place: [week, ['bookings'], '400 NEXT_UNKNOWN'],
  names: `
    me  tours  bookings  inbox  reviews  bookings/<${week}|0.bk>  tours/${act}/calendar  bills?year=${year - 1}
    payouts?year=${year - 1}
  `,
  looks: {
    [week]: { bk: /^B\d+$/, day: /^\d\d-\d\d-20\d\d$/ },
    [`${soon}&st=ANY`]: { day: (day: string) => [2, 3, 4].map(dayAhead).includes(day) },
    bookings: { st: 'VALID' },
    [`${soon}&st=VOID`]: { st: 'VOID' },
    [`=tours/<tours|1.act>/calendar?${span(1, 80)}`]: {
      days: (days: Day[]) =>
        days.filter(({ sale }) => sale === 'SHUT').length === 8 &&
        days.every(({ runs }) => runs.every(({ sold, places }) => sold <= places)),
    },
    [`bills?year=${year - 1}`]: (bill: Money) =>
      /^\d+\.\d\d$/.test(bill.sum?.value ?? '') && String(bill['month']).endsWith(`-${year - 1}`),
    [`=bookings/<${wide.replace('st=ANY', 'st=VOID')}|0.bk>`]: { holder: { mail: /^.•••@mail\.example$/ } },
  },
  holds: {
    [`${week}|tz`]: 9,
    'tours|state': ['LIVE', 'PAUSED', 'CHECKING'],
    'tours|tz': 9,
    'tours|title': /築地/,
    'inbox|side': 2,
    'inbox|fresh': [true, false],
    'inbox|last.by': ['US', 'CLIENT', 'OFFICE'],
    'inbox|last.words': /^.{2000}$/s,
    'reviews|mark': 10,
    'reviews|words': /^$/,
    [`payouts?year=${year - 1}|state`]: /^PAID$/,
  },
  change: async (me) => {
    const { rows } = await me.read<{ rows: Thread[] }>('/panel/inbox')
    return me.write('POST', `/panel/inbox/${rows[0]?.bk}`, { side: 'OFFICE', words: 'Gone after the reset.' })
  },
  strangers: `
    404 TOUR_NOT_FOUND: bookings?act=${act}  tours/${act}/calendar  reviews?act=${act}
      FORM /desk/tours/${act}/shut ${span(3, 3)}
    404 BOOKING_NOT_FOUND: bookings/<${wide}|0.bk>  inbox?bk=<${wide}|0.bk>  bookings/B1x
      POST inbox/<${wide}|0.bk> {"side":"OFFICE","words":"x"}
    404 BILL_NOT_FOUND: /desk/bills/<bills?year=${year - 1}|0.inv>/download
  `,
  kinds: {
    guide: `
      200: tours  bookings  tours/${act}/calendar
      403 RIGHT_MISSING: bills  payouts  ${places({})}  FORM /desk/tours/${act}/shut ${span(50, 50)}  FORM /desk/payouts
      201: POST inbox/<bookings|0.bk> {"side":"CLIENT","words":"Hello."}
    `,
  },
  pages: {
    shows: '',
    paths: `
      /  /desk/tours/<${week}|0.act>  /desk/bookings/<${week}|0.bk>  /desk/tours  /desk/bookings  /desk/inbox
      /desk/sent  /desk/reviews  /desk/money
    `,
  },
}
