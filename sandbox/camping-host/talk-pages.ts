import { html } from '../platform/html.ts'
import { seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import { table } from '../platform/shell.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { listChats, notesOf, ownChat, reply, shelves } from './chats.ts'
import { clockIn } from './clock.ts'
import { ownHost } from './host.ts'
import { formFields, queryChoice } from './input.ts'
import { form, pageOf, root, words } from './look.ts'
import { listMails } from './mails.ts'
import { answerReview, listReviews, ownReview } from './reviews.ts'

function chats(request: SignedIn): Reply {
  const { zone } = ownHost(request)
  const rows = listChats(request, queryChoice(request.query, 'show', shelves), undefined).map((chat) => [
    clockIn(zone, chat.at),
    html`<a class="${chat.fresh ? 'fresh' : 'read'}" href="${root}/host/chats/C${chat.serial}">${chat.first}</a>`,
    chat.state ?? 'question',
    html`<span class="text">${chat.words}</span>`,
  ])
  const links = shelves.map((one) => html`<a href="${root}/host/chats?show=${one}">${one}</a> `)
  return pageOf(
    request,
    'Chats',
    html`<p>${links}</p>
      ${table(['Last', 'Camper', 'About', 'Words'], rows)}`,
  )
}

function chat(request: SignedIn): Reply {
  const { db, viewer } = request
  const { zone } = ownHost(request)
  const own = ownChat(request)
  const notes = notesOf(db, own.serial).map(
    ({ serial, byHost, words: said, at }) =>
      html`<div class="card" id="N${serial}">
        <span class="small">${byHost ? 'You' : own.first}, ${clockIn(zone, at)}</span>
        <p class="text" dir="auto">${said}</p>
      </div>`,
  )
  const body = html`${own.stay !== null && html`<p><a href="${root}/host/stays/S${own.stay}">The stay</a></p>`} ${notes}
  ${form(viewer, `/host/chats/C${own.serial}/reply`, 'Send', words())}`
  return pageOf(request, own.first, body)
}

function submitReply(request: SignedIn): Reply {
  const own = ownChat(request)
  const note = reply(request, own, formFields(request.form, 'words'))
  return seeOther(`${root}/host/chats/C${own.serial}?sent=N${note}&at=${request.now}`)
}

function reviews(request: SignedIn): Reply {
  const { zone } = ownHost(request)
  const rows = listReviews(request, 0, 0, 'ANY').map((review) => [
    clockIn(zone, review.at),
    html`<a href="${root}/host/reviews/R${review.serial}">${review.first}</a>`,
    review.up ? 'recommends it' : 'does not',
    html`<span class="text">${review.words}</span>`,
    review.reply,
  ])
  return pageOf(request, 'Reviews', table(['When', 'Camper', '', 'Words', 'Your reply'], rows))
}

function review(request: SignedIn): Reply {
  const { query, viewer } = request
  const own = ownReview(request)
  const way = html`<label
    >Who reads it
    <select name="way">
      ${own.reply === null && html`<option value="public">everybody</option>`}
      <option value="private">the camper only</option>
    </select></label
  >`
  const body = html`${query.has('way') && html`<p class="card" role="status">Answered: ${query.get('way')}.</p>`}
    <p dir="auto">${own.landTitle}</p>
    <p class="card text" dir="auto">${own.words}</p>
    ${own.reply !== null && html`<p class="card text" dir="auto">${own.reply}</p>`}
    ${form(viewer, `/host/reviews/R${own.serial}/reply`, 'Answer', [words(), way])}`
  return pageOf(request, own.first, body)
}

function submitAnswer(request: SignedIn): Reply {
  const { review: own, way, chat: into } = answerReview(request, formFields(request.form, 'words', 'way'))
  const where = into === undefined ? '' : `&chat=C${into}`
  return seeOther(`${root}/host/reviews/R${own.serial}?way=${way}&at=${request.now}${where}`)
}

function sent(request: SignedIn): Reply {
  const { zone } = ownHost(request)
  const rows = listMails(request.db, request.viewer.account.account).map(({ at, recipient, subject, words: said }) => [
    clockIn(zone, at),
    recipient,
    html`<b>${subject}</b><br /><span class="text">${said}</span>`,
  ])
  return pageOf(request, 'Sent', table(['When', 'To', 'What'], rows))
}

export const talkPages: readonly Route[] = [
  show('GET /host/chats', chats),
  show('GET /host/chats/{chat}', chat),
  submit('POST /host/chats/{chat}/reply', submitReply),
  show('GET /host/reviews', reviews),
  show('GET /host/reviews/{review}', review),
  submit('POST /host/reviews/{review}/reply', submitAnswer),
  show('GET /host/sent', sent),
]
