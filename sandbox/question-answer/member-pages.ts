import { html } from '../platform/html.ts'
import { page } from '../platform/replies.ts'
import { show } from '../platform/routes.ts'
import { table } from '../platform/shell.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { askPath } from './asks.ts'
import { listBells } from './bells.ts'
import { listHandedIn } from './entries.ts'
import { layout } from './layout.ts'
import { listNudges } from './nudges.ts'
import { dateOf, linkTo, nameOf, onward } from './page-parts.ts'
import { readSpan } from './parameters.ts'
import { listMine, replyPath } from './replies.ts'
import { roomPath } from './rooms.ts'

function mine(request: SignedIn): Reply {
  const span = readSpan(request)
  const replies = listMine(request, span)
  const nudges = listNudges(request, span)
  const written = replies.rows.map(({ key, no, wording, thumbs, liveAt }) => [
    linkTo(replyPath(key, no), wording),
    thumbs,
    dateOf(liveAt),
  ])
  const wanted = nudges.rows.map(({ key, wording, sender, sent }) => [
    linkTo(askPath(key), wording),
    nameOf(sender),
    dateOf(sent),
  ])
  const handedIn = listHandedIn(request).map(({ room, headline, stage, handedIn: at }) => [
    linkTo(roomPath(room), headline),
    stage,
    dateOf(at),
  ])
  const body = html`<h1>Mine</h1>
    <h2>People would like my reply</h2>
    ${table(['Question', 'Who', 'When (UTC)'], wanted)}
    <h2>My replies</h2>
    ${table(['Question', 'Thumbs', 'When (UTC)'], written)}
    ${onward(request, '/mine', span, Math.max(replies.total, nudges.total))}
    <h2>Handed in to rooms</h2>
    ${table(['Question', 'Stage', 'When (UTC)'], handedIn)}`
  return page(layout({ title: 'Mine', body, viewer: request.viewer }))
}

function bells(request: SignedIn): Reply {
  const span = readSpan(request)
  const { rows, total } = listBells(request, span)
  const lines = rows.map(({ recipient, words, path, sent }) => [recipient, linkTo(path, words), dateOf(sent)])
  const body = html`<h1>Bells</h1>
    <p>Whom we have told about what you did.</p>
    ${table(['Who', 'What', 'When (UTC)'], lines)} ${onward(request, '/bells', span, total)}`
  return page(layout({ title: 'Bells', body, viewer: request.viewer }))
}

export const memberPages: readonly Route[] = [show('GET /mine', mine), show('GET /bells', bells)]
