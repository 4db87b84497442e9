import { html, type Html } from '../platform/html.ts'
import { page, seeOther } from '../platform/replies.ts'
import { show, submit } from '../platform/routes.ts'
import { table } from '../platform/shell.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { settle, verdicts } from './desk.ts'
import { listDesk } from './entries.ts'
import { readForm } from './input.ts'
import { layout, root, seal } from './layout.ts'
import { rendered } from './markdown.ts'
import { dateOf, done, linkTo, nameOf, onward, thumbForm } from './page-parts.ts'
import { readSpan } from './parameters.ts'
import { dayNumber, figuresSince, isStaff, listRooms, mayPost, ownRoom, roomPath, type Room } from './rooms.ts'
import { listShelf, postTo, queueLength } from './shelf.ts'

function roomList(request: SignedIn): Reply {
  const lines = [true, false].flatMap((mine) =>
    listRooms(request, mine).map((room) => [linkTo(roomPath(room.no), room.called), room.mine ?? '', room.blurb]),
  )
  const body = html`<h1>Rooms</h1>
    ${table(['Room', 'You are', 'About'], lines)}`
  return page(layout({ title: 'Rooms', body, viewer: request.viewer }))
}

const postForm = ({ viewer }: SignedIn, { no }: Room): Html =>
  html`<form class="card" method="post" action="${root}${roomPath(no)}/shelf">
    <h2>Post</h2>
    ${seal(viewer)}<label>Headline <input name="headline" size="60" dir="auto" /></label>
    <label>Text (Markdown) <textarea name="text" required dir="auto"></textarea></label>
    <button name="timing" value="now">Post now</button> <button name="timing" value="queue">Queue</button>
  </form>`

/** Figures and what waits at the desk. */
function staffPart({ db, viewer, now }: SignedIn, { no }: Room): Html {
  const columns = [figuresSince(db, no, 0), figuresSince(db, no, dayNumber(now) - 6)]
  const figures = columns.map((one, at) => [at === 0 ? 'Ever' : 'Last 7 days', ...Object.values(one)])
  const waiting = listDesk(db, no, 'waiting').map(
    (entry) =>
      html`<article class="card" id="entry-${entry.no}" dir="auto">
        <b>${entry.headline}</b>
        <p class="small">${entry.kind} by ${nameOf(entry.writer)}, ${dateOf(entry.handedIn)} UTC</p>
        ${rendered(entry.text)}
        <form method="post" action="${root}/desk/${entry.no}">
          ${seal(viewer)}
          ${verdicts.map((verdict) => html`<button name="verdict" value="${verdict}">${verdict}</button> `)}
        </form>
      </article>`,
  )
  return html`<h2>Figures</h2>
    ${table(['', 'Seen', 'Follows', 'Thumbs', 'Remarks', 'Bell taps'], figures)}
    <h2>Desk (${waiting.length} waiting, ${queueLength(db, no)} in the queue)</h2>
    ${waiting}`
}

function roomPage(request: SignedIn): Reply {
  const { viewer, query } = request
  const room = ownRoom(request, request.params['room'] ?? '')
  const span = readSpan(request)
  const { rows, total } = listShelf(request, room, 'live', span)
  const posts = rows.map(
    (post) =>
      html`<article class="card" dir="auto">
        <b>${post.headline}</b>
        <p class="small">
          ${nameOf(post.writer)}, ${dateOf(post.liveAt)} UTC, ${post.seen} seen, ${post.thumbs} thumbs
        </p>
        ${rendered(post.text)} ${!post.own && thumbForm(viewer, 'post', post.no)}
      </article>`,
  )
  const body = html`${done(query)}
    <h1 dir="auto">${room.called}</h1>
    <p dir="auto">${room.blurb}</p>
    ${mayPost(room) && postForm(request, room)} ${isStaff(room) && staffPart(request, room)}
    <h2>Posts</h2>
    ${posts} ${onward(request, roomPath(room.no), span, total)}`
  return page(layout({ title: room.called, body, viewer }))
}

function submitPost(request: SignedIn): Reply {
  const room = ownRoom(request, request.params['room'] ?? '')
  const { no } = postTo(request, room, readForm(request, ['headline', 'text', 'timing']))
  return seeOther(`${root}${roomPath(room.no)}?done=posted&post=${no}`)
}

function submitVerdict(request: SignedIn): Reply {
  const { room, stage, no } = settle(request, readForm(request, ['verdict']))
  return seeOther(`${root}${roomPath(room)}?done=${stage}&entry=${no}`)
}

export const roomPages: readonly Route[] = [
  show('GET /rooms', roomList),
  show('GET /rooms/{room}', roomPage),
  submit('POST /rooms/{room}/shelf', submitPost),
  submit('POST /desk/{entry}', submitVerdict),
]
