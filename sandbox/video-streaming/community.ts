import { all, count, number, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { needText, readMoment, readObject } from './input.ts'
import { readPage, type Page } from './paging.ts'
import { idOf, insertAll, needAdmin, nextSerial, ownRow } from './tables.ts'
import { postOut, type PostOut } from './wire.ts'

/** Editors see open rooms only. */
const sees = ({ viewer }: SignedIn, room: Row): boolean =>
  viewer.account.kind === 'admin' || text(room, 'open_to') === 'everyone'

/** In the order of their handles. */
export const listRooms = (request: SignedIn) =>
  all(request.db, 'SELECT * FROM rooms WHERE account = ? ORDER BY handle', request.viewer.account.account)
    .filter((room) => sees(request, room))
    .map((room) => ({
      room: idOf('rooms', number(room, 'serial')),
      handle: text(room, 'handle'),
      'open-to': text(room, 'open_to'),
      'post-count': count(request.db, 'posts WHERE room = ?', number(room, 'serial')),
    }))

export function ownRoom(request: SignedIn): Row {
  const room = ownRow(request, 'rooms', request.params['room'])
  if (!sees(request, room)) throw new Refusal(404, 'ROOM_NOT_FOUND', 'Your studio has no such room.')
  return room
}

/** Newest first, those to come included. */
export function listPosts(request: SignedIn): Page<PostOut> {
  const room = number(ownRoom(request), 'serial')
  return readPage(request, `posts ${room}`, [], () => ({ from: 'posts WHERE room = ?1', values: [room] }), postOut)
}

/** As the person who is signed in, now or later. */
export function createPost(request: SignedIn): Row {
  needAdmin(request)
  const { db, json, now, params, viewer } = request
  const room = ownRoom(request)
  const body = readObject(json, ['words', 'goes-out'])
  const words = needText(body, 'words', 5000)
  const goesOut = readMoment(body, 'goes-out', now) ?? now
  const { account, person } = viewer.account
  const serial = nextSerial(request)
  const post = { serial, account, room: number(room, 'serial'), author: person, words, goes_out: goesOut, added: now }
  insertAll(db, 'posts', [post])
  const at = body['goes-out'] ?? 'now'
  request.effect('post.create', {
    post: idOf('posts', serial),
    room: params['room'],
    by: person,
    words,
    'goes-out': at,
  })
  return post
}
