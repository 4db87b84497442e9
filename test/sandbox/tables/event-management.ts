import { eventManagement } from '../../../sandbox/event-management/app.ts'
import { api, at, numberAt, type Booking, type Gathering, type Slot } from '../event-management-house.ts'
import type { AppPerson } from '../open-app.ts'
import type { Row, Table } from './table.ts'

const no = '<gatherings?phase=AHEAD|0.gathering_no>'
const over = '<gatherings?phase=OVER|0.gathering_no>'
const late = '<gatherings?phase=OVER|1.gathering_no>'
const gathering = `gatherings/${no}`
const dayOf = (local: string): string => local.slice(0, 10)
const digits = (day: string): string => day.replaceAll('-', '')
const person = (count: number) => ({ given_name: 'Mean', family_name: 'While', mail: `m${count}@mail.example` })
const first = (who: AppPerson, index = 0): Promise<string> => numberAt(who, 'AHEAD', index)
const newest = (day: string): number => -Number(day)
const slot = `slots/<${gathering}/slots|0.slot_no>`
const signUp = (which: string): string =>
  `FORM <gatherings/${which}/setup|.signup_path> given_name=Walk&family_name=In&mail=walk.in@mail.example&pass=VIP`
const byForm = 'given_name=By&family_name=Form&mail=by.form@mail.example&firm='

export const table: Table = {
  app: eventManagement,
  base: `${api}/`,
  token: [`${api}/me`, 'stamp'],
  size: 'page_size',
  most: 500,
  paged: /(guests|bookings|mails)/,
  page: 50,
  next: ({ pagination }: { pagination?: { continuation: string | null } }) =>
    pagination?.continuation ? `continuation=${pagination.continuation}` : null,
  lists: {
    gatherings: {
      id: 'gathering_no',
      least: 64,
      order: ({ days }: Gathering) => newest(days.first),
      choices: { phase: ['AHEAD', 'OVER'] },
    },
    [`${gathering}/guests`]: {
      id: 'guest_no',
      least: 130,
      where: {
        'pass=vip': { pass: { label: 'VIP' } },
        'crowd=PRESS': { crowd: 'Press' },
        'arrived=yes': { arrived: (moment: unknown) => moment !== null },
        'arrived=no': { arrived: null },
        'pass=VIP&arrived=no&crowd=delegate': { pass: { label: 'VIP' }, arrived: null, crowd: 'Delegate' },
      },
      meanwhile: async (who, { count }) => who.write('PUT', at(await first(who), '/guests'), person(count)),
    },
    [`${gathering}/bookings`]: {
      id: 'booking_no',
      order: ({ booked }: Booking) => -Date.parse(booked.utc.replace(/(....)(..)(..T..)(..)(..)/, '$1-$2-$3:$4:$5')),
      where: (all: Booking[]) => {
        const day = dayOf(all[40]?.booked.local ?? '')
        return {
          'pass=Estudiante': { pass: { label: 'Estudiante' } },
          [`from_day=${digits(day)}`]: { booked: { local: (local: string) => local >= day } },
        }
      },
      meanwhile: async (who, { count }) => {
        const { signup_path } = await who.read<{ signup_path: string }>(at(await first(who), '/setup'))
        return who.form(signup_path, person(count))
      },
    },
    [`${gathering}/slots`]: {
      id: 'slot_no',
      least: 20,
      order: ({ opens, closes }: Slot) => `${opens.utc} ${closes.utc}`,
      where: (all: Slot[]) => {
        const day = dayOf(all[12]?.opens.local ?? '')
        return {
          [`day=${digits(day)}`]: { opens: { local: (local: string) => local.startsWith(day) } },
          'stream=%20MAIN%20stage': { streams: (streams: string[]) => streams.includes('Main stage') },
        }
      },
    },
    [`${gathering}/voices`]: {
      id: 'voice_no',
      least: 5,
      where: async (_: Row[], me) => {
        const { slots } = await me.read<{ slots: Slot[] }>(at(await first(me), '/slots'))
        const slot = slots.find(({ voices }) => voices.length === 2)
        return {
          [`slot_no=${slot?.slot_no}`]: {
            slots: (own: Slot[]) => own.length > 1 && own.some(({ slot_no }) => slot_no === slot?.slot_no),
          },
        }
      },
    },
    mails: {
      id: '~mailing_no recipient addressee',
      where: ([mail]: Row[]) => ({
        [`mailing_no=${String(mail?.['mailing_no'])}`]: { mailing_no: String(mail?.['mailing_no']) },
      }),
      meanwhile: async (who) => who.form(`/desk/gatherings/${await first(who, 9)}/announce`, { words: 'Meanwhile' }),
      by: 5,
      adds: 4,
    },
  },
  refused: `
    400 PARAMETER_INVALID: ${gathering}/guests?page_size=0  ${gathering}/guests?page_size=501
      ${gathering}/guests?crowd=Press&crowd=Crew  ${gathering}/guests?arrived=true
      ${gathering}/bookings?from_day=20260231  ${gathering}/slots?day=2026-01-01  gatherings?phase=past
    400 PARAMETER_UNKNOWN: ${gathering}/guests?limit=5
    422 PASS_UNKNOWN: ${gathering}/guests?pass=Gold
    422 CROWD_UNKNOWN: ${gathering}/guests?crowd=Fans
    422 STREAM_UNKNOWN: ${gathering}/slots?stream=Nowhere
    404 SLOT_NOT_FOUND: ${gathering}/voices?slot_no=1
    400 CONTINUATION_UNKNOWN: ${gathering}/guests?continuation=abc
    400 BODY_INVALID: POST ${gathering}/slots []
    422 FIELD_INVALID: PATCH ${slot} {"blurb":5}
    422 FIELD_UNKNOWN: PATCH ${slot} {"heading":"x"}
      PUT ${gathering}/guests {"given_name":"A","family_name":"B","mail":"a@mail.example","arrived":true}
      FORM /desk/gatherings/${over}/wrap-up now=1
    422 NOTHING_TO_CHANGE: PATCH ${slot} {}
    422 TEXT_TOO_LONG: PATCH ${slot} {"blurb":"${'x'.repeat(5001)}"}
      FORM /desk/${gathering}/announce words=x&subject=${'x'.repeat(151)}
    422 LIST_TOO_LONG: PATCH ${slot} {"voices":${JSON.stringify(Array.from({ length: 21 }, (_, at) => `V${at}`))}}
    422 MAIL_INVALID: PUT ${gathering}/guests {"given_name":"A","family_name":"B","mail":"nowhere"}
    409 GATHERING_NOT_OVER: FORM /desk/${gathering}/wrap-up
    409 SIGNUP_CLOSED: ${signUp(over)}
    404 SIGNUP_NOT_FOUND: FORM /signup/nothing given_name=Walk&family_name=In&mail=walk.in@mail.example
  `,
  place: [
    `${gathering}/guests?arrived=no`,
    [`${gathering}/guests`, `${gathering}/guests?arrived=yes`, `${gathering}/bookings`],
    '400 CONTINUATION_UNKNOWN',
  ],
  names: `
    me  gatherings  mails  gatherings/${over}/guests  gatherings/${over}/bookings  gatherings/${over}/slots
    gatherings/${over}/voices  gatherings/${over}/wrap-up  gatherings/${over}/setup
  `,
  looks: {
    gatherings: { gathering_no: /^\d+$/, days: { first: /^\d{8}$/ } },
    [`${gathering}/slots`]: {
      opens: ({ utc, local, zone }: Slot['opens']) =>
        new Date(utc.replace(/(....)(..)(.....)(..)(..)Z/, '$1-$2-$3:$4:$5Z')).toLocaleString('sv-SE', {
          timeZone: zone,
        }) === local,
    },
    [`${gathering}/bookings`]: {
      booked: { utc: /^\d{8}T\d{6}Z$/, local: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/ },
      paid: { minor: Number.isInteger },
    },
    '=me': { house: 'Congressos Peña' },
  },
  holds: {
    'gatherings|zone': 8,
    'gatherings|called': /.{151}/,
    ...Object.fromEntries(
      [no, over].flatMap((which) => [
        [`gatherings/${which}/guests|crowd`, 6],
        [`gatherings/${which}/guests|pass.label`, 4],
        [`gatherings/${which}/guests|arrived`, /^null$/],
        [`gatherings/${which}/guests|mail`, /^$/],
        [`gatherings/${which}/slots|blurb`, [/^$/, /^.{2001}/s]],
        [`gatherings/${which}/voices|mail`, /^$/],
      ]),
    ),
    'mails|kind': ['ANNOUNCEMENT', 'TO_VOICES'],
    'gatherings?phase=OVER|wrap_up': /^NONE$/,
  },
  change: async (me) => me.write('PUT', at(await first(me), '/guests'), person(0)),
  strangers: `
    404 GATHERING_NOT_FOUND: gatherings/${over}/guests  gatherings/${over}/bookings  gatherings/${over}/slots
      gatherings/${over}/voices  gatherings/${over}/wrap-up  gatherings/${over}/setup
      PUT gatherings/${over}/guests {}  FORM /desk/gatherings/${over}/announce
      FORM /desk/gatherings/${over}/mail-voices  FORM /desk/gatherings/${over}/wrap-up
      FORM /desk/gatherings/${over}/slots  FORM /desk/gatherings/${over}/guests
    404 SLOT_NOT_FOUND: PATCH slots/<gatherings/${over}/slots|0.slot_no> {"blurb":"x"}
      gatherings/${over.replace('<', '<my ')}/voices?slot_no=<gatherings/${over}/slots|0.slot_no>
    404 VOICE_NOT_FOUND: FORM /desk/gatherings/${over.replace('<', '<my ')}/mail-voices words=x&voice_no=<gatherings/${over}/voices|0.voice_no>
  `,
  kinds: {
    organizer: `
      200: /desk/mails  /desk/gatherings/${over}/bookings  /desk/gatherings/${over}/guests?arrived=no
      303: FORM /desk/${gathering}/guests ${byForm}  FORM /desk/gatherings/${late}/wrap-up
      409 WRAP_UP_MADE: FORM /desk/gatherings/${late}/wrap-up
    `,
    door: `
      200: /desk  /desk?phase=OVER  /desk/gatherings/${over}/guests  /desk/gatherings/${over}/guests?arrived=no
      403 ORGANIZER_ONLY: /desk/mails  /desk/gatherings/${over}/bookings  gatherings/${over}/bookings
        gatherings/${over}/wrap-up  mails  POST ${gathering}/slots {}  PUT ${gathering}/guests {}  PATCH ${slot} {}
        FORM /desk/${gathering}/announce words=x  FORM /desk/${gathering}/mail-voices words=x
        FORM /desk/gatherings/${over}/wrap-up  FORM /desk/${gathering}/slots  FORM /desk/${gathering}/guests ${byForm}
    `,
  },
  pages: {
    shows: 'Congressos Peña',
    paths: `
      /  /desk  /desk?phase=OVER  /desk/mails  /desk/gatherings/${over}  /desk/gatherings/${over}/guests
      /desk/gatherings/${over}/bookings
    `,
  },
}
