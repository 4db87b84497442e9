import { html, type Html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { open } from '../platform/routes.ts'
import { all, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type AppRequest, type Reply, type Route } from '../platform/types.ts'
import { insertBought, priced } from './checkout.ts'
import { look } from './figures.ts'
import { formWhole, invalid, needText, readForm, readText } from './input.ts'
import { layout, link, root } from './layout.ts'
import { priceWords } from './letters.ts'
import { fetchFile, isBarred } from './sales.ts'
import { idOf, insertAll, nextSerial, serialOf, shopOf } from './tables.ts'
import { isGood } from './vouchers.ts'

/** A page for buyers; who is signed in is not shown. */
const buyerPage = (title: string, body: Html): Reply => page(layout({ title, body, viewer: undefined }))

const home = ({ viewer }: AppRequest): Reply =>
  page(
    layout({
      title: 'Sell what you make',
      body: html`<h1>Sell what you make</h1>
        <p>${link('/desk', 'Sellers come in here.')}</p>`,
      viewer,
    }),
  )

/** What stands in the front window of a shop. */
function front({ db, params }: AppRequest): Reply {
  const sql = `SELECT * FROM wares WHERE account = ? AND shown = 'listed' ORDER BY serial DESC`
  const wares = all(db, sql, params['shop'] ?? '')
  const lines = wares.map((ware) => html`<li>${link(`/w/${text(ware, 'key')}`, text(ware, 'label'))}</li>`)
  return buyerPage(
    'Shop',
    html`<h1>Shop</h1>
      <ul>
        ${lines}
      </ul>`,
  )
}

/** Whoever has the address sees a ware, unless it is hidden. */
function wareOf({ db, params }: AppRequest): Row {
  const ware = one(db, `SELECT * FROM wares WHERE key = ? AND shown <> 'hidden'`, params['key'] ?? '')
  if (!ware) throw new Refusal(404, 'WARE_NOT_FOUND', 'There is no such thing to buy.')
  return ware
}

/** Looks of people who are signed in are not counted. */
function ware(request: AppRequest): Reply {
  const { db, viewer, now, query } = request
  const row = wareOf(request)
  const account = text(row, 'account')
  if (!viewer) look(db, account, now)
  const { cur } = shopOf(db, account)
  return buyerPage(
    text(row, 'label'),
    html`<h1 dir="auto">${text(row, 'label')}</h1>
      ${query.has('sale') && html`<p class="card">Thank you! Your receipt is on its way: ${query.get('sale')}.</p>`}
      <p class="text" dir="auto">${text(row, 'pitch')}</p>
      <form class="card" method="post" action="${root}/w/${text(row, 'key')}">
        <p>${priceWords(number(row, 'price'), cur)}</p>
        <label>E-mail <input name="mail" type="email" /></label>
        <label>Copies <input name="copies" value="1" /></label>
        <label>Voucher <input name="voucher" /></label><button>Buy</button>
      </form>`,
  )
}

function voucherFor(request: AppRequest, account: string, code: string, wares: readonly Row[]): Row | undefined {
  if (code === '') return undefined
  const voucher = one(request.db, 'SELECT * FROM vouchers WHERE account = ? AND code = ?', account, code)
  if (!voucher || !isGood(voucher, wares, request.now)) {
    throw invalid('VOUCHER_NO_GOOD', 'This voucher is not good here.', 'voucher')
  }
  run(request.db, 'UPDATE vouchers SET used = used + 1 WHERE serial = ?', number(voucher, 'serial'))
  return voucher
}

/** A sale; what is bought of a club is its monthly plan. */
function buy(request: AppRequest): Reply {
  const { db, form, now } = request
  const row = wareOf(request)
  const account = text(row, 'account')
  const fields = readForm(form, ['mail', 'copies', 'voucher'])
  const mail = needText(fields, 'mail', 200)
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(mail)) throw invalid('MAIL_INVALID', 'mail must be an e-mail address.', 'mail')
  if (isBarred(db, account, mail)) throw new Refusal(403, 'BUYER_BARRED', 'This shop does not sell to you.')
  const copies = formWhole({ copies: fields['copies'] ?? '1' }, 'copies', 1, 99)
  const voucher = voucherFor(request, account, readText(fields, 'voucher', 40), [row])
  const next = (): number => nextSerial(db, account)
  const label = text(one(db, 'SELECT label FROM sb_accounts WHERE account = ?', account) ?? {}, 'label')
  const basket = { mail, goods: [{ ware: row, copies }], voucher, sold: now, vatBp: 0, otherBp: 0, partner: undefined }
  const bought = priced({ account, label, ...shopOf(db, account) }, { ...basket, answers: [] }, next)
  insertBought(db, [bought])
  if (row['sort'] === 'club') {
    const plan = { plan: 'Monthly', state: 'running', began: now, late_since: null, ended: null }
    insertAll(db, 'members', [{ serial: next(), account, mail, ware: number(row, 'serial'), ...plan }])
  }
  const sale_no = idOf('sales', bought.sale.serial)
  request.effect('sale.made', { sale_no, mail, total_cents: bought.sale.total })
  return seeOther(`${root}/w/${text(row, 'key')}?sale=${sale_no}`)
}

/** The files of a sale, for whoever has the link of the receipt. */
function files({ db, params }: AppRequest): Reply {
  const sql = `SELECT l.* FROM lines l JOIN sales s ON s.serial = l.sale WHERE s.key = ? AND fetches IS NOT NULL`
  const lines = all(db, sql, params['key'] ?? '')
  if (lines.length === 0) throw new Refusal(404, 'SALE_NOT_FOUND', 'There are no files here.')
  const forms = lines.map(
    (line) =>
      html`<form class="card" method="post">
        <input type="hidden" name="ware_no" value="${idOf('wares', number(line, 'ware'))}" />
        <span dir="auto">${text(line, 'label')}</span>, ${number(line, 'fetches')} times left <button>Fetch</button>
      </form>`,
  )
  return buyerPage(
    'Your files',
    html`<h1>Your files</h1>
      ${forms}`,
  )
}

function fetched(request: AppRequest): Reply {
  const { db, form, params } = request
  const { ware_no } = readForm(form, ['ware_no'])
  const key = params['key'] ?? ''
  const line = fetchFile(db, key, serialOf('wares', ware_no))
  request.effect('file.fetch', { sale_no: idOf('sales', number(line, 'sale')), ware_no, left: number(line, 'fetches') })
  return seeOther(`${root}/get/${key}`)
}

export const publicPages: readonly Route[] = [
  open('GET /', home),
  open('GET /at/{shop}', front),
  open('GET /w/{key}', ware),
  open('POST /w/{key}', buy),
  open('GET /get/{key}', files),
  open('POST /get/{key}', fetched),
]
