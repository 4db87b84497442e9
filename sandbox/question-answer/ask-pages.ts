import { html, type Html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { open, show, submit } from '../platform/routes.ts'
import { table } from '../platform/shell.ts'
import type { AppRequest, Reply as Answer, Route, SignedIn, Viewer } from '../platform/types.ts'
import { ask, askPath, findAsks, ownAsk, publicAsk } from './asks.ts'
import { readNo } from './circle.ts'
import { readForm } from './input.ts'
import { brand, layout, root, seal } from './layout.ts'
import { rendered } from './markdown.ts'
import { dateOf, done, linkTo, nameOf, onward, thumbForm } from './page-parts.ts'
import { readFind, readSpan } from './parameters.ts'
import { bestReplies, findReply, postReply, replyPath, type Reply } from './replies.ts'
import { listRooms } from './rooms.ts'
import { thumb } from './thumbs.ts'

function home({ viewer }: AppRequest): Answer {
  const body = html`<h1>Ask. Somebody in your circle knows.</h1>
    <p>Anybody may read a question whose address they were given. ${linkTo('/asks', 'Members find and ask here.')}</p>`
  return page(layout({ title: brand, body, viewer }))
}

function askForm(request: SignedIn): Html {
  return html`<form class="card" method="post" action="${root}/ask">
    <h2>Ask</h2>
    ${seal(request.viewer)}<label>Your question <input name="wording" size="60" required dir="auto" /></label>
    <label
      >Where
      <select name="room">
        <option value="">Everywhere</option>
        ${listRooms(request, true).map(({ no, called }) => html`<option value="${no}">${called}</option>`)}
      </select></label
    ><button>Ask</button>
  </form>`
}

function askList(request: SignedIn): Answer {
  const { query, viewer } = request
  const find = readFind(query)
  const span = readSpan(request)
  const { rows, total } = findAsks(request, find, span)
  const lines = rows.map((one) => [
    linkTo(askPath(one.key), one.wording),
    one.replies,
    nameOf(one.writer),
    dateOf(one.liveAt),
  ])
  const body = html`<h1>Questions</h1>
    <form><input name="find" value="${find}" aria-label="Words" dir="auto" /> <button>Find</button></form>
    ${table(['Question', 'Replies', 'Asked by', 'When (UTC)'], lines)} ${onward(request, '/asks', span, total)}
    ${askForm(request)}`
  return page(layout({ title: 'Questions', body, viewer }))
}

function replyCard(viewer: Viewer | undefined, key: string, reply: Reply): Html {
  const { no, writer, thumbs, text, own, liveAt } = reply
  return html`<article class="card" id="reply-${no}" dir="auto">
    <p class="small">${nameOf(writer)}, ${linkTo(replyPath(key, no), dateOf(liveAt))} UTC, ${thumbs} thumbs</p>
    ${rendered(text)} ${viewer && !own && thumbForm(viewer, 'reply', no)}
  </article>`
}

/** For anybody; members of the circle can reply and give thumbs. */
function askPage({ db, params, query, viewer }: AppRequest): Answer {
  const one = publicAsk(db, params['key'] ?? '')
  const member = viewer?.account.account === one.account ? viewer : undefined
  const body = html`${done(query)}
    <h1 dir="auto">${one.wording}</h1>
    <p class="small">Asked by ${nameOf(one.writer)}, ${dateOf(one.liveAt)} UTC, ${one.replies} replies</p>
    ${
      member &&
      html`<form class="card" method="post" action="${root}${askPath(one.key)}/replies">
        ${seal(member)}<label>Your reply (Markdown) <textarea name="text" required dir="auto"></textarea></label>
        <button>Reply for everybody to read</button>
      </form>`
    }
    ${bestReplies(db, one.no, 100).map((reply) => replyCard(member, one.key, reply))}`
  return page(layout({ title: one.wording, body, viewer }))
}

function replyPage({ db, params, query, viewer }: AppRequest): Answer {
  const one = publicAsk(db, params['key'] ?? '')
  const reply = findReply(db, readNo(params['reply'] ?? '') ?? 0, one.key)
  const member = viewer?.account.account === one.account ? viewer : undefined
  const body = html`${done(query)}
    <h1>${linkTo(askPath(one.key), one.wording)}</h1>
    ${replyCard(member, one.key, reply)}`
  return page(layout({ title: one.wording, body, viewer }))
}

/** To a page of the app, with what was done in its address. */
const doneAt = (path: string, what: Record<string, string | number>): Answer =>
  seeOther(`${root}${path}?${new URLSearchParams(Object.entries(what).map(([name, value]) => [name, String(value)]))}`)

function submitAsk(request: SignedIn): Answer {
  const { path, ...asked } = ask(request, readForm(request, ['wording', 'room']))
  const word = asked.standing === 'live' ? { done: 'asked', ask: asked.no } : { done: 'held', entry: asked.entry }
  return doneAt(path, { ...word, standing: asked.standing, at: request.now })
}

function submitReply(request: SignedIn): Answer {
  const one = ownAsk(request)
  const { no, liveAt } = postReply(request, one, readForm(request, ['text']))
  return doneAt(replyPath(one.key, no), { done: 'replied', reply: no, standing: 'live', at: liveAt })
}

function submitThumb(request: SignedIn): Answer {
  const fields = readForm(request, ['on', 'no', 'give'])
  return doneAt(thumb(request, fields), { done: fields['give'] === 'yes' ? 'thumb-given' : 'thumb-taken' })
}

export const askPages: readonly Route[] = [
  open('GET /', home),
  show('GET /asks', askList),
  submit('POST /ask', submitAsk),
  open('GET /q/{key}', askPage),
  submit('POST /q/{key}/replies', submitReply),
  open('GET /q/{key}/replies/{reply}', replyPage),
  submit('POST /thumbs', submitThumb),
]
