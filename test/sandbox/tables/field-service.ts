import { fieldService } from '../../../sandbox/field-service/app.ts'
import { formed, newOrder, read, setup, wrote, type Item } from '../field-service-firm.ts'
import type { AppPerson } from '../open-app.ts'
import type { List, Pattern, Table } from './table.ts'

interface Page {
  Data: { Rows?: Item[]; Page: number; Pages: number; Stamp: string }
}
const rows = async (who: AppPerson, path: string): Promise<Item[]> => (await read<{ Rows: Item[] }>(who, path)).Rows

/** Something comes, goes or changes in every list. */
async function work(who: AppPerson, { count }: { count: number }): Promise<unknown> {
  await wrote(who, 'clients', { Title: 'Meanwhile' })
  const client = (await rows(who, 'clients')).find(({ Mail }) => Mail !== '')
  await formed(who, `/${await newOrder(who, client?.ClientNo ?? 0, { Kind: 'Lead' })}/quote`)
  const [open, due] = [await rows(who, 'jobs?State=Open'), await rows(who, 'bills')]
  await formed(who, `/${open[0]?.OrderNo}/visits`, { From: '01.03.2030 09:00', Till: '01.03.2030 10:00' })
  return formed(who, `/${due.filter(({ Due }) => Due !== '0,00')[count]?.OrderNo}/bill/payments`, { Means: 'Cash' })
}

const worked = (id: 'ClientNo' | 'OrderNo' | 'BillNo' | 'MailId', adds: number, least = 60): List => ({
  id,
  least,
  order: (row: Item) => row[id] ?? 0,
  meanwhile: work,
  adds,
})

const dayNumber = (day: string): number => Date.parse(`${day.split('.').toReversed().join('-')}T00:00:00Z`) / 86_400_000

/** Jobs by the spans of days that the app has words for. */
async function spans(me: AppPerson): Promise<Record<string, Pattern>> {
  const today = dayNumber((await setup(me)).Today)
  const date = new Date(today * 86_400_000)
  const monday = today - ((date.getUTCDay() + 6) % 7)
  const [y, m] = [date.getUTCFullYear(), date.getUTCMonth()]
  const from = (year: number, month: number): number => Date.UTC(year, month, 1) / 86_400_000
  const found: Record<string, [number, number]> = {
    Today: [today, today],
    Tomorrow: [today + 1, today + 1],
    Yesterday: [today - 1, today - 1],
    ThisWeek: [monday, monday + 6],
    NextWeek: [monday + 7, monday + 13],
    LastWeek: [monday - 7, monday - 1],
    ThisMonth: [from(y, m), from(y, m + 1) - 1],
    NextMonth: [from(y, m + 1), from(y, m + 2) - 1],
    LastMonth: [from(y, m - 1), from(y, m) - 1],
    ThisYear: [from(y, 0), from(y + 1, 0) - 1],
    LastYear: [from(y - 1, 0), from(y, 0) - 1],
  }
  const fits = ([first, last]: [number, number]) => ({
    Slated: (day: string | null) => day !== null && dayNumber(day) >= first && dayNumber(day) <= last,
  })
  return Object.fromEntries(Object.entries(found).map(([name, span]) => [`Span=${name}`, fits(span)]))
}
const visits = '/app/orders/<jobs?State=Open|0.OrderNo>/visits'
const open = '/app/orders/<jobs?State=Open|0.OrderNo>'

export const table: Table = {
  app: fieldService,
  base: '/app/ajax/',
  token: ['/app/ajax/setup', 'Data.AntiForgery'],
  page: 15,
  total: 'Data.Found',
  rows: ({ Data }: Page) => (Data.Rows ?? []) as unknown as Record<string, unknown>[],
  next: ({ Data }: Page, _, page) => (page < Data.Pages ? `Page=${page + 1}&Stamp=${Data.Stamp}` : null),
  lists: {
    clients: {
      ...worked('ClientNo', 1),
      where: (all: Item[]) => {
        const sample = all.find(({ Tel, Mail, SiteLine }) => Tel !== '' && Mail !== '' && SiteLine !== '')
        const own = { ClientNo: sample?.ClientNo ?? 0 }
        return {
          [`Find=${encodeURIComponent(sample?.Mail.toUpperCase() ?? '')}`]: own,
          [`Find=${sample?.Tel.replaceAll(/\D/g, '')}`]: own,
          'Find=kastanienALLEE': { SiteLine: /Kastanienallee/ },
        }
      },
      same: ['Find=%20'],
      none: [`Find=${encodeURIComponent('שרה no such client')}`],
    },
    jobs: {
      ...worked('OrderNo', 0),
      choices: { State: ['Open', 'Slated', 'Working', 'Paused', 'Dropped', 'Done'] },
      where: async (_: Item[], me) => {
        const { CrewId, FullName } = (await setup(me)).Crew[0] ?? { CrewId: 0, FullName: '' }
        const theirs = { Crew: (crew: string[]) => crew.includes(FullName) }
        return {
          ...(await spans(me)),
          [`Crew=${CrewId}`]: theirs,
          [`Crew=${encodeURIComponent(FullName.toLowerCase())}`]: theirs,
          [`State=Done&Crew=${CrewId}`]: { ...theirs, State: 'Done' },
        }
      },
    },
    'jobs?State=Open': worked('OrderNo', -1, 30),
    'leads?Stage=Fresh': worked('OrderNo', 1, 20),
    leads: { id: 'OrderNo', order: ({ OrderNo }: Item) => OrderNo },
    bills: worked('BillNo', -1),
    'bills?Pile=Settled': { id: 'BillNo', order: ({ BillNo }: Item) => BillNo ?? 0 },
    mails: worked('MailId', 1),
  },
  refused: `
    400 PARAM_INVALID: clients?Page=0  clients?Page=x  clients?Size=5  jobs?State=open  jobs?Span=NextYear
      leads?Stage=New  bills?Pile=All
    400 PARAM_UNKNOWN: clients?Rows=5
    400 PARAM_TWICE: jobs?Size=30&Size=30  clients?Find=a&Find=b
    400 STAMP_UNKNOWN: jobs?Stamp=1.2.x
    422 CREW_UNKNOWN: jobs?Crew=Nobody
    200: jobs?Page=999
    422 TEXT_INVALID: POST clients {"Title":5}
    422 TEXT_TOO_LONG: POST clients {"Title":"${'x'.repeat(121)}"}
    422 FIELD_UNKNOWN: POST clients {"Title":"x","Name":"x"}  POST clients {"Title":"x","Site":{"City":"x"}}
    422 FLAG_INVALID: POST clients {"Title":"x","Company":"true"}
    422 MAIL_INVALID: POST clients {"Title":"x","Mail":"x@y"}
    422 ADDRESS_INVALID: POST clients {"Title":"x","Site":"here"}
    422 TIME_SKIPPED: FORM ${visits} From=31.03.2030 02:30&Till=31.03.2030 04:00&Zone=Europe/Berlin
    422 ZONE_UNKNOWN: FORM ${visits} From=01.03.2030 09:00&Till=01.03.2030 10:00&Zone=%2B01:00
    422 DAY_INVALID: POST orders/<jobs?State=Open|0.OrderNo>/hours {"Crew":"Amélie Brûlé","Time":"1","Day":"2026-01-01"}
    422 TOTAL_TOO_HIGH: POST orders/<jobs?State=Open|0.OrderNo>/lines {"Label":"x","Each":"1.000.000","Qty":"101"}
    422 CHOICE_INVALID: FORM /app/orders ClientNo=<clients|0.ClientNo>&Service=Drain cleaning&Kind=lead
  `,
  names: 'setup  clients  clients/<bills|0.ClientNo>  jobs  leads  bills  mails  orders/<bills|0.OrderNo>',
  shared: 0.25,
  looks: {
    bills: { MailedAt: /^(null|\d\d\.\d\d\.\d{4} \d\d:\d\d)$/ },
    '=orders/<bills|0.OrderNo>': {
      Data: { Opened: /^\d\d\.\d\d\.\d{4}$/, Bill: { Sum: /^\d{1,3}(\.\d{3})*,\d\d$/ }, OrderNo: Number.isInteger },
    },
  },
  holds: {
    'clients|Mail': /^$/,
    'clients|SiteLine': /^$/,
    'clients|Title': /.{101}/,
    'clients > clients/{ClientNo}|Data.Memo': /^.{3001}/s,
    'jobs|State': ['Open', 'Slated', 'Working', 'Paused', 'Dropped', 'Done'],
    'leads|Stage': 3,
    'leads|QuoteMailed': [true, false],
    'bills|MailedAt': /^null$/,
    'bills|SeenAt': 4,
    'bills|Received': 4,
  },
  across: { 'setup|.Data.Zone': 7 },
  change: async (me) => newOrder(me, (await rows(me, 'clients'))[0]?.ClientNo ?? 0),
  strangers: `
    404 CLIENT_NOT_FOUND: clients/<clients|0.ClientNo>
    404 ORDER_NOT_FOUND: orders/<jobs|0.OrderNo>  POST orders/<jobs|0.OrderNo>/lines {"Label":"x","Each":"1"}
  `,
  kinds: {
    admin: `
      303: FORM /app/clients Title=By+form&Town=Bonn  FORM ${open}/lines Label=By+form&Qty=1,00&Each=5
        FORM ${open}/hours Crew=Amélie Brûlé&Day=&Time=1,00&Remark=  FORM ${open}/bill
    `,
    dispatcher: `
      403 ADMIN_ONLY: bills  POST orders/<jobs?State=Done|0.OrderNo>/bill {}
        FORM /app/orders/<jobs?State=Done|0.OrderNo>/bill/mail  FORM /app/orders/<jobs?State=Done|0.OrderNo>/bill/payments
      303: FORM /app/orders ClientNo=<clients|0.ClientNo>&Service=boiler repair
    `,
  },
  pages: {
    shows: 'name="AntiForgery"',
    paths: `
      /app/orders/<jobs|0.OrderNo>  /app/orders/<leads|0.OrderNo>  /app/clients/<clients|0.ClientNo>  /app/jobs
      /app/jobs?State=Done&Page=2  /app/leads  /app/clients?Find=a  /app/bills  /app/outbox
    `,
  },
}
