import { json } from '../platform/replies.ts'
import { data, free } from '../platform/routes.ts'
import type { Reply, Route, SignedIn } from '../platform/types.ts'
import { findAsks, ownAsk } from './asks.ts'
import { listBells } from './bells.ts'
import { settle } from './desk.ts'
import { listDesk, listHandedIn, stages } from './entries.ts'
import { readBody } from './input.ts'
import { listNudges } from './nudges.ts'
import { known, readChoice, readFind, readSpan, readWhole, spanNames, type Span } from './parameters.ts'
import { bestReplies, listMine } from './replies.ts'
import { dayNumber, figuresSince, listRooms, mustBeStaff, ownRoom, type Room } from './rooms.ts'
import { bestOf, listShelf, postTo } from './shelf.ts'
import { askOut, bellOut, bestOut, entryOut, figuresOut, nudgeOut, postOut, ref, replyOut, roomOut } from './wire.ts'

function self({ viewer }: SignedIn): Reply {
  const { account, ordinal, person, label, kind } = viewer.account
  return json({
    self: { ref: ref('member', ordinal), handle: account, shown_as: person, circle: label, sort: kind },
    seal: viewer.csrf,
  })
}

/** A list of which a span is read; `names` are its own parameters. */
function spanned<T>(
  request: SignedIn,
  names: readonly string[],
  list: (span: Span) => { rows: T[]; total: number },
  out: (item: T) => unknown,
): Reply {
  known(request.query, ...spanNames, ...names)
  const span = readSpan(request)
  const { rows, total } = list(span)
  return json({ rows: rows.map(out), start: span.start, count: span.count, total, until: span.until })
}

const asks = (request: SignedIn): Reply =>
  spanned(request, ['find'], (span) => findAsks(request, readFind(request.query), span), askOut)

function oneAsk(request: SignedIn): Reply {
  const { db, query } = request
  known(query, 'best')
  const size = readWhole(query, 'best', 3, 0, 30)
  const ask = ownAsk(request)
  return json({ ask: askOut(ask), best: bestReplies(db, ask.no, size).map(bestOut) })
}

const roomOf = (request: SignedIn): Room => ownRoom(request, request.params['room'] ?? '')

function rooms(request: SignedIn): Reply {
  known(request.query, 'mine')
  return json({ rows: listRooms(request, readChoice(request.query, 'mine', ['yes', 'no']) === 'yes').map(roomOut) })
}

function figures(request: SignedIn): Reply {
  const { db, query, now } = request
  known(query)
  const room = roomOf(request)
  mustBeStaff(room)
  const { no } = room
  return json(figuresOut(no, figuresSince(db, no, 0), figuresSince(db, no, dayNumber(now) - 6), bestOf(db, no)))
}

function desk(request: SignedIn): Reply {
  const { db, query } = request
  known(query, 'stage')
  const room = roomOf(request)
  mustBeStaff(room)
  const entries = listDesk(db, room.no, readChoice(query, 'stage', [...stages, 'any']))
  return json({ room: { ref: ref('room', room.no) }, takes_entries: room.takes, rows: entries.map(entryOut) })
}

function shelf(request: SignedIn): Reply {
  const room = roomOf(request)
  const list = (span: Span) => listShelf(request, room, readChoice(request.query, 'standing', ['live', 'queued']), span)
  return spanned(request, ['standing'], list, (post) => postOut(post, request.now))
}

function handedIn(request: SignedIn): Reply {
  known(request.query)
  return json({ rows: listHandedIn(request).map(entryOut) })
}

const newPost = (request: SignedIn): Reply =>
  json(
    { post: postOut(postTo(request, roomOf(request), readBody(request, ['headline', 'text', 'timing'])), request.now) },
    201,
  )

export const apiRoutes: readonly Route[] = [
  free('GET /api/self', self),
  data('GET /api/asks', asks),
  data('GET /api/asks/{key}', oneAsk),
  data('GET /api/my/replies', (request) => spanned(request, [], (span) => listMine(request, span), replyOut)),
  data('GET /api/my/nudges', (request) => spanned(request, [], (span) => listNudges(request, span), nudgeOut)),
  data('GET /api/my/bells', (request) => spanned(request, [], (span) => listBells(request, span), bellOut)),
  data('GET /api/my/entries', handedIn),
  data('GET /api/rooms', rooms),
  data('GET /api/rooms/{room}/figures', figures),
  data('GET /api/rooms/{room}/desk', desk),
  data('GET /api/rooms/{room}/shelf', shelf),
  data('POST /api/rooms/{room}/shelf', newPost),
  data('POST /api/desk/{entry}/verdict', (request) =>
    json({ entry: entryOut(settle(request, readBody(request, ['verdict']))) }),
  ),
]
