import { fieldJobs } from '../../../sandbox/field-jobs/app.ts'
import { dayFrom, hours, setupOf } from '../field-jobs-company.ts'
import type { Row } from '../field-jobs-company.ts'
import type { AppPerson } from '../open-app.ts'
import type { Pattern, Table } from './table.ts'

const customer = async (who: AppPerson): Promise<string | undefined> =>
  (await who.read<{ rows: Row[] }>('/api/customers?q=@post')).rows[0]?.uuid
const soon = `jobs?from_day=${dayFrom('Etc/UTC', 3)}&until_day=${dayFrom('Etc/UTC', 4)}`
const wide = `jobs?from_day=${dayFrom('Etc/UTC', -200)}&until_day=${dayFrom('Etc/UTC', 200)}`

/** From the day of some row on, on the company's clocks. */
const since =
  (at: (row: Row) => number) =>
  async (all: Row[], me: AppPerson): Promise<Record<string, Pattern>> => {
    const { zone } = (await setupOf(me)).company
    const day = dayFrom(zone, 0, at(all[40] as Row) * 1000)
    return { [`since_day=${day}`]: (row: Row) => dayFrom(zone, 0, at(row) * 1000) >= day }
  }
const has = (text: string): Pattern => ({
  full_name: (name: string) => name.toLowerCase().includes(text.toLowerCase()),
})

async function draft(who: AppPerson): Promise<unknown> {
  const { price_book } = await setupOf(who)
  return who.wrote('POST', '/api/estimates', {
    customer: await customer(who),
    lines: [{ entry: price_book[0]?.uuid, qty: 1 }],
  })
}
const day = new Date(Date.now() + 172_800_000).toISOString().slice(0, 10)
const who = '"customer":"<customers?q=@post|0.uuid>","kind":"<setup|.job_kinds.0.uuid>"'
const job = `${who},"begins_at":${hours(50)},"ends_at":${hours(52)}`

export const table: Table = {
  app: fieldJobs,
  base: '/api/',
  token: async (person) =>
    /<meta name="torquen_key" content="([^"]+)"/.exec(await (await person.get('/desk')).text())?.[1] ?? '',
  size: 'per_page',
  total: 'total',
  next: ({ total, snapshot }: { total: number; snapshot: string }, seen: Row[], page) =>
    seen.length < total ? `page=${page + 1}&snapshot=${snapshot}` : null,
  lists: {
    leads: {
      id: 'uuid',
      least: 101,
      order: ({ came_in_at }: Row) => -came_in_at,
      choices: { stage: ['fresh', 'won', 'lost'] },
      where: since(({ came_in_at }) => came_in_at),
    },
    'leads?stage=fresh': {
      id: 'uuid',
      first: { caller: 'צביה <b>', mobile: '+233 20 1', handler: null },
      least: 16,
      meanwhile: async (who) => {
        const body = new URLSearchParams({ caller: 'צביה <b>', mobile: '+233 20 1' })
        return fetch((await setupOf(who)).company.enquiry_page, { method: 'POST', redirect: 'manual', body })
      },
    },
    estimates: {
      id: 'uuid',
      least: 101,
      order: ({ drafted_at }: Row) => -drafted_at,
      choices: { stage: ['draft', 'out', 'accepted', 'turned_down'] },
      where: since(({ drafted_at }) => drafted_at),
    },
    'estimates?stage=draft': {
      id: 'uuid',
      least: 16,
      by: 3,
      meanwhile: async (who, { before, count }: { before: Row[]; count: number }) => {
        await draft(who)
        return who.write('POST', `/api/estimates/${before.at(-1 - count)?.uuid}/send`, {})
      },
      adds: 0,
      keeps: 'ids',
    },
    bills: {
      id: 'uuid',
      least: 101,
      order: ({ raised_at }: Row) => -raised_at,
      choices: { standing: ['open', 'part_settled', 'settled'] },
      where: since(({ raised_at }) => raised_at),
    },
    [wide]: {
      id: 'uuid',
      least: 100,
      order: ({ begins_at }: Row) => -begins_at,
      where: (all: Row[]) => {
        const member = all.find(({ crew }) => crew.length > 0)?.crew[0]?.uuid
        return {
          'state=filed&state=in%20PROGRESS': { state: { code: /^(filed|under_way)$/ } },
          [`member=${member}`]: { crew: (crew: Row[]) => crew.some(({ uuid }) => uuid === member) },
        }
      },
    },
    [soon]: {
      id: 'uuid',
      least: 5,
      by: 1,
      meanwhile: async (who, { before }: { before: Row[] }) => {
        const { job_kinds } = await setupOf(who)
        const begins_at = (before[0]?.begins_at ?? 0) + 60
        return who.wrote('POST', '/api/jobs', {
          customer: await customer(who),
          kind: job_kinds[0]?.uuid,
          begins_at,
          ends_at: begins_at + 3600,
        })
      },
    },
    customers: {
      id: 'uuid',
      least: 120,
      where: (all: Row[]) => {
        const mobile = all.find((row) => row.mobile !== '')?.mobile ?? ''
        return {
          ...Object.fromEntries(['MENSAH', 'groß', 'ليلى'].map((q) => [`q=${encodeURIComponent(q)}`, has(q)])),
          'q=5@post': { mail: /5@post/ },
          'q=ring%20ROAD': { site: /ring road/i },
          [`q=${mobile.replaceAll(/\D/g, '')}`]: { mobile },
        }
      },
      none: ['q=no-such'],
    },
  },
  refused: `
    400 SNAPSHOT_REQUIRED: jobs?page=2
    400 SNAPSHOT_UNKNOWN: jobs?page=2&snapshot=made-up
    400 PARAM_INVALID: leads?per_page=0  leads?per_page=101  leads?stage=open  estimates?since_day=2026-02-28
      bills?since_day=20260231  board
    400 PARAM_UNKNOWN: bills?status=open
    400 STATE_UNKNOWN: jobs?state=gone
    400 DAYS_BACKWARDS: jobs?from_day=20300101&until_day=20291231
    400 TOO_MANY_DAYS: board?from_day=20260101&until_day=20260201
    400 BODY_INVALID: POST jobs []
    422 FIELD_UNKNOWN: POST jobs {${job},"job_type":"x"}
    422 TIME_INVALID: POST jobs {${who},"begins_at":"2030-01-01","ends_at":"2030-01-02"}
    422 TEXT_INVALID: POST jobs {${job},"remarks":null}
    422 TEXT_TOO_LONG: POST jobs {${job},"remarks":"${'x'.repeat(4001)}"}
    422 CUSTOMER_REQUIRED: POST jobs {${job},"new_customer":{"full_name":"Two"}}
    422 TEXT_REQUIRED: POST jobs {${job.replace('customer":"<customers?q=@post|0.uuid>"', 'new_customer":{"full_name":" "}')}}
    422 NOTHING_TO_DO: PATCH jobs/<${soon}|0.uuid>/crew {}
    422 CREW_TWICE: PATCH jobs/<${soon}|0.uuid>/crew {"put_on":["<setup|.crew.0.uuid>","<setup|.crew.0.uuid>"]}
    422 LINES_REQUIRED: POST estimates {"customer":"<customers?q=@post|0.uuid>","lines":[]}
    422 VIA_INVALID: POST estimates/<estimates?stage=draft|0.uuid>/send {"via":"fax"}
    422 MEANS_INVALID: POST receipts {"bill":"<bills?standing=open|0.uuid>","amount_minor":1,"means":"online"}
    422 TARGET_REQUIRED: POST receipts {"amount_minor":1,"means":"cash"}
    422 DAY_INVALID: POST bills {"job":"<${soon}|0.uuid>","due_day":20300101}
  `,
  place: ['leads?stage=fresh', ['leads', 'estimates'], '400 SNAPSHOT_UNKNOWN'],
  names: `
    setup  jobs  leads  customers  estimates  bills  messages  jobs/<${wide}|0.uuid>  board?from_day=20300101
  `,
  shared: 0.25,
  looks: {
    bills: {
      uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      due_day: /^\d{8}$/,
      charge_minor: Number.isInteger,
    },
    [wide]: { begins_at: Number.isInteger },
  },
  holds: {
    [`${wide}|state.code`]: 5,
    [`${wide}|crew.length`]: 3,
    'leads|stage': ['fresh', 'won', 'lost'],
    'leads|handler': /^null$/,
    'estimates|stage': ['draft', 'out', 'accepted', 'turned_down'],
    'bills|standing': ['open', 'part_settled', 'settled'],
    'bills|sent_out_at': /^null$/,
    'customers|mail': /^$/,
    'customers|mobile': /^$/,
    'customers|site': /^$/,
    'customers|full_name': /.{101}/,
    'estimates > estimates/{uuid}|remarks': /^.{4000}$/s,
  },
  across: { 'setup|.company.zone': 7, 'setup|.company.money.digits': 3 },
  also: 'messages',
  change: draft,
  strangers: `
    404 JOB_NOT_FOUND: jobs/<${wide}|0.uuid>
      PUT jobs/<${wide}|0.uuid>/window {"begins_at":2000000000,"ends_at":2000003600}
    404 BILL_NOT_FOUND: bills/<bills|0.uuid>
    404 ESTIMATE_NOT_FOUND: estimates/<estimates|0.uuid>
    422 BILL_UNKNOWN: POST receipts {"bill":"<bills|0.uuid>","amount_minor":1,"means":"cash"}
    422 CUSTOMER_UNKNOWN: POST estimates {"customer":"<customers|0.uuid>","lines":[{"entry":"<my setup|.price_book.0.uuid>","qty":1}]}
  `,
  kinds: {
    owner: `
      200: leads  customers  estimates  bills  messages
      303: FORM /desk/jobs full_name=By+form&kind=<setup|.job_kinds.0.uuid>&begins=${day}T09:30&ends=${day}T11:00
        FORM /desk/bills/<bills?standing=open|0.uuid>/receipts amount=1&means=cash&reference=
    `,
    dispatcher: `
      200: jobs  board?from_day=20300101  leads  customers  estimates  messages
      403 ROLE_FORBIDS: bills  POST bills {}  POST receipts {}
    `,
    bookkeeper: `
      200: jobs  board?from_day=20300101  customers  estimates  bills  messages
      403 ROLE_FORBIDS: leads  POST jobs {}  POST estimates {}
    `,
    technician: `
      200: jobs  board?from_day=20300101
      403 ROLE_FORBIDS: leads  customers  estimates  bills  messages  POST jobs {}  POST estimates {}  POST bills {}
        POST receipts {}
    `,
  },
  pages: {
    shows: 'Volta Hausservice',
    paths: `
      /desk  /desk/jobs  /desk/jobs/new  /desk/board  /desk/leads  /desk/customers?q=a  /desk/estimates
      /desk/estimates/new  /desk/bills  /desk/sent  /desk/jobs/<${wide}|0.uuid>
      /desk/estimates/<estimates?stage=draft|0.uuid>  /desk/bills/<bills?standing=open|0.uuid>
    `,
  },
}
