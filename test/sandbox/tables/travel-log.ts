import { travelLog } from '../../../sandbox/travel-log/app.ts'
import type { AppPerson } from '../open-app.ts'
import type { Row, Table } from './table.ts'

const newestJourney = (row: Row): string =>
  String(1e8 - Number(row['first_day'])) + String(1e9 - Number(row['journey']))
const begin = (me: AppPerson, first_day: unknown): Promise<Response> =>
  me.write('POST', '/v3/journeys', { heading: 'Meanwhile', first_day })
const journey = '<journeys?count=100|9.journey>'
const entry = `<journeys/${journey}/entries|0.entry>`
const one = '{"spot":{"named":"Paris"},"at":0}'

export const table: Table = {
  app: travelLog,
  base: '/v3/',
  token: ['/v3/self', 'wend'],
  size: 'count',
  paged: /^(journeys|notices)(\?|$)/,
  page: 40,
  next: ({ older_than }: { older_than?: number | null }) => (older_than ? `older_than=${older_than}` : null),
  lists: {
    journeys: {
      id: 'journey',
      order: newestJourney,
      meanwhile: (who, { before }: { before: Row[] }) => begin(who, before[0]?.['first_day']),
      same: ['phase=any'],
      where: async (_: Row[], me) => {
        const { home_zone } = await me.read('/v3/self')
        const today = Number(
          new Intl.DateTimeFormat('sv-SE', { timeZone: String(home_zone) }).format(Date.now()).replaceAll('-', ''),
        )
        const isOver = ({ last_day }: Row): boolean => last_day !== null && Number(last_day) < today
        return {
          'phase=ahead': { first_day: (day: number) => day > today },
          'phase=behind': isOver,
          'phase=underway': (row: Row) => Number(row['first_day']) <= today && !isOver(row),
        }
      },
    },
    notices: {
      id: 'notice',
      order: ({ notice }: Row) => -Number(notice),
      by: 25,
      first: { words: 'Here', sort: 'entry' },
      meanwhile: async (who) => {
        const { journeys } = await who.read<{ journeys: Row[] }>('/v3/journeys?count=100')
        const open = journeys.find(({ audience }) => audience === 'world')?.['journey']
        return who.write('POST', `/v3/journeys/${String(open)}/entries`, { spot: { named: 'Here' }, at: 0 })
      },
      adds: 'some',
    },
    'journeys/<journeys?count=100|18.journey>/entries': { id: 'entry', least: 90, order: ({ at }: Row) => Number(at) },
    [`journeys/${journey}/entries`]: { id: 'entry', least: 1, order: ({ at }: Row) => Number(at) },
  },
  refused: `
    400 PARAMETER_INVALID: journeys?count=0  journeys?count=101  journeys?count=x  journeys?phase=all
      journeys?phase=any&phase=any  journeys/${journey}/entries?from_day=2026-01-01
      journeys/${journey}/entries?from_day=20260229  journeys/${journey}/archive?as=pdf
      journeys/${journey}/archive?originals=true
    400 PARAMETER_UNKNOWN: journeys?limit=5
    400 PLACE_UNKNOWN: journeys?older_than=1  notices?older_than=abc
    400 BODY_INVALID: POST journeys []
    422 TEXT_TOO_LONG: POST journeys {"heading":"${'x'.repeat(201)}","first_day":20260101}
    422 TEXT_INVALID: POST journeys {"heading":7,"first_day":20260101}
    422 CHOICE_INVALID: POST journeys {"heading":"x","first_day":20260101,"audience":"all"}
    422 FIELD_UNKNOWN: POST journeys {"heading":"x","first_day":20260101,"companions":[]}
      PATCH entries/${entry} {"gallery":[]}  FORM /journeys/${journey}/audience audience=self&more=1
    422 OBJECT_INVALID: POST journeys/${journey}/entries {"spot":"Paris","at":0}
    422 SPOT_INVALID: POST journeys/${journey}/entries {"spot":{},"at":0}
    422 LIST_INVALID: POST journeys/${journey}/entries/batch {"entries":[]}  POST entries/${entry}/gallery {"gallery":[]}
    422 NOTHING_TO_CHANGE: PATCH entries/${entry} {}
    404 REMARK_NOT_FOUND: FORM /remarks/1/answers words=x
  `,
  names: `
    entries/${entry}  journeys?count=100  entries/${entry}/remarks  journeys/${journey}/archive  tally
    journeys/${journey}  notices?count=1
  `,
  shared: 0.125,
  looks: {
    journeys: { first_day: (day: number) => day > 20_000_000, metres: Number.isInteger },
    [`=entries/${entry}`]: {
      entry: { at: Number.isInteger, spot: { geo: { lat6: Number.isInteger, lng6: Number.isInteger } } },
    },
    'journeys/<journeys?count=100|18.journey>/entries': { teaser: (text: string) => Array.from(text).length <= 140 },
    '=entries/1000040/remarks': {
      remarks: (rows: { at: number }[]) =>
        rows.length === 70 && rows.every(({ at }, index) => at >= (rows[index - 1]?.at ?? 0)),
    },
    '=self': { called: 'Sólrún on the road' },
  },
  holds: {
    'journeys|audience': ['self', 'circle', 'world'],
    'journeys|entry_count': /^0$/,
    'journeys|heading': /^.{200}$/,
    'journeys/<journeys?count=100|18.journey>/entries > entries/{entry}|entry.narrative': [/^$/, /^.{20000}$/s],
    'journeys/<journeys?count=100|18.journey>/entries > entries/{entry}|entry.zone': 4,
    'journeys/<journeys?count=100|18.journey>/entries > entries/{entry}|entry.gallery.sort': [/still/, /clip/],
    'journeys/<journeys?count=100|18.journey>/entries > entries/{entry}|entry.gallery.length': /^0$/,
    'journeys/<journeys?count=100|18.journey>/entries > entries/{entry}|entry.spot.geo': /^null$/,
  },
  also: 'entries/<journeys/<journeys?count=100|68.journey>/entries|5.entry>/remarks',
  change: (me) => begin(me, 20_260_101),
  strangers: `
    404 JOURNEY_NOT_FOUND: journeys/${journey}  journeys/${journey}/entries  journeys/${journey}/archive
      POST journeys/${journey}/entries ${one}  POST journeys/${journey}/entries/batch {"entries":[${one}]}
      FORM /journeys/${journey}/audience audience=self
    404 ENTRY_NOT_FOUND: entries/${entry}  entries/${entry}/remarks  PATCH entries/${entry} {"heading":"x"}
      POST entries/${entry}/gallery {"gallery":["https://a.example/b"]}
    404 REMARK_NOT_FOUND: FORM /remarks/2000001/answers words=x
    400 PLACE_UNKNOWN: journeys?older_than=${journey}
  `,
  kinds: {
    traveller: `
      303: FORM /journeys heading=By+form&first_day=2026-05-17&last_day=&audience=world
        FORM /journeys/${journey}/entries named=Kyoto&wall=2026-05-18T09:30&zone=Asia/Tokyo&gallery=
        FORM /entries/${entry} heading=Changed&narrative=a  FORM /entries/${entry}/gallery gallery=https://a.example/2.mp4
    `,
    unconfirmed: `
      403 MAIL_UNCONFIRMED: POST journeys {"heading":"x","first_day":20260101}  POST journeys/${journey}/entries ${one}
        POST journeys/${journey}/entries/batch {"entries":[]}  PATCH entries/${entry} {"heading":"x"}
        POST entries/${entry}/gallery {"gallery":[]}  FORM /journeys/${journey}/audience audience=world
    `,
  },
  pages: {
    shows: 'Sólrún on the road',
    paths: `/journeys  /journeys/${journey}  /entries/${entry}  /tally  /followers  /notices`,
    older: ['/journeys', /href="[^"]*(\/journeys\?older_than=\d+)">Older/, /journeys\/(\d+)"/g],
  },
}
