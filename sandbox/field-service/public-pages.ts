import { html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { open } from '../platform/routes.ts'
import type { AppRequest, Reply, Route } from '../platform/types.ts'
import { mailedBill, seeBill } from './bills.ts'
import { dayIn, dayText } from './clock.ts'
import { firmOf } from './firm.ts'
import { layout, paths, root } from './layout.ts'
import { decimal } from './numbers.ts'

function home({ viewer }: AppRequest): Reply {
  const body = html`<h1>Jobs, estimates and bills for trades on the road</h1>
    <p><a href="${root}${paths.signIn}">Sign in</a></p>`
  return page(layout({ title: 'Dispato', body, viewer }))
}

/** What a client sees who follows the link in the mail: the cover first, as mail programs open links too. */
function bill(request: AppRequest): Reply {
  const found = mailedBill(request)
  const { zone, currency } = firmOf(request.db, found.account)
  const body = html`<h1>Bill ${found.id}</h1>
    ${
      found.seen === undefined
        ? html`<form method="post"><button>Show my bill</button></form>`
        : html`<p>
            ${decimal(found.total)} ${currency}, ${decimal(found.received)} received. Made on
            ${dayText(dayIn(found.made, zone))}.
          </p>`
    }`
  return page(layout({ title: `Bill ${found.id}`, body, viewer: undefined }))
}

function see(request: AppRequest): Reply {
  return seeOther(`${root}/b/${seeBill(request).link}`)
}

export const publicPages: readonly Route[] = [
  open('GET /', home),
  open('GET /b/{link}', bill),
  open('POST /b/{link}', see),
]
