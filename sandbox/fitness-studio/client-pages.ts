import { html, type Html } from '../platform/html.ts'
import { page } from '../platform/replies.ts'
import { show } from '../platform/routes.ts'
import { table } from '../platform/shell.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { listClients, ownClient, type Listed } from './clients.ts'
import { usDay } from './clock.ts'
import { form, layout, root, told } from './layout.ts'
import { listOffers } from './offers.ts'
import { passesOf, standings, type Pass } from './passes.ts'
import { visitsOf } from './slots.ts'

const clientPath = '/staff/desk/clients'

function onward({ page: at, last, stamp }: Listed, query: URLSearchParams): Html | false {
  if (at >= last) return false
  const next = new URLSearchParams(query)
  next.set('Page', String(at + 1))
  next.set('Stamp', stamp)
  return html`<p><a href="${root}${clientPath}?${next.toString()}">Next page</a></p>`
}

const newClient = html`<label>Name <input name="Full" maxlength="120" required dir="auto" /></label>
  <label>E-mail <input name="Mail" type="email" /></label> <label>Telephone <input name="Tel" maxlength="40" /></label>`

function clients(request: SignedIn): Reply {
  const { viewer, query } = request
  const standing = query.get('Standing')
  if (standing === '') query.delete('Standing')
  const listed = listClients(request)
  const rows = listed.rows.map(({ client, passes }) => [
    html`<a href="${root}${clientPath}/C${client.serial}">${client.full}</a>`,
    client.mail,
    passes.map(({ label, st }) => html`<div>${label}: ${st}</div>`),
  ])
  const body = html`<h1>Clients</h1>
    <form>
      <label>Name or e-mail <input name="Find" value="${query.get('Find') ?? ''}" dir="auto" /></label>
      <label
        >A pass that is
        <select name="Standing">
          <option value="">anything</option>
          ${standings.map((one) => html`<option>${one}</option>`)}
        </select></label
      >
      <button>Find</button>
    </form>
    <p class="small">${listed.of} clients, page ${listed.page} of ${listed.last}</p>
    ${table(['Client', 'E-mail', 'Passes'], rows)} ${onward(listed, query)}
    <div class="card">${form(viewer, clientPath, 'Add a client', newClient)}</div>`
  return page(layout({ title: 'Clients', body, viewer }))
}

const when = html`<label
  ><select name="When">
    <option value="NOW">now</option>
    <option value="RENEWAL">at the next bill</option>
  </select></label
>`
const lastDay = html`<label>On <input name="On" placeholder="12/31/2026" /></label>`

/** The changes that this pass allows. */
function changes({ viewer, db }: SignedIn, { serial, client, st, auto }: Pass): Html | false {
  const path = `${clientPath}/C${client}/passes/P${serial}`
  if (viewer.account.kind !== 'admin' || st === 'ENDED' || st === 'USED') return false
  const into = html`<label
    ><select name="Offer">
      ${listOffers(db, viewer.account.account)
        .filter((offer) => offer.auto)
        .map((offer) => html`<option value="O${offer.serial}">${offer.label}</option>`)}
    </select></label
  >`
  return html`${st === 'OK' && auto && form(viewer, `${path}/swap`, 'Swap', html`${into}${when}`)}
  ${st === 'OK' && form(viewer, `${path}/hold`, 'Put on hold')} ${form(viewer, `${path}/end`, 'End', lastDay)}`
}

function client(request: SignedIn): Reply {
  const { viewer, query } = request
  const own = ownClient(request, request.params['cid'])
  const passes = passesOf(request, own.serial).map((pass) => [
    `P${pass.serial}`,
    pass.label,
    `${pass.st}${pass.turn === undefined ? '' : ` ${usDay(pass.turn)}`}`,
    pass.renews === undefined ? '' : usDay(pass.renews),
    pass.left,
    changes(request, pass),
  ])
  const visits = visitsOf(request, own.serial).map(({ slot, title, day, st }) => [
    usDay(day),
    html`<a href="${root}/staff/desk/slots/S${slot}">${title}</a>`,
    st,
  ])
  const body = html`<h1 dir="auto">${own.full}</h1>
    ${told(query)}
    <p>C${own.serial} ${own.mail} ${own.tel}</p>
    <h2>Passes</h2>
    ${table(['', 'Pass', 'Standing', 'Next bill', 'Visits left', ''], passes)}
    <h2>Classes</h2>
    ${table(['Day', 'Class', ''], visits)}`
  return page(layout({ title: own.full, body, viewer }))
}

export const clientPages: readonly Route[] = [
  show('GET /staff/desk/clients', clients),
  show('GET /staff/desk/clients/{cid}', client),
]
