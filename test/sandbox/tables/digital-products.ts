import { digitalProducts } from '../../../sandbox/digital-products/app.ts'
import { buys, named, type Sale, type Thing } from '../digital-products-shop.ts'
import type { AppPerson } from '../open-app.ts'
import type { Table } from './table.ts'

const dayOf = (moment: string): string => moment.slice(0, 10).replaceAll('-', '')

/** Somebody joins the club, which makes a member, a sale and letters. */
async function joins(who: AppPerson): Promise<Response> {
  const [club] = await named(who, '/my/wares?sort=club&shown=listed', 'wares')
  return buys(who, String(club?.['link']), { mail: 'late@mail.example' })
}
const newest =
  (name: string) =>
  (row: Thing): number =>
    -Date.parse(`${String(row[name])}Z`)
const file = 'FORM /desk/wares price_cents=100&file_from=https://files.example/x.zip'

export const table: Table = {
  app: digitalProducts,
  base: '/my/',
  token: ['/my/shop', 'stamp'],
  size: 'per',
  paged: /^(sales|members|letters)/,
  next: ({ pageKey }: { pageKey?: string | null }) => (pageKey ? `pageKey=${encodeURIComponent(pageKey)}` : null),
  lists: {
    sales: {
      id: 'sale_no',
      order: newest('sold'),
      choices: { state: ['complete', 'returned', 'part_returned'], parcel: ['waiting', 'gone'] },
      where: (all: Sale[]) => {
        const [{ buyer_mail, sale_no, lines }] = all as [Sale]
        const [day, ware] = [dayOf(all[100]?.sold ?? ''), lines[0]?.ware_no]
        return {
          [`mail=${encodeURIComponent(buyer_mail.toUpperCase())}`]: { buyer_mail },
          [`sale_no=${sale_no}`]: { sale_no },
          [`ware_no=${ware}`]: { lines: (own: Sale['lines']) => own.some(({ ware_no }) => ware_no === ware) },
          [`first=${day}`]: { sold: (at: string) => dayOf(at) >= day },
          [`last=${day}`]: { sold: (at: string) => dayOf(at) <= day },
          [`first=${day}&last=${day}`]: { sold: (at: string) => dayOf(at) === day },
          [`state=complete&parcel=gone&first=${day}`]: {
            state: 'complete',
            parcel: 'gone',
            sold: (at: string) => dayOf(at) >= day,
          },
        }
      },
      none: ['mail=late', 'sale_no=made-up'],
      meanwhile: joins,
      by: 7,
    },
    'sales?state=part_returned': { id: 'sale_no', least: 4, order: newest('sold') },
    members: {
      id: 'member_no',
      order: newest('began'),
      choices: { state: ['running', 'late', 'ended'] },
      where: (all: Thing[]) => {
        const member_mail = String(all[3]?.['member_mail'])
        return { [`mail=${encodeURIComponent(member_mail.toUpperCase())}`]: { member_mail } }
      },
      meanwhile: joins,
    },
    letters: { id: 'letter_no', order: newest('sent'), meanwhile: joins, by: 7 },
    wares: {
      id: 'ware_no',
      choices: { sort: ['file', 'course', 'coaching', 'club', 'parcel'], shown: ['listed', 'hidden', 'by_link'] },
      where: { 'sort=file&shown=hidden': { sort: 'file', shown: 'hidden' } },
    },
    vouchers: { id: '~code', least: 4 },
    shelves: { id: 'shelf_no', least: 2 },
  },
  refused: `
    400 PARAM_INVALID: sales?per=0  sales?per=101  sales?state=all  sales?first=2026-11-21  sales?last=20260230
      members?state=running&state=late  figures?first=20260301  books/2026-10  books/202613
    400 PARAM_UNKNOWN: wares?per=5
    400 SPAN_BACKWARDS: sales?first=20260302&last=20260301
    400 SPAN_TOO_LONG: figures?first=20000101&last=20260301
    400 PAGE_KEY_UNKNOWN: sales?pageKey=made-up  members?pageKey=
    400 BODY_INVALID: POST vouchers []
    422 CODE_INVALID: POST vouchers {"code":"a b c","off":{"bp":1}}
    422 OFF_INVALID: POST vouchers {"code":"ABC"}  POST vouchers {"code":"ABC","off":{"bp":1,"cents":1}}
    422 TARGET_MISPLACED: POST vouchers {"code":"ABC","off":{"bp":1},"covers":"ware"}
      POST vouchers {"code":"ABC","off":{"bp":1},"ware_no":"<wares|0.ware_no>"}
    422 DAY_INVALID: POST vouchers {"code":"ABC","off":{"bp":1},"until":"2999-12-31"}
    422 TEXT_INVALID: POST sales/<sales|0.sale_no>/remarks {"words":5}
    422 TEXT_TOO_LONG: POST sales/<sales|0.sale_no>/remarks {"words":"${'x'.repeat(5001)}"}
    422 NOTHING_TO_CHANGE: PATCH wares/<wares|0.ware_no> {}
    422 FIELD_UNKNOWN: PATCH wares/<wares|0.ware_no> {"link":"x"}  FORM /desk/sales/<sales|0.sale_no>/refill fetches=99
    422 CHOICE_INVALID: ${file}&label=x&shown=public
    422 FIELD_REPEATED: ${file}&label=a&label=b
  `,
  place: ['sales?state=complete', ['sales', 'sales?state=returned', 'members'], '400 PAGE_KEY_UNKNOWN'],
  names: `
    sales  sales/<sales|0.sale_no>  wares  members  vouchers  letters  barred  shop  shelves  books/202601
    figures?first=20260101&last=20260201
  `,
  // `name` of partners and `used` of vouchers.
  shared: 0.05,
  looks: {
    sales: { sold: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, total_cents: Number.isInteger },
    '=shop': { ok: true, shop: { shop_label: 'Atelier Lumière' } },
  },
  holds: {
    'sales|state': ['complete', 'part_returned', 'returned'],
    'sales|parcel': ['gone', null, 'waiting'],
    'wares|sort': ['club', 'coaching', 'course', 'file', 'parcel'],
    'wares|shown': ['by_link', 'hidden', 'listed'],
    'wares|label': /.{199}/,
    'members|state': 8,
    'vouchers|covers': ['order', 'shelf', 'ware'],
    'shelves|wares': /^0$/,
  },
  also: 'barred',
  change: (me) => me.wrote('POST', '/my/vouchers', { code: 'GONE', off: { bp: 1 } }),
  strangers: `
    404 SALE_NOT_FOUND: sales/<sales|0.sale_no>  letters?sale_no=<sales|0.sale_no>
      POST sales/<sales|0.sale_no>/remarks {"words":"x"}  FORM /desk/sales/<sales|0.sale_no>/refill
      FORM /desk/sales/<sales|0.sale_no>/receipt  FORM /desk/sales/<sales|0.sale_no>/bar
    404 WARE_NOT_FOUND: wares/<wares|0.ware_no>  PATCH wares/<wares|0.ware_no> {"label":"Mine"}
      POST vouchers {"code":"THEIRS","off":{"bp":100},"covers":"ware","ware_no":"<wares|0.ware_no>"}
    404 MEMBER_NOT_FOUND: POST members/<members|0.member_no>/end {}
    404 SHELF_NOT_FOUND: POST vouchers {"code":"THEIRS","off":{"bp":100},"covers":"shelf","shelf_no":"<shelves|0.shelf_no>"}
  `,
  kinds: {
    helper: `
      200: sales/<sales|0.sale_no>
      403 OWNER_ONLY: figures?first=20260101&last=20260102  books/202601  FORM /desk/sales/<sales|0.sale_no>/refill
        FORM /desk/sales/<sales|0.sale_no>/receipt  FORM /desk/sales/<sales|0.sale_no>/bar  ${file}&label=x
        POST vouchers {}  POST sales/<sales|0.sale_no>/remarks {"words":"x"}
        PATCH wares/<wares|0.ware_no> {"label":"x"}  POST members/<members?state=running|0.member_no>/end {}
    `,
  },
  pages: {
    shows: 'meta name="stamp"',
    paths: `
      /desk  /desk/wares  /desk/members  /desk/vouchers  /desk/figures  /desk/letters  /desk/barred
      /desk/sales?state=returned  /desk/sales/<sales|0.sale_no>  /desk/wares/<wares|0.ware_no>
    `,
  },
}
