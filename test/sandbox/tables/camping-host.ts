import { campingHost } from '../../../sandbox/camping-host/app.ts'
import { today } from '../camping-host-host.ts'
import type { Ask, Payday, Review, Stay } from '../camping-host-host.ts'
import type { Row, Table } from './table.ts'

const ever = 'first=0&last=80000'
const span = `{"first":${today + 60},"last":${today + 60}}`
const byArrival = (stay: Stay): string => `${String(stay.in).padStart(6)} ${stay.stay}`
const upcoming = `stays?${ever}`
const date = (days: number): string => new Date((today + days) * 86_400_000).toISOString().slice(0, 10)
const days = `pitch=<lands|5.pitches.1.pitch>&first=${date(64)}&last=${date(65)}`

export const table: Table = {
  app: campingHost,
  base: '/host/data/',
  token: ['/host/data/me', 'fern'],
  size: 'take',
  most: 200,
  paged: /^(stays|reviews)/,
  next: ({ more }: Row, seen: Row[]) =>
    more === true ? `after=${String(seen.at(-1)?.['review'] ?? seen.at(-1)?.['stay'])}` : null,
  lists: {
    [upcoming]: {
      id: 'stay',
      order: byArrival,
      where: ([, , stay]: Stay[]) => ({
        [`land=${stay?.land}`]: { land: stay?.land ?? '' },
      }),
      meanwhile: async (who, { count }) => {
        const { rows } = await who.read<{ rows: Ask[] }>('/host/data/asks')
        return who.write('POST', `/host/data/asks/${rows[count]?.stay}/yes`, {})
      },
      keeps: 'all',
    },
    [`${upcoming}&st=DONE`]: {
      id: 'stay',
      order: byArrival,
      where: ([stay]: Stay[]) => ({ [`land=${stay?.land}`]: { land: stay?.land ?? '' } }),
    },
    [`${upcoming}&st=HERE`]: { id: 'stay', least: 9, order: byArrival },
    [`${upcoming}&st=OFF`]: { id: 'stay', least: 9, order: byArrival },
    asks: {
      id: 'stay',
      least: 26,
      order: ({ until }: Ask) => until,
      where: ([ask]: Ask[]) => ({ [`land=${ask?.land}`]: { land: ask?.land ?? '' } }),
    },
    'chats?show=ALL': { id: 'chat', order: ({ at }: Review) => -at },
    reviews: {
      id: 'review',
      order: ({ at }: Review) => -at,
      where: ([review]: Review[]) => ({
        [`land=${review?.land}`]: { land: review?.land ?? '' },
        [`since=${today - 60}`]: { at: (at: number) => at >= (today - 60) * 86_400 },
        'replied=NO': { reply: null },
        'replied=YES': { reply: (reply: string | null) => reply !== null },
      }),
      same: ['replied=ANY'],
    },
    'paydays?since=0': { id: '~stays.0.stay', order: ({ on }: Payday) => -on },
    lands: { id: 'land', least: 3 },
  },
  alike: { stays: `stays?first=${today}&last=${today + 30}&st=UPCOMING`, chats: 'chats?show=UNREAD' },
  refused: `
    400 ASKED_WRONG: stays?first=2026-01-01  stays?st=ASKED  stays?take=0  stays?take=201  reviews?since=1&since=2
      reviews?replied=true  chats?show=unread  lands/<lands|0.land>/nights?first=20000
    400 SPAN_BACKWARDS: stays?first=${today + 31}&last=${today + 30}
    400 ASKED_UNKNOWN: stays?limit=5
    422 DAY_INVALID: FORM /host/lands/<lands|0.land>/shut first=2026-02-30&last=2026-03-01
    422 DAYS_INVALID: PUT lands/<lands|0.land>/prices {"days":[],"price":5}
    422 DAY_TWICE: PUT lands/<lands|0.land>/prices {"days":[${today + 60},${today + 60}],"price":5}
    422 NUMBER_INVALID: PUT lands/<lands|0.land>/prices {"days":[${today + 60}],"price":12.5}
    422 FIELD_UNKNOWN: PUT lands/<lands|0.land>/shut ${span.replace('}', ',"why":"x"}')}
      FORM /host/chats/<chats|0.chat>/reply words=x&to=x
    422 TEXT_INVALID: POST asks/<asks|9.stay>/no {"words":7}
    422 TEXT_TOO_LONG: POST asks/<asks|9.stay>/yes {"words":"${'x'.repeat(1001)}"}
    422 WAY_INVALID: FORM /host/reviews/<reviews?replied=NO|0.review>/reply words=x&way=loud
    400 BODY_INVALID: PUT lands/<lands|0.land>/open []
  `,
  names: `
    lands  asks  chats?show=ALL  reviews  paydays?since=0  ${upcoming}  stays/<asks|0.stay>  me
    lands/<lands|0.land>/nights?first=${today}&last=${today}
  `,
  looks: {
    '=stays/<asks|0.stay>': { stay: /^S\d+$/, st: 'ASKED', charged: false, nightly: Number.isInteger },
    '=stays/<asks|1.stay>': (stay: Record<string, number>) =>
      stay['sum'] === (stay['nightly'] ?? 0) * (stay['long'] ?? 0) &&
      stay['long'] === (stay['out'] ?? 0) - (stay['in'] ?? 0),
    asks: { in: (day: number) => day > 20_000, until: (at: number) => at > Date.now() / 1000 },
    stays: { st: 'UPCOMING', in: (day: number) => day >= today && day <= today + 30 },
    [`stays?first=${today + 2}&last=${today + 4}`]: { in: (day: number) => day >= today + 2 && day <= today + 4 },
    [upcoming]: { st: 'UPCOMING', in: (day: number) => day > today },
    [`${upcoming}&st=HERE`]: { st: 'HERE', in: (day: number) => day <= today, out: (day: number) => day > today },
    [`${upcoming}&st=DONE`]: { st: 'DONE', out: (day: number) => day <= today },
    [`${upcoming}&st=OFF`]: { st: 'OFF' },
    '=me': {
      fern: /^\S{20,}$/,
      host: {
        host_no: 'HOST-1001',
        label: 'Tjöld & Tún',
        person: 'Ásdís Þórðardóttir',
        role: 'host',
        tz: 'Atlantic/Reykjavik',
        may: (may: string[]) => may.join(' ') === 'asks nights reviews money',
      },
    },
  },
  holds: {
    'lands|st': ['LIVE', 'PAUSED', 'DRAFT'],
    'lands|pitches.cur': 2,
    'paydays?since=0|st': ['PLANNED', 'ON_WAY', 'PAID'],
    'reviews|up': [true, false],
    'reviews|words': /^$/,
    'chats?show=ALL|said': /^.{1000}/s,
    [`${upcoming}|who.init`]: /^$/,
  },
  across: { 'me|.host.tz': 4 },
  // An ask is open for 24 hours, so its end moves with the hour.
  passing: /"until":\d+/g,
  change: async (me) => {
    const { rows } = await me.read<{ rows: Ask[] }>('/host/data/asks')
    return me.write('POST', `/host/data/asks/${rows[0]?.stay}/yes`, {})
  },
  strangers: `
    404 STAY_NOT_FOUND: stays/<asks|0.stay>  chats?stay=<asks|0.stay>  stays?after=<asks|0.stay>
      POST asks/<asks|0.stay>/yes {}
    404 REVIEW_NOT_FOUND: reviews?after=<reviews|0.review>
      FORM /host/reviews/<reviews?replied=NO|0.review>/reply words=x&way=public
    404 LAND_NOT_FOUND: stays?land=<lands|0.land>  asks?land=<lands|0.land>  reviews?land=<lands|0.land>
      lands/<lands|0.land>/nights?first=${today}&last=${today}  PUT lands/<lands|0.land>/shut ${span}
    404 CHAT_NOT_FOUND: FORM /host/chats/<chats|0.chat>/reply words=x&way=public
  `,
  kinds: {
    host: `
      303: FORM /host/lands/<lands|5.land>/shut ${days}  FORM /host/lands/<lands|5.land>/prices ${days}&price=30.50
        FORM /host/lands/<lands|5.land>/open ${days}  FORM /host/asks/<asks|10.stay>/yes words=
    `,
    helper: `
      403 HOSTS_ONLY: paydays  POST asks/<asks|0.stay>/yes {}  POST asks/<asks|0.stay>/no {}
        PUT lands/<lands|0.land>/shut ${span}  PUT lands/<lands|0.land>/open ${span}
        PUT lands/<lands|0.land>/prices {"days":[${today + 60}],"price":5}
        FORM /host/reviews/<reviews?replied=NO|0.review>/reply words=x&way=private
      303: FORM /host/chats/<chats|0.chat>/reply words=Hi
    `,
  },
  pages: {
    shows: 'Tjöld &amp; Tún',
    paths: `
      /  /host/home  /host/lands  /host/stays  /host/chats  /host/reviews  /host/paydays  /host/sent
      /host/lands/<lands|0.land>  /host/stays/<asks|0.stay>  /host/chats/<chats|0.chat>
      /host/reviews/<reviews|0.review>
    `,
  },
}
