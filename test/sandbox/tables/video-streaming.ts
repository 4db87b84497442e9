import { videoStreaming } from '../../../sandbox/video-streaming/app.ts'
import type { AppPerson } from '../open-app.ts'
import type { Row, Table } from './table.ts'

interface Page {
  payload: Row[]
  'page-info'?: { more: boolean; snapshot: string }
}
const payload = async (who: AppPerson, path: string): Promise<Row[]> => (await who.read<Page>(`/api/${path}`)).payload
const upload = (who: AppPerson): Promise<Response> =>
  who.write('POST', '/api/clips', { source: 'https://cdn.example/a.mp4', heading: 'Meanwhile' })
const found = (query: string, heading: RegExp) => ({ [`find=${encodeURIComponent(query)}`]: { heading } })
const sonnengruss = found(' SONNENGRU', /Sonnengru/)
const room = '<community/rooms|5.room>'
const hidden = '<clips?airing=hidden|0.clip>'
const span = 'since=01.01.2000&until=31.12.2999'
const begins = (row: Row): number => -Date.parse(String(row['begins']))
const clip = (more: Row): string => JSON.stringify({ source: 'https://cdn.example/a.mp4', heading: 'x', ...more })
const show = (more: Row): string =>
  JSON.stringify({ heading: 'x', begins: '2031-01-31T20:00:00+05:45', via: 'meeting', ...more })

export const table: Table = {
  app: videoStreaming,
  base: '/api/',
  token: ['/api/whoami', 'payload.ticket'],
  size: 'limit',
  paged: /^(clips|series|shows|coupons|outbox|community\/rooms\/[^/]+\/posts)(\?|$)/,
  total: 'page-info.total',
  next: ({ 'page-info': page }: Page, seen: Row[]) =>
    page?.more ? `offset=${seen.length}&snapshot=${page.snapshot}` : null,
  lists: {
    clips: {
      id: 'clip',
      least: 90,
      choices: { airing: ['public', 'hidden', 'timed'] },
      where: sonnengruss,
      same: ['airing='],
      meanwhile: upload,
    },
    'clips?airing=hidden': {
      id: 'clip',
      least: 21,
      by: 1,
      meanwhile: (who, { before, count }: { before: Row[]; count: number }) =>
        who.form(`/studio/clips/${String(before[count]?.['clip'])}/air`, { when: 'now' }),
      adds: -1,
    },
    series: {
      id: 'series',
      where: sonnengruss,
      meanwhile: async (who) =>
        who.write('POST', '/api/series', {
          heading: 'Meanwhile',
          clips: [(await payload(who, 'clips?limit=1'))[0]?.['clip']],
        }),
    },
    shows: {
      id: 'show',
      order: begins,
      where: sonnengruss,
      meanwhile: (who) =>
        who.write('POST', '/api/shows', { heading: 'Now', begins: '2031-01-31T20:00:00+05:45', via: 'meeting' }),
    },
    coupons: {
      id: 'coupon',
      meanwhile: (who, { count }) =>
        who.form('/studio/coupons', { 'promo-code': `MEANWHILE-${count}`, 'off-kind': 'percent', 'off-value': '5' }),
    },
    outbox: {
      id: 'mail',
      where: (all: Row[]) => {
        const clip = String(all.find(({ state }) => state === 'waiting')?.['clip'])
        return { 'state=waiting': { state: 'waiting' }, [`clip=${clip}`]: { clip } }
      },
    },
    [`community/rooms/${room}/posts`]: {
      id: 'post',
      meanwhile: async (who) =>
        who.write(
          'POST',
          `/api/community/rooms/${String((await payload(who, 'community/rooms'))[5]?.['room'])}/posts`,
          { words: 'Meanwhile' },
        ),
    },
  },
  refused: `
    400 SNAPSHOT_REQUIRED: clips?offset=10
    400 PARAMETER_INVALID: clips?limit=0  clips?limit=101  clips?limit=x  clips?airing=live  clips?offset=-1
      clips?find=${'x'.repeat(201)}  numbers/clips?since=01.01.2026  numbers/clips?since=30.02.2026&until=01.03.2026
      numbers/clips?since=2026-01-01&until=2026-02-01
    400 PARAMETER_UNKNOWN: clips?status=public  series?airing=public
    400 SPAN_BACKWARDS: numbers/shows?since=02.01.2026&until=01.01.2026
    400 BODY_INVALID: POST clips []
    422 FIELD_UNKNOWN: POST clips ${clip({ title: 'x' })}  PATCH clips/${hidden} {"airing":"public"}
      FORM /studio/clips/${hidden}/air when=now&loud=yes
    422 TEXT_TOO_LONG: POST clips ${clip({ heading: 'x'.repeat(201) })}
    422 NOTHING_TO_CHANGE: PATCH clips/${hidden} {}
    422 CHOICE_INVALID: POST shows ${show({ via: 'radio' })}
    422 FLAG_INVALID: POST shows ${show({ 'sign-up': 'yes' })}
    422 MOMENT_INVALID: FORM /studio/clips/${hidden}/air when=later&goes-out=2031-02-20T00:00:00Z
    422 CODE_INVALID: FORM /studio/coupons promo-code=a+b&off-kind=percent&off-value=5
    422 WAIT_NOT_IN_DAYS: PATCH series/<series|0.series>/running-order {"running-order":[{"kind":"clip","clip":"${hidden}","unlock-after-ms":5}]}
  `,
  place: ['clips', ['series', 'clips?find=x'], '400 SNAPSHOT_UNKNOWN'],
  names: `
    clips  series  shows  coupons  clips/<clips|0.clip>  series/<series|2.series>  numbers/shows?${span}
    community/rooms  shelves
  `,
  looks: {
    shows: { begins: /^\d{4}-\d\d-\d\dT\d\d:\d\d:00[+-]\d\d:\d\d$/ },
    clips: (clip: Row) =>
      clip['in-catalogue'] === (clip['airing'] === 'public' && (clip['shelves'] as unknown[]).length > 0),
    '=coupons': { payload: { 1: { off: { minor: Number.isInteger, currency: 'CAD' } } } },
    'community/rooms': { handle: /^[a-z_-]+$/ },
  },
  holds: {
    'clips|airing': ['public', 'hidden', 'timed'],
    'clips|encoding': ['running', 'finished'],
    'clips|heading': /^.{200}$/,
    'clips|length-ms': /^[3-9]\d{4,}$|^[12]\d{5,}$/,
    'clips > clips/{clip}|payload.blurb': /^.{5000}$/s,
    'series|airing': ['public', 'hidden'],
    'series|clip-count': /^0$/,
    'shows|via': 3,
    'shows|phase': ['upcoming', 'on-air', 'over'],
    'shows|clock': 4,
    'community/rooms|open-to': ['everyone', 'invited'],
    [`community/rooms > community/rooms/{room}/posts|payload.state`]: ['out', 'waiting'],
  },
  change: upload,
  strangers: `
    404 CLIP_NOT_FOUND: clips/${hidden}  PATCH clips/${hidden} {"blurb":""}
      POST series {"heading":"x","clips":["${hidden}"]}  FORM /studio/clips/${hidden}/air when=now
    404 SERIES_NOT_FOUND: series/<series|0.series>
      FORM /studio/coupons promo-code=THEIRS&off-kind=percent&off-value=5&covers=one-series&series=<series|0.series>
    404 SHOW_NOT_FOUND: shows/<shows|0.show>
    404 COUPON_NOT_FOUND: coupons/<coupons|0.coupon>
    404 ROOM_NOT_FOUND: community/rooms/${room}/posts
  `,
  kinds: {
    editor: `
      403 ADMIN_ONLY: numbers/clips  coupons  outbox  POST series {}  PATCH series/<series|0.series>/running-order {}
        POST shows {}  POST community/rooms/<community/rooms|0.room>/posts {}  FORM /studio/clips/${hidden}/air when=now
        FORM /studio/coupons when=now
      201: POST clips ${clip({})}
      200: PATCH clips/${hidden} {"blurb":"x"}
    `,
  },
  pages: {
    shows: 'Maëlle Côté',
    paths: `
      /studio/clips  /studio/series  /studio/shows  /studio/numbers  /studio/community  /studio/coupons
      /studio/outbox  /studio/clips/${hidden}  /studio/series/<series|4.series>  /studio/shows/<shows|0.show>
      /studio/coupons/<coupons|0.coupon>  /studio/community/<community/rooms|1.room>
    `,
    older: ['/studio/clips', /href="[^"]*(\/studio\/clips\?[^"]+)">Older/, />(v\d+)<\/a>/g],
  },
}
