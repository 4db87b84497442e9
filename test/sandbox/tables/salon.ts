import { salon } from '../../../sandbox/salon/app.ts'
import type { AppPerson } from '../open-app.ts'
import { add, dayIn, idIn, openings, read, sortable, span, whole, type Listed, type Thing } from '../salon-shop.ts'
import type { Table } from './table.ts'

const visits = `visits?${span(-32, 32)}`
const soon = `visits?${span(0, 12)}&stage=bk`
const guest = async (who: AppPerson): Promise<string> => (await whole(who, 'guests'))[0]?.id ?? ''
const code = (one: string) => ({ attributes: { stage: { code: one } } })
const at =
  (name: string) =>
  ({ attributes }: Thing): number =>
    sortable(attributes[name])
const newest =
  (name: string) =>
  (row: Thing): number =>
    -at(name)(row)
const fold = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
const own = (name: string, id: string) => ({ links: { [name]: (link: string | null) => idIn(link) === id } })

/** A visit that a guest of somebody else would come to. */
const booking =
  'POST visits {"data":{"type":"visits","attributes":{"guest":"<guests|0.id>","treatment":"<my treatments|0.id>",' +
  '"crew":"<my crew|0.id>","begins":"01 Mar 2030 10:00"}}}'
const resource = (type: string, attributes: Thing['attributes']): string =>
  JSON.stringify({ data: { type, attributes } })
const wish = { guest: '<guests|0.id>', treatment: '<treatments|0.id>' }
const visit = (more: Thing['attributes']): string =>
  `POST visits ${resource('visits', { treatment: '<treatments|0.id>', begins: `${dayIn(5)} 10:00`, ...more })}`

export const table: Table = {
  app: salon,
  base: '/business/api/',
  token: ['/business/api/me', 'slip'],
  size: 'rows',
  paged: /^(visits|guests|waiting|talks|reviews|notices)/,
  page: 25,
  total: 'paging.of',
  next: ({ paging }: Listed) => (paging?.next_row ? `from_row=${paging.next_row}&list=${paging.list}` : null),
  lists: {
    [visits]: {
      id: 'id',
      order: at('begins'),
      where: (all: Thing[]) => {
        const crew = idIn(all[0]?.links['crew'])
        return {
          ...Object.fromEntries(['bk', 'ar', 'ch', 'dn', 'ns', 'cx'].map((one) => [`stage=${one}`, code(one)])),
          [`crew=${crew}`]: own('crew', crew),
          [`stage=bk&crew=${crew}`]: { ...own('crew', crew), ...code('bk') },
        }
      },
      same: ['branch=<branches|0.id>'],
    },
    [soon]: {
      id: 'id',
      least: 10,
      by: 1,
      meanwhile: async (who, { before, count }: { before: Thing[]; count: number }) => {
        if (count === 0) return add(who, 'visits', { ...(await openings(who, 6))[0], guest: await guest(who) })
        const path = `/business/visits/${before[count]?.id}`
        if (count > 1) return who.form(`${path}/cancel`)
        const moved = (days: number) => who.form(`${path}/move`, { begins: `${dayIn(days)} 13:30` })
        for (let days = 25; ; days++) if ((await moved(days)).status === 303) return undefined
      },
      adds: 'any',
    },
    guests: {
      id: 'id',
      order: ({ attributes }: Thing) => Buffer.from(fold(String(attributes['full']))).toString('hex'),
      where: (all: Thing[]) => {
        const known = all.find(({ attributes }) => attributes['mail'] !== null && attributes['cell'] !== null)
        const mail = String(known?.attributes['mail'])
        return {
          'find=ARAUJO': { attributes: { full: /Araújo/ } },
          [`find=${encodeURIComponent(mail.toUpperCase())}`]: { attributes: { mail } },
          [`find=${String(known?.attributes['cell']).replaceAll(/\D/g, '').slice(2)}`]: {
            attributes: { cell: known?.attributes['cell'] as string },
          },
        }
      },
      none: ['find=nobody-at-all'],
    },
    waiting: {
      id: 'id',
      order: at('day'),
      where: (all: Thing[]) => {
        const day = String(all[20]?.attributes['day'])
        return { [`day=${day}`]: { attributes: { day } } }
      },
      meanwhile: async (who, { count }) => {
        const [treatment] = await read(who, 'treatments')
        return add(who, 'waiting', { guest: await guest(who), treatment: treatment?.id, day: dayIn(3 + count) })
      },
      keeps: 'ids',
    },
    talks: {
      id: 'id',
      order: newest('touched'),
      where: { 'fresh=yes': { attributes: { fresh: true } }, 'fresh=no': { attributes: { fresh: false } } },
      meanwhile: (who, { before, count }: { before: Thing[]; count: number }) =>
        add(who, 'lines', { words: 'Yes' }, `talks/${before[30 + count]?.id}/lines`),
      adds: 0,
      keeps: 'ids',
    },
    reviews: {
      id: 'id',
      order: newest('day'),
      where: (all: Thing[]) => {
        const since = String(all[9]?.attributes['day'])
        return {
          'unanswered=yes': { attributes: { answer: null } },
          'unanswered=no': { attributes: { answer: (answer: unknown) => answer !== null } },
          [`since=${since}`]: { attributes: { day: (day: string) => sortable(day) >= sortable(since) } },
        }
      },
    },
    'reviews?unanswered=yes': {
      id: 'id',
      least: 20,
      by: 1,
      meanwhile: (who, { before, count }: { before: Thing[]; count: number }) =>
        who.form(`/business/reviews/${before[count]?.id}/answer`, { words: 'Thanks' }),
      adds: -1,
      keeps: 'ids',
    },
    notices: {
      id: 'id',
      meanwhile: async (who, { count }) =>
        who.form('/business/waiting/alert', { entry: (await whole(who, 'waiting'))[3 + count]?.id ?? '' }),
      keeps: 'ids',
    },
    branches: { id: 'id', least: 4 },
    crew: { id: 'id', least: 3 },
    treatments: { id: 'id', least: 4 },
  },
  alike: { [`visits?from=${dayIn(2)}`]: `visits?from=${dayIn(2)}&until=${dayIn(2)}` },
  refused: `
    400 LIST_NEEDED: talks?from_row=6
    400 PARAMETER_INVALID: talks?rows=0  talks?rows=101  talks?fresh=true  visits  visits?from=2026-01-01
      visits?from=30 Feb 2026  visits?from=02 Jan 2026&stage=Booked
    400 PARAMETER_UNKNOWN: talks?unread=yes
    400 SPAN_BACKWARDS: visits?from=02 Jan 2026&until=01 Jan 2026
    400 SPAN_TOO_LONG: openings?treatment=<treatments|0.id>&${span(0, 62)}
    422 NOT_AT_BRANCH: openings?treatment=<treatments|0.id>&${span(0, 2)}&branch=<branches|1.id>
    404 TREATMENT_NOT_FOUND: openings?${span(0, 2)}
    400 BODY_INVALID: ${visit({}).replace('"visits","attributes"', '"bookings","attributes"')}
    422 FIELD_UNKNOWN: ${visit({ price: 1 })}
    422 TEXT_INVALID: ${visit({ guest: 7 })}
    422 TEXT_TOO_LONG: FORM /business/reviews/<reviews?unanswered=yes|0.id>/answer words=${'x'.repeat(1001)}
    422 DAY_INVALID: POST waiting ${resource('waiting', { ...wish, day: '2030-01-01' })}
    422 FLAG_INVALID: POST talks/<talks|0.id>/lines ${resource('lines', { words: 'x', with_booking: 'yes' })}
    422 CHOICE_INVALID: FORM /business/visits/<${soon}|0.id>/move begins=${dayIn(5)} 10:00&tell=x
    422 ENTRY_TWICE: FORM /business/waiting/alert entry=<waiting|9.id>&entry=<waiting|9.id>
  `,
  place: ['talks', ['guests', 'talks?fresh=yes'], '400 LIST_UNKNOWN'],
  names: `branches  crew  treatments  ${visits}  guests  waiting  talks  reviews  notices`,
  // `to`, of notices.
  shared: 0.05,
  looks: {
    [visits]: {
      attributes: {
        begins: /^\d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d$/,
        cost: /^BRL \d+\.\d\d$/,
        zone: 'America/Sao_Paulo',
      },
    },
    [`visits?from=${dayIn(2)}`]: { attributes: { begins: (at: string) => at.startsWith(dayIn(2)) } },
    [`${visits}&branch=<branches|2.id>`]: { attributes: { cost: /^KWD/ } },
    'treatments?branch=<branches|1.id>': { attributes: { cost: /^NPR \d+\.\d\d$/ } },
    'treatments?branch=<branches|2.id>': { attributes: { cost: /^KWD \d+\.\d{3}$/ } },
    'treatments?branch=<branches|3.id>': { attributes: { cost: /^EUR \d+\.\d\d$/ } },
    '=me': { data: { attributes: { label: /./, shop_no: /./ } } },
    '=treatments': { data: { 0: { attributes: { cost: 'BRL 247.50' } } } },
  },
  holds: {
    'branches|attributes.zone': 4,
    'crew|attributes.on_leave': /true/,
    'treatments|attributes.hands.length': /^0$/,
    [`${visits}|attributes.stage.code`]: ['bk', 'ar', 'ch', 'dn', 'ns', 'cx'],
    'guests|attributes.mail': /^null$/,
    'guests|attributes.cell': /^null$/,
    'waiting|attributes.crew': /^null$/,
    'reviews|attributes.words': [/^$/, /^.{1001}/s],
    'reviews|attributes.stars': [1, 2, 3, 4, 5],
    'notices|attributes.answer': /^(?!null$)/,
  },
  across: { 'me|.data.attributes.shop_no': 7 },
  change: async (me) => add(me, 'visits', { ...(await openings(me))[0], guest: await guest(me) }),
  strangers: `
    404 TREATMENT_NOT_FOUND: treatments/<treatments|0.id>
    404 CREW_NOT_FOUND: crew/<crew|0.id>
    404 ENTRY_NOT_FOUND: waiting/<waiting|0.id>
    404 TALK_NOT_FOUND: talks/<talks|0.id>
    404 REVIEW_NOT_FOUND: reviews/<reviews|0.id>
    404 VISIT_NOT_FOUND: visits/<${soon}|0.id>  FORM /business/visits/<${soon}|0.id>/cancel
    404 BRANCH_NOT_FOUND: branches/<branches|0.id>  waiting?branch=<branches|0.id>
    404 GUEST_NOT_FOUND: guests/<guests|0.id>  ${booking}
  `,
  kinds: {
    chair: `
      200: ${visits}  openings?treatment=<treatments|0.id>&${span(1, 3)}
      403 BUSINESS_LOGIN_NEEDED: guests  waiting  talks  reviews  notices  FORM /business/visits/<${soon}|0.id>/cancel
        FORM /business/visits/<${soon}|0.id>/move begins=${dayIn(5)} 10:00  FORM /business/waiting/alert entry=w1
        ${visit({})}  POST waiting ${resource('waiting', {})}
    `,
  },
  pages: {
    shows: 'Iracema Conceição',
    paths: `
      /business/visits  /business/waiting  /business/guests  /business/talks  /business/reviews  /business/notices
      /business/branches  /business/visits/<${soon}|0.id>  /business/talks/<talks|0.id>
      /business/reviews/<reviews|0.id>
    `,
    older: [
      '/business/guests  /business/talks  /business/reviews  /business/notices',
      /href="[^"]*(\/business\/[^"]+)">Next/,
      />([gkrn]\d+)</g,
    ],
  },
}
