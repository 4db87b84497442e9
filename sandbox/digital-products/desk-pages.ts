import { html } from '../platform/html.ts'
import { seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import { number, text } from '../platform/rows.ts'
import { table } from '../platform/shell.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { day, dayOut } from './clock.ts'
import { figures } from './figures.ts'
import { area, deskPage, input, jsonForm, link, listing, postForm, root, select } from './layout.ts'
import { letterOut, listLetters, priceWords } from './letters.ts'
import { endMember, listMembers, memberOut } from './members.ts'
import { barBuyer, listBarred, listSales, refill, resendReceipt, saleFull, saleOut } from './sales.ts'
import { ownRow, shopOf } from './tables.ts'
import { coverings, listVouchers, type VoucherOut } from './vouchers.ts'
import { addWare, listShelves, listWares, showings, wareFull } from './wares.ts'

const curOf = ({ db, viewer }: SignedIn): string => shopOf(db, viewer.account.account).cur

function home(request: SignedIn): Reply {
  const { viewer, db } = request
  const { account, label } = viewer.account
  const { cur, fetchLimit } = shopOf(db, account)
  const shelves = listShelves(db, account).map(({ shelf_no, label: name, wares }) => [shelf_no, name, wares])
  const body = html`<p>
      ${link(`/at/${account}`, 'Your shop window')}. Prices in ${cur}; files can be fetched ${fetchLimit} times.
    </p>
    ${table(['Shelf', 'Name', 'Wares'], shelves)}`
  return deskPage(request, label, body)
}

function sales(request: SignedIn): Reply {
  const list = listSales(request)
  const rows = list.rows.map((row) => {
    const sale = saleOut(request.db, row, curOf(request))
    const what = sale.lines.map(({ copies, label }) => `${copies} × ${label}`).join(', ')
    const price = priceWords(sale.total_cents, sale.cur)
    return [
      link(`/desk/sales/${sale.sale_no}`, sale.sale_no),
      sale.sold,
      sale.buyer_mail,
      what,
      price,
      sale.state,
      sale.parcel,
    ]
  })
  const body = html`<form>${input('Buyer', 'mail')} <button>Find</button></form>
    ${listing(request, '/desk/sales', ['Sale', 'UTC', 'Buyer', 'What', 'Total', 'State', 'Parcel'], list, rows)}`
  return deskPage(request, 'Sales', body)
}

function sale(request: SignedIn): Reply {
  const done = request.query.get('done')
  const it = saleFull({ ...request, query: new URLSearchParams() })
  const path = `/desk/sales/${it.sale_no}`
  const money = (cents: number): string => priceWords(cents, it.cur)
  const lines = it.lines.map(({ ware_no, label, copies, line_cents, fetches_left }) => [
    link(`/desk/wares/${ware_no}`, label),
    copies,
    money(line_cents),
    fetches_left,
  ])
  const body = html`${done !== null && html`<p class="card" role="status">Done: ${done}.</p>`}
    <p>
      ${it.sold} UTC · ${it.buyer_mail} ${it.buyer_barred && '(barred)'} · ${it.state} · ${it.paid_by} · ${it.voucher}
    </p>
    ${table(['Ware', 'Copies', 'Price', 'Fetches left'], lines)}
    <p>
      ${money(it.total_cents)}, of which ${money(it.returned_cents)} went back, ${money(it.processor_cut)} to the
      processor, ${money(it.house_cut)} to us: ${money(it.kept_cents)} are yours.
    </p>
    ${table(
      ['Asked', 'Said'],
      it.answers.map(({ asked, said }) => [asked, said]),
    )}
    ${it.remarks.map(({ words, put }) => html`<p class="card text" dir="auto">${words}<br /><small>${put}</small></p>`)}
    ${jsonForm('POST', `/my/sales/${it.sale_no}/remarks`, 'Keep this remark', area('Remark, for the shop only', 'words'))}
    ${postForm(request, `${path}/receipt`, 'Send the receipt again')}
    ${postForm(request, `${path}/refill`, 'Refill fetches')} ${postForm(request, `${path}/bar`, 'Bar this buyer')}`
  return deskPage(request, it.sale_no, body)
}

/** Back to the sale, with what was done to it in the address. */
function doneTo({ params }: SignedIn, done: Record<string, string>): Reply {
  return seeOther(`${root}/desk/sales/${params['sale']}?${new URLSearchParams(done).toString()}`)
}

function bar(request: SignedIn): Reply {
  barBuyer(request)
  return doneTo(request, { done: 'barred' })
}

function wares(request: SignedIn): Reply {
  const cur = curOf(request)
  const rows = listWares(request).map((row) => [
    link(`/desk/wares/${wareFull(request, row).ware_no}`, text(row, 'label')),
    text(row, 'sort'),
    priceWords(number(row, 'price'), cur),
    text(row, 'shown'),
  ])
  const fields = html`${input('Label', 'label')} ${area('Pitch', 'pitch')} ${input('Price in cents', 'price_cents')}
  ${select('Shown', 'shown', showings)} ${input('Address of the file', 'file_from')}`
  const body = html`${postForm(request, '/desk/wares', 'Add this file', fields)}
  ${table(['Ware', 'Sort', 'Price', 'Shown'], rows)}`
  return deskPage(request, 'Wares', body)
}

function ware(request: SignedIn): Reply {
  const it = wareFull(request, ownRow(request, 'wares', request.params['ware']))
  const fields = html`${input('Label', 'label', it.label)} ${area('Pitch', 'pitch', it.pitch)}
  ${input('Price in cents', 'price_cents', it.price_cents, 'number')} ${select('Shown', 'shown', showings, it.shown)}`
  const body = html`${request.query.has('done') && html`<p class="card" role="status">Added.</p>`}
    <p>${it.ware_no} · ${it.sort} · ${it.shelf_no} · ${it.file?.name} · <a href="${it.link}">${it.link}</a></p>
    ${jsonForm('PATCH', `/my/wares/${it.ware_no}`, 'Change', fields)}`
  return deskPage(request, it.label, body)
}

function members(request: SignedIn): Reply {
  const list = listMembers(request)
  const rows = list.rows.map((row) => {
    const it = memberOut(row, request.now)
    const end = it.state === 'running' && postForm(request, `/desk/members/${it.member_no}/end`, 'End')
    return [it.member_no, it.member_mail, it.ware_label, it.plan_label, it.state, it.began, end]
  })
  const heads = ['No.', 'Who', 'Club', 'Plan', 'State', 'Began', '']
  return deskPage(request, 'Members', listing(request, '/desk/members', heads, list, rows))
}

function end(request: SignedIn): Reply {
  endMember({ ...request, json: {} })
  return seeOther(`${root}/desk/members`)
}

const offWords = ({ off }: VoucherOut): string => ('bp' in off ? `${off.bp / 100} %` : `${off.cents} cents`)

function vouchers(request: SignedIn): Reply {
  const rows = listVouchers(request).map((it) => [
    it.code,
    offWords(it),
    it.ware?.label ?? it.shelf?.label ?? it.covers,
    `${it.used} of ${it.use_limit ?? 'any number'}`,
    it.until,
  ])
  const fields = html`${input('Code', 'code')} ${input('Off, in hundredths of a percent', 'bp', '', 'number', 'off')}
  ${input('or in cents', 'cents', '', 'number', 'off')} ${select('Covers', 'covers', coverings)}
  ${input('Ware (W-…)', 'ware_no')} ${input('Shelf (F-…)', 'shelf_no')} ${input('Uses', 'use_limit', '', 'number')}
  ${input('Last day (20261231)', 'until')}`
  const body = html`${jsonForm('POST', '/my/vouchers', 'Make this voucher', fields)}
  ${table(['Code', 'Off', 'Covers', 'Used', 'Until'], rows)}`
  return deskPage(request, 'Vouchers', body)
}

/** The last 30 days, unless days are given. */
function figuresPage(request: SignedIn): Reply {
  const { now, query } = request
  const asked = new URLSearchParams({
    first: query.get('first') ?? dayOut(now - 29 * day),
    last: query.get('last') ?? dayOut(now),
  })
  const { first, last, cur, days, by_ware } = figures({ ...request, query: asked })
  const body = html`<form>
      ${input('First day', 'first', first)} ${input('Last day', 'last', last)}<button>Show</button>
    </form>
    ${table(
      ['Ware', 'Sold for'],
      by_ware.map(({ label, cents }) => [label, priceWords(cents, cur)]),
    )}
    ${table(
      ['Day (UTC)', 'Looks', 'Sold for'],
      days.map(({ on, looks, cents }) => [on, looks, priceWords(cents, cur)]),
    )}`
  return deskPage(request, 'Figures', body)
}

function letters(request: SignedIn): Reply {
  const list = listLetters(request)
  const rows = list.rows.map((row) => {
    const { sent, recipient, subject, words } = letterOut(row)
    return [sent, recipient, subject, html`<div class="text">${words}</div>`]
  })
  return deskPage(request, 'Letters', listing(request, '/desk/letters', ['UTC', 'To', 'Subject', 'Words'], list, rows))
}

const barred = (request: SignedIn): Reply =>
  deskPage(
    request,
    'Barred',
    table(
      ['Buyer', 'Since (UTC)', 'Sale'],
      listBarred(request).map(({ buyer_mail, since, sale_no }) => [
        buyer_mail,
        since,
        link(`/desk/sales/${sale_no}`, sale_no),
      ]),
    ),
  )

export const deskPages: readonly Route[] = [
  show('GET /desk', home),
  show('GET /desk/sales', sales),
  show('GET /desk/sales/{sale}', sale),
  submit('POST /desk/sales/{sale}/receipt', (request) =>
    doneTo(request, { done: 'receipt', ...resendReceipt(request) }),
  ),
  submit('POST /desk/sales/{sale}/refill', (request) =>
    doneTo(request, { done: 'refilled', fetches: String(refill(request)) }),
  ),
  submit('POST /desk/sales/{sale}/bar', bar),
  show('GET /desk/wares', wares),
  submit('POST /desk/wares', (request) => seeOther(`${root}/desk/wares/${addWare(request)}?done=added`)),
  show('GET /desk/wares/{ware}', ware),
  show('GET /desk/members', members),
  submit('POST /desk/members/{member}/end', end),
  show('GET /desk/vouchers', vouchers),
  show('GET /desk/figures', figuresPage),
  show('GET /desk/letters', letters),
  show('GET /desk/barred', barred),
]
