import { html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import { table, token } from '../platform/shell.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { addCard, listCards } from './cards.ts'
import { clockIn } from './clock.ts'
import { listLetters } from './letters.ts'
import { layout, look, moreLink, root } from './look.ts'
import { pageOf, readFind } from './paging.ts'

function addressBook(request: SignedIn): Reply {
  const { query, viewer } = request
  const find = readFind(query)
  const { rows, moreToken } = pageOf(request, `cards ${find}`, (wish) => listCards(request, find, wish))
  const lines = rows.map((card) => [card.fullName, card.mail, card.phones.join(', ')])
  const body = html`<h1>Address book</h1>
    <form><input name="find" value="${find}" aria-label="Find" dir="auto" /> <button>Find</button></form>
    ${table(['Name', 'E-mail', 'Phone'], lines)} ${moreLink('/address-book', query, moreToken)}
    <form class="card" method="post" action="${root}/address-book">
      ${token(look, viewer)}<label>Name <input name="fullName" required maxlength="120" dir="auto" /></label>
      <label>E-mail <input type="email" name="mail" /></label> <label>Phone <input name="phone" /></label>
      <button>Add</button>
    </form>`
  return page(layout({ title: 'Address book', body, viewer }))
}

const submitCard = (request: SignedIn): Reply =>
  seeOther(`${root}/address-book?done=added&cardNo=${addCard(request).serial}`)

function outbox(request: SignedIn): Reply {
  const { query, viewer, now } = request
  const { rows, moreToken } = pageOf(request, 'letters', (wish) => listLetters(request, undefined, wish))
  const lines = rows.map((letter) => [
    `${clockIn('UTC', letter.goes)} UTC${letter.goes > now * 1000 ? ' (waiting)' : ''}`,
    letter.recipient,
    html`<b>${letter.subject}</b><br /><span class="text">${letter.words}</span>`,
  ])
  const body = html`<h1>Outbox</h1>
    ${table(['When', 'To', 'What'], lines)} ${moreLink('/outbox', query, moreToken)}`
  return page(layout({ title: 'Outbox', body, viewer }))
}

export const deskPages: readonly Route[] = [
  show('GET /address-book', addressBook),
  submit('POST /address-book', submitCard),
  show('GET /outbox', outbox),
]
