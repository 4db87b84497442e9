import { realEstateAnalytics } from '../../../sandbox/real-estate-analytics/app.ts'
import type { AppPerson } from '../open-app.ts'
import type { Row, Table } from './table.ts'

interface Grid {
  cols: string[]
  vals: unknown[][]
  list?: { page: number; more: boolean; of: number; stamp: string }
}
const rowsOf = ({ cols = [], vals = [] }: Partial<Grid>): Row[] =>
  vals.map((row) => Object.fromEntries(cols.map((col, at) => [col, row[at]])))
const dollars = (value: unknown): number => Number(String(value).slice(4))
const city = 'finder?city=Austin,+TX'
const home = `<${city}|0.home>`
const add = (me: AppPerson, count: number): Promise<Response> =>
  me.write('POST', '/api/workups', { street: `${count + 1} Fresh St, Dallas, TX` })
const usd = (holds: (amount: number) => boolean) => (value: string) => holds(dollars(value))

export const table: Table = {
  app: realEstateAnalytics,
  base: '/api/',
  token: ['/api/desk', 'deskkey'],
  size: 'rows',
  paged: /^(saved|alerts|files|mails)/,
  page: 25,
  total: 'list.of',
  rows: rowsOf,
  next: ({ list }: Grid, _, page) => (list?.more ? `page=${page + 1}&stamp=${list.stamp}` : null),
  lists: {
    saved: {
      id: 'home',
      least: 66,
      meanwhile: async (who, { seen, count }: { seen: Row[]; count: number }) => {
        await who.write('DELETE', `/api/saved/${String(seen.at(-1)?.['home'])}`)
        return add(who, count)
      },
      adds: 0,
      keeps: 'ids',
    },
    alerts: {
      id: 'alert',
      least: 64,
      meanwhile: (who, { seen }: { seen: Row[] }) =>
        who.form('/alerts', { where: String(seen.at(-1)?.['place']), every: 'month' }),
      // An alert's count of mails may rise while the list is read.
      keeps: 'ids',
    },
    files: {
      id: 'file',
      least: 64,
      where: { 'kind=pdf': { kind: 'pdf' } },
      meanwhile: async (who, { count }) => {
        const homes = rowsOf(await who.read<Grid>('/api/finder?city=Austin,+TX'))
        return who.write('POST', `/api/homes/${String(homes[count]?.['home'])}/pdf`, {})
      },
    },
    mails: { id: 'mail', least: 72, by: 1, meanwhile: (who) => who.form('/feed', { days: '31' }), adds: 'some' },
    [city]: {
      id: 'home',
      least: 120,
      order: ({ coc_bp }: Row) => -Number(coc_bp),
      where: {
        'px_to=USD+300000': { ask: usd((ask) => ask <= 300_000) },
        'px_from=USD+500000': { ask: usd((ask) => ask >= 500_000) },
        'br_from=4': { br: (beds: number) => beds >= 4 },
        'ba_from=3': { ba: (baths: number) => baths >= 3 },
      },
    },
    markets: {
      id: '~area',
      order: ({ score }: Row) => -Number(score),
      where: {
        'st=TX': { st: 'TX' },
        'tier=city': { tier: 'city' },
        'meter=A&meter=D': { meter: /^[AD]$/ },
        'rev_from=USD+3500': { rev: usd((rev) => rev >= 3500) },
        'occ_from=5500': { occ_bp: (occupied: number) => occupied >= 5500 },
      },
    },
    presets: { id: 'preset', least: 3 },
    ...Object.fromEntries(
      ['nightly', 'yearly', 'sold'].map((lane) => [
        `homes/<${city}|3.home>/near?lane=${lane}&rows=50`,
        { id: '~home', least: 50, order: ({ away_ft }: Row) => Number(away_ft) },
      ]),
    ),
  },
  refused: `
    422 RADIUS_NEEDS_ONE_CITY: ${city}&city=Dallas,+TX&within=5
    422 PLACE_UNKNOWN: finder?city=Atlantis,+TX
    422 PLACE_AMBIGUOUS: presets/<presets|0.preset>/run?where=Downtown
    422 FIELD_MISSING: finder  presets/<presets|0.preset>/run
    422 FIELD_INVALID: presets/<presets|0.preset>/run?where=Zilker&sheet=sold
      presets/<presets|0.preset>/run?where=Zilker&rows=0  presets/<presets|0.preset>/run?where=Zilker&rows=101
      homes/${home}/near?lane=sale  homes/${home}/near?lane=sold&rows=51  saved?rows=0  saved?rows=101  saved?page=0
      markets?st=tx  markets?meter=E  markets?kind=condo  markets?occ_from=101%25  ${city}&px_to=300000
    422 FIELD_UNKNOWN: markets?state=TX  saved?limit=5
    422 STAMP_NEEDED: saved?page=2
    422 STAMP_UNKNOWN: saved?page=2&stamp=zz
    400 BODY_INVALID: POST workups []
    409 TITLE_TAKEN: FORM /presets title=EVERYTHING
    409 HOME_NOT_SAVED: FORM /homes/<${city}|0.home>/stars stars=2
  `,
  place: ['saved', ['alerts'], '422 STAMP_UNKNOWN'],
  names: `
    ${city}  presets  saved  alerts  files  mails  markets  homes/${home}/workup
    presets/<presets|0.preset>/run?where=Zilker  desk  legend  homes/${home}/near?lane=nightly
    homes/${home}/near?lane=yearly  homes/${home}/near?lane=sold
  `,
  looks: {
    [city]: { ask: /^USD \d+$/, coc_bp: Number.isInteger },
    saved: { kept: /^\d{4}\/\d\d\/\d\d$/ },
    '=desk': { label: 'Peña Holdings', plan: 'pro', sheets: { used: 3, of: 40 }, pdfs: { used: 2, of: 40 } },
  },
  holds: {
    [`${city}|plan`]: ['nightly', 'yearly'],
    [`${city}|coc_bp`]: /^-/,
    [`${city}|street`]: /.{151}/,
    'saved|kind': 5,
    'saved|stars': [null, 1, 2, 3, 4, 5],
    'saved|lane': ['sale', 'nightly', 'private'],
    'saved|memo': [/^$/, /^.{1000}$/s],
    'alerts|every': ['day', 'week', 'month'],
    'files|kind': ['sheet', 'pdf'],
    'presets|title': /^.{120}$/,
    'markets|meter': ['A', 'B', 'C', 'D'],
  },
  change: (me) => add(me, 0),
  strangers: `
    404 HOME_NOT_FOUND: homes/${home}/workup  homes/${home}/near?lane=sold  POST homes/${home}/pdf {}
      DELETE saved/<saved|0.home>  FORM /homes/${home}/keep
    404 PRESET_NOT_FOUND: presets/<presets|0.preset>/run?where=Zilker  FORM /presets/<presets|0.preset>/sheet
      FORM /presets/<presets|0.preset>/drop
    404 ALERT_NOT_FOUND: mails?alert=<alerts|0.alert>
    404 FILE_NOT_FOUND: /files/<files|0.file>/download
  `,
  kinds: {
    pro: `
      303: FORM /presets title=Fixer-uppers&px_to=USD 200000&kind=SFR&coc_from=-50
        FORM /presets/<presets|0.preset>/title title=Other  FORM /presets/<presets|0.preset>/drop
    `,
    guest: `
      200: ${city}  markets
      403 INVESTORS_ONLY: presets  saved  alerts  files  mails  homes/${home}/workup  /saved  POST homes/${home}/pdf {}
        FORM /alerts where=Zilker&every=day
    `,
  },
  pages: {
    shows: 'Peña Holdings',
    paths: `
      /finder  /${city}  /presets  /markets  /saved?done=kept&home=h-1  /alerts  /files  /mails  /homes/${home}
      /homes/<saved|0.home>  /presets/<presets|0.preset>?where=Zilker&sheet=nightly  /alerts/<alerts|0.alert>
      /files/<files|0.file>
    `,
    older: ['/saved', /href="[^"]*(\/saved\?[^"]+)">Older/, /\/homes\/([\w-]+)"/g],
  },
}
