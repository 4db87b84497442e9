import { count, run } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { readNo } from './circle.ts'
import { readOption } from './input.ts'
import { ownReply, replyPath } from './replies.ts'
import { countThumb, roomPath } from './rooms.ts'
import { ownPost } from './shelf.ts'

interface Liked {
  table: 'replies' | 'posts'
  own: boolean
  room: number | undefined
  path: string
}

function findLiked(request: SignedIn, on: 'reply' | 'post', no: number): Liked {
  if (on === 'post') {
    const { own, room } = ownPost(request, no)
    return { table: 'posts', own, room, path: roomPath(room) }
  }
  const { own, room, key } = ownReply(request, no)
  return { table: 'replies', own, room, path: replyPath(key, no) }
}

/** Gives a thumb to what somebody else wrote, or takes it back; answers where it stands. */
export function thumb(request: SignedIn, fields: Record<string, string>): string {
  const { db, viewer, now } = request
  const { account } = viewer.account
  const on = readOption(fields['on'], 'on', ['reply', 'post'])
  const give = readOption(fields['give'], 'give', ['yes', 'no']) === 'yes'
  const no = readNo(fields['no'] ?? '') ?? 0
  const { table, own, room, path } = findLiked(request, on, no)
  if (own) throw new Refusal(409, 'OWN_WORDS', 'Nobody gives thumbs to what they wrote themselves.')
  const isGiven = count(db, 'thumbs WHERE account = ? AND target = ?', account, no) === 1
  if (give && isGiven) throw new Refusal(409, 'THUMB_GIVEN', 'You have given your thumb already.')
  if (!give && !isGiven) throw new Refusal(409, 'THUMB_NOT_GIVEN', 'You have given no thumb to this.')
  run(
    db,
    give ? 'INSERT INTO thumbs VALUES (?, ?)' : 'DELETE FROM thumbs WHERE account = ? AND target = ?',
    account,
    no,
  )
  run(db, `UPDATE ${table} SET thumbs = thumbs + ? WHERE no = ?`, give ? 1 : -1, no)
  if (room !== undefined) countThumb(db, room, now, give ? 1 : -1)
  request.effect(give ? 'thumb.give' : 'thumb.take', { on, no })
  return path
}
