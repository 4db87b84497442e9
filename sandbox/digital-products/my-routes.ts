import { json } from '../platform/replies.ts'
import { data, free } from '../platform/routes.ts'
import type { Row } from '../platform/rows.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { figures, monthBooks } from './figures.ts'
import { letterOut, listLetters } from './letters.ts'
import { endMember, listMembers, memberOut } from './members.ts'
import { known, type Page } from './paging.ts'
import { addRemark, listBarred, listSales, remarkOut, saleFull, saleOut } from './sales.ts'
import { ownRow, shopOf } from './tables.ts'
import { createVoucher, listVouchers } from './vouchers.ts'
import { changeWare, listShelves, listWares, wareFull, wareOut } from './wares.ts'

const ok = (fields: Record<string, unknown>, status = 200): Reply => json({ ok: true, ...fields }, status)

function shop({ db, viewer }: SignedIn): Reply {
  const { account, label, person, kind } = viewer.account
  const { cur, fetchLimit } = shopOf(db, account)
  const who = { shop_no: account, shop_label: label, person, part: kind, cur, fetch_limit: fetchLimit }
  return ok({ shop: who, stamp: viewer.csrf })
}

const paged = (name: string, { rows, pageKey }: Page, out: (row: Row) => unknown): Reply =>
  ok({ [name]: rows.map(out), pageKey })

const curOf = ({ db, viewer }: SignedIn): string => shopOf(db, viewer.account.account).cur

function sales(request: SignedIn): Reply {
  const cur = curOf(request)
  return paged('sales', listSales(request), (row) => saleOut(request.db, row, cur))
}

function wares(request: SignedIn): Reply {
  const cur = curOf(request)
  return ok({ wares: listWares(request).map((row) => wareOut(row, request.base, cur)) })
}

function oneWare(request: SignedIn): Reply {
  known(request.query, [])
  return ok({ ware: wareFull(request, ownRow(request, 'wares', request.params['ware'])) })
}

export const myRoutes: readonly Route[] = [
  free('GET /my/shop', shop),
  free('GET /my/shelves', ({ db, viewer }) => ok({ shelves: listShelves(db, viewer.account.account) })),
  data('GET /my/sales', sales),
  data('GET /my/sales/{sale}', (request) => ok({ sale: saleFull(request) })),
  data('POST /my/sales/{sale}/remarks', (request) =>
    ok({ sale_no: request.params['sale'], remark: remarkOut(addRemark(request)) }, 201),
  ),
  data('GET /my/wares', wares),
  data('GET /my/wares/{ware}', oneWare),
  data('PATCH /my/wares/{ware}', (request) => ok({ ware: wareFull(request, changeWare(request)) })),
  data('GET /my/members', (request) => paged('members', listMembers(request), (row) => memberOut(row, request.now))),
  data('POST /my/members/{member}/end', (request) => ok({ member: endMember(request) })),
  data('GET /my/vouchers', (request) => ok({ vouchers: listVouchers(request) })),
  data('POST /my/vouchers', (request) => ok({ voucher: createVoucher(request) }, 201)),
  data('GET /my/figures', (request) => ok({ figures: figures(request) })),
  data('GET /my/books/{month}', (request) => ok({ books: monthBooks(request) })),
  data('GET /my/barred', (request) => ok({ barred: listBarred(request) })),
  data('GET /my/letters', (request) => paged('letters', listLetters(request), letterOut)),
]
