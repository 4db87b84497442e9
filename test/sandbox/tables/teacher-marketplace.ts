import { teacherMarketplace } from '../../../sandbox/teacher-marketplace/app.ts'
import type { AppPerson } from '../open-app.ts'
import { day, ever, rowsOf, sortable, type Row, type Rows } from '../teacher-marketplace-shop.ts'
import { dotted } from './table.ts'
import type { Table } from './table.ts'

const newGood = (who: AppPerson): Promise<unknown> =>
  who.wrote('POST', '/dash/goods', { name: 'New', cost: '$1.00', link: 'https://files.example/a.pdf', shelf: 'live' })

/** Anybody does something with a live good of somebody. */
const visits =
  (end: string, fields: Record<string, string>) =>
  async (who: AppPerson): Promise<Response> => {
    const [live] = await rowsOf(who, '/dash/goods?shelf=live')
    return fetch(`${who.base}/g/${live?.no}/${end}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(fields),
    })
  }
const asks = visits('asks', { asker: 'Li', mail: 'li@school.example', words: '?' })
const note = (who: AppPerson): Promise<Response> => who.form('/shop/notes', { words: 'Hello' })
const newest = ({ no }: Row): number => -no
const [first, last] = [day(-40), day(-10)]
const good = '<goods|0.no>'
const open = '<asks?state=open|0.no>'
const searches = 'searches?first=01/01/2025&last=01/01/2030'
const markdown = `first=${day(100)}&last=${day(127)}&over=whole`

export const table: Table = {
  app: teacherMarketplace,
  base: '/dash/',
  token: ['/dash/me', 'hall_pass'],
  size: 'per',
  paged: /^(?!searches)/,
  total: 'total',
  next: ({ pages, stamp }: Rows, _, page) => (page < pages ? `page=${page + 1}&stamp=${stamp}` : null),
  lists: {
    goods: {
      id: 'no',
      order: newest,
      choices: {
        shelf: ['live', 'hidden'],
        sort: ['download', 'bundle', 'video', 'cloud'],
        drawer: ['', 'Für Français & ESL', 'Math Centers'],
      },
      where: { 'shelf=live&sort=video': { shelf: 'live', sort: 'video' } },
      same: ['shelf=any&sort=any'],
      none: ['shelf=live&sort=video&drawer=nothing'],
      meanwhile: newGood,
    },
    'goods?shelf=live': {
      id: 'no',
      meanwhile: (who, { before, count }: { before: Row[]; count: number }) =>
        who.form(`/shop/goods/${before[count]?.no}/shelf`, { shelf: 'hidden' }),
      adds: -1,
      keeps: 'ids',
    },
    [`sold?${ever}`]: {
      id: 'no',
      order: (row: Row) => -Date.parse(sortable(row['day'])),
      where: ([sold]: Row[]) => ({ [`good=${String(sold?.['good'])}`]: { good: sold?.['good'] as number } }),
      meanwhile: visits('buy', { mail: 'new@school.example' }),
    },
    asks: {
      id: 'no',
      where: ([ask]: Row[]) => {
        const no = dotted(ask, 'good.no') as number
        return {
          'state=open': { reply: null },
          'state=replied': { reply: (reply: unknown) => reply !== null },
          [`good=${no}`]: { good: { no } },
        }
      },
      meanwhile: asks,
    },
    'asks?state=open': {
      id: 'no',
      least: 21,
      meanwhile: (who, { before, count }: { before: Row[]; count: number }) =>
        who.form(`/shop/asks/${before[count]?.no}/reply`, { words: 'Yes' }),
      adds: -1,
      keeps: 'ids',
    },
    markdowns: {
      id: 'no',
      meanwhile: (who, { count }) =>
        who.form('/shop/markdowns', { first: day(60 + 9 * count), last: day(61 + 9 * count), over: 'whole' }),
    },
    notes: { id: 'no', meanwhile: note },
    mailbox: { id: 'no', meanwhile: note, adds: 'some' },
  },
  refused: `
    400 PARAM_UNKNOWN: goods?colour=red
    400 PARAM_INVALID: goods?per=101  goods?per=0  goods?page=1&page=2  goods?shelf=active
      sold?first=2026-01-01&last=01/02/2026  sold?first=02/29/2026&last=03/02/2026  sold?last=03/02/2026
      figures?first=01/01/2026&last=01/02/2026&buyers=all
    400 STAMP_REQUIRED: goods?page=2
    400 STAMP_UNKNOWN: goods?page=2&stamp=100200.1.x
    400 SPAN_BACKWARDS: figures?first=01/02/2026&last=01/01/2026
    400 SEARCHES_BEGIN_LATER: searches?first=12/31/2024&last=01/02/2025
    400 BODY_INVALID: PATCH goods/${good} []
    422 NOTHING_TO_CHANGE: PATCH goods/${good} {}
    422 FIELD_UNKNOWN: PATCH goods/${good} {"drawer":"x"}  FORM /shop/markdowns ${markdown}&discount=5
    422 TEXT_TOO_LONG: PATCH goods/${good} {"name":"${'x'.repeat(121)}"}
    422 MONEY_INVALID: PATCH goods/${good} {"cost":"3.00"}
    422 LIST_INVALID: PATCH goods/${good} {"levels":"PreK"}
    422 LIST_TOO_LONG: PATCH goods/${good} {"topics":["Math","Music","Physics","French"]}
    422 LIST_REPEATS: PATCH goods/${good} {"labels":["a","a"]}
    422 OPTION_INVALID: FORM /shop/goods/${good}/shelf shelf=active
    422 PERCENT_INVALID: FORM /shop/markdowns ${markdown}&percent=51
    422 DAY_INVALID: FORM /shop/notes words=x&day=tomorrow
    422 GOODS_NOT_WANTED: FORM /shop/markdowns ${markdown}&good=1
    422 FIELD_REPEATED: FORM /shop/notes words=a&words=b
  `,
  place: ['goods?shelf=live', ['goods?shelf=hidden', 'asks', 'goods'], '400 STAMP_UNKNOWN'],
  names: `
    goods  sold?${ever}  asks  markdowns  notes  mailbox  ${searches}  goods/${good}  goods/${good}/figures?${ever}
    figures?${ever}
  `,
  // `revision`, which is ours.
  shared: 0.03,
  looks: {
    [`sold?${ever}`]: { no: Number.isInteger, day: /^\d\d\/\d\d\/\d{4}$/, earned: /^\$\d{1,3}(,\d{3})*\.\d\d$/ },
    [`sold?first=${first}&last=${last}`]: {
      day: (on: string) => sortable(on) >= sortable(first) && sortable(on) <= sortable(last),
    },
    asks: { asked: /^\d\d\/\d\d\/\d{4} \d{1,2}:\d\d [AP]M -0700$/ },
    '=me': { sells: true, zone: 'America/Phoenix' },
    '=lists': { levels: (levels: string[]) => levels.includes('PreK') && levels.includes('12th') },
  },
  holds: {
    'goods|sort': ['download', 'bundle', 'video', 'cloud'],
    'goods|shelf': ['live', 'hidden'],
    'goods|drawer': /^$/,
    'goods|cost': [/^\$0\.00$/, /^\$1,000\.00$/],
    'goods|name': /^.{120}$/,
    'goods > goods/{no}|good.about': [/^$/, /^.{10000}$/s],
    'goods > goods/{no}|good.levels.length': /^0$/,
    'asks|asker': /^$/,
    'asks|words': /^.{2000}$/s,
    'markdowns|stage': ['planned', 'running', 'over'],
    'notes|stage': ['planned', 'sent'],
  },
  change: newGood,
  strangers: `
    404 GOOD_NOT_FOUND: goods/${good}  goods/${good}/figures?${ever}  sold?${ever}&good=${good}
      figures?${ever}&good=${good}  ${searches}&good=${good}  asks?good=${good}  PATCH goods/${good} {"name":"x"}
      FORM /shop/goods/${good}/shelf shelf=live&link=x  FORM /shop/goods/${good}/file shelf=live&link=x
    404 ASK_NOT_FOUND: FORM /shop/asks/${open}/reply words=x
  `,
  kinds: {
    seller: `
      303: FORM /shop/goods name=By+form&cost=$2.00&more_cost=$1.90&about=&shelf=hidden&drawer=&labels=a&levels=&topics=Math&link=https://files.example/form.pdf
        FORM /shop/goods/${good} name=Changed+by+form&labels=c
    `,
    starter: `
      409 NO_FOLLOWERS: FORM /shop/notes words=Hello
    `,
    buyer: `
      200: me
      403 SELLERS_ONLY: goods  sold?${ever}  asks  markdowns  notes  mailbox  POST goods {}  FORM /shop/notes words=x
    `,
  },
  pages: {
    shows: 'Marisol Ruiz',
    paths: `/  /shop/trade  /shop/asks  /shop/markdowns  /shop/notes  /shop/mailbox  /shop/goods/${good}`,
    older: ['/shop/goods', /href="\/teacher-marketplace(\/shop\/goods\?[^"]+)"/, /\/shop\/goods\/(\d+)"/g],
  },
}
