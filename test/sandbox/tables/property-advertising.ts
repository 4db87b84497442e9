import { propertyAdvertising } from '../../../sandbox/property-advertising/app.ts'
import type { AppPerson } from '../open-app.ts'
import type { Row, Table } from './table.ts'

interface Thread extends Row {
  thread: number
  ad: string
  last: { ts: number }
}
const latest = ({ last }: Thread): number => -last.ts

/** Somebody asks about an ad, and the owner answers one conversation and files another. */
async function writes(
  who: AppPerson,
  { before, seen, count }: { before: Thread[]; seen: Thread[]; count: number },
): Promise<Response> {
  const { ads } = await who.read<{ ads: Row[] }>('/api/ads?phase=online&per_page=1')
  await who.form(`/inbox/${before[seen.length + count + 1]?.thread}/reply`, { text: 'Ahead of the reader' })
  await who.form(`/inbox/${before[seen.length - 1]?.thread}/shelve`)
  const body = new URLSearchParams({ name: 'Ada', email: `ada${count}@mail.example`, text: 'Hello' })
  return fetch(`${who.base}/ad/${String(ads[0]?.['ref'])}/enquiry`, { method: 'POST', redirect: 'manual', body })
}

const phase = ['online', 'offline', 'lapsed']
const deal = ['for_sale', 'to_let']
const online = '<ads?phase=online|0.ref>'
const change = (to: Row): string => `PATCH ads/${online} ${JSON.stringify(to)}`

export const table: Table = {
  app: propertyAdvertising,
  base: '/api/',
  token: ['/api/session', 'token'],
  size: 'per_page',
  page: 50,
  total: 'total',
  next: ({ next_before }: { next_before: string | null }) => (next_before === null ? null : `before=${next_before}`),
  lists: {
    ads: {
      id: 'ref',
      least: 65,
      choices: { phase, deal },
      same: ['phase=any', `phase=${phase.join(',')}`, 'deal=any', `deal=${deal.join(',')}`],
    },
    'ads?deal=to_let': {
      id: 'ref',
      least: 10,
      by: 1,
      meanwhile: (who) => who.form('/my/ads/new', { headline: 'Meanwhile', deal: 'to_let', asking: '800.00' }),
    },
    'ads?phase=online': {
      id: 'ref',
      by: 5,
      meanwhile: (who, { seen }: { seen: Row[] }) => who.form(`/my/ads/${String(seen.at(-1)?.['ref'])}/offline`),
      adds: -1,
    },
    threads: {
      id: 'thread',
      least: 125,
      order: latest,
      choices: { box: ['open', 'fresh', 'done', 'shelved'] },
      where: (all: Thread[]) => {
        const [{ ad }, middle] = [all[0] as Thread, all[70]?.last.ts ?? 0]
        return { [`ad=${ad}`]: { ad }, [`since=${middle}`]: { last: { ts: (ts: number) => ts >= middle } } }
      },
      same: ['box=any', 'box=open,fresh,done,shelved'],
      by: 9,
      meanwhile: writes,
      keeps: 'ids',
    },
    'threads?box=open': { id: 'thread', order: latest },
    'threads?box=fresh': {
      id: 'thread',
      least: 10,
      by: 3,
      meanwhile: (who, { seen }: { seen: Thread[] }) => who.form(`/inbox/${seen.at(-1)?.thread}/done`),
      adds: -1,
    },
    wanted: { id: 'no', choices: { deal }, same: ['deal=any'] },
  },
  refused: `
    400 PARAMETER_INVALID: ads?per_page=0  ads?per_page=101  ads?page=0  ads?page=x  ads?phase=gone  ads?deal=
      ads?before=x  ads?before=CV-10001&page=2  threads?before=CV-10001  threads?since=yesterday  threads?box=online
      wanted?before=1
    400 BODY_INVALID: POST threads/<threads|0.thread>/share []
    422 NOTHING_TO_CHANGE: ${change({})}  ${change({ facts: {} })}
    422 FIELD_UNKNOWN: ${change({ headline: 'New' })}  ${change({ facts: { cellars: 1 } })}
    422 ASKING_NEGATIVE: ${change({ asking: { cents: '-1' } })}  FORM /my/ads/${online}/edit asking=-5
    422 ASKING_TOO_HIGH: ${change({ asking: { cents: '100000000001' } })}
    422 ASKING_INVALID: ${change({ asking: { cents: '1', currency: 'USD' } })}
    422 BLURB_TOO_LONG: ${change({ blurb: 'x'.repeat(5001) })}
    422 BLURB_INVALID: ${change({ blurb: null })}
    422 TOO_MANY_PERKS: ${change({ perks: Array.from({ length: 31 }, (_, at) => `perk ${at}`) })}
    422 PERK_INVALID: ${change({ perks: [' '] })}
    422 FACTS_INVALID: ${change({ facts: [] })}
    422 NUMBER_INVALID: ${change({ facts: { baths: '2' } })}
    422 REFS_REQUIRED: POST threads/<threads|0.thread>/share {"refs":[]}
    422 TOO_MANY_REFS: POST threads/<threads|0.thread>/share ${JSON.stringify({ refs: Array.from({ length: 11 }, (_, at) => `CV-${at}`) })}
    422 REF_TWICE: POST threads/<threads|0.thread>/share {"refs":["${online}","${online}"]}
    422 TEXT_TOO_LONG: FORM /inbox/<threads|0.thread>/reply text=${'x'.repeat(2001)}
    409 THREAD_NOT_FRESH: FORM /inbox/<threads?box=open|0.thread>/read
    405 METHOD_NOT_ALLOWED: DELETE ads/${online} {}
  `,
  names: 'ads  threads  ads/<ads|0.ref>  ads/<ads|0.ref>/figures  threads/<threads|0.thread>  wanted',
  looks: {
    ads: { created: /^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/, asking: { cents: /^\d+$/ } },
    threads: { last: { ts: Number.isFinite } },
    '=ads?page=2&per_page=7': { page: 2, per_page: 7 },
  },
  holds: {
    'ads > ads/{ref}|blurb': [/^$/, /^.{4901}/s],
    'ads > ads/{ref}|asking.currency': 4,
    'ads > ads/{ref}|place.zone': 5,
    'ads|phase': phase,
    'threads|box': ['open', 'fresh', 'done', 'shelved'],
  },
  change: (me) => me.form('/my/ads/new', { headline: 'Gone after the reset', deal: 'to_let', asking: '800.00' }),
  strangers: `
    404 AD_NOT_FOUND: ads/<ads|0.ref>  ads/<ads|0.ref>/figures  FORM /my/ads/<ads?phase=online|0.ref>/offline
    404 THREAD_NOT_FOUND: threads/<threads|0.thread>  FORM /inbox/<threads|0.thread>/reply text=x
  `,
  kinds: {
    agency: `
      303: FORM /my/ads/${online}/edit asking=1234,5&perks=lift&baths=2  FORM /inbox/<threads?box=fresh|0.thread>/read
    `,
    private: `
      403 AGENCY_ONLY: wanted  /wanted
    `,
  },
  pages: { shows: '', paths: '/my/ads  /inbox' },
}
