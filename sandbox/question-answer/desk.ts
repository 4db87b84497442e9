import type { DatabaseSync } from 'node:sqlite'
import { run } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { insertAsk } from './asks.ts'
import { ring } from './bells.ts'
import { nextNo } from './circle.ts'
import { ownEntry, type Entry, type Stage } from './entries.ts'
import { readOption } from './input.ts'
import { insertReply } from './replies.ts'
import { mustBeStaff, ownRoom, roomPath, type Room } from './rooms.ts'
import { addPost, nextSlot } from './shelf.ts'

export const verdicts = ['publish', 'line_up', 'skip'] as const
const stageAfter = { publish: 'published', line_up: 'lined_up', skip: 'skipped' } as const satisfies Record<
  string,
  Stage
>

/** Puts an entry into its room, live at that time: as a post, and a question or a reply where it is one. */
export function place(db: DatabaseSync, account: string, entry: Entry, liveAt: number, next: () => number): void {
  const { room, kind, headline, text, writer, ask } = entry
  const target = kind === 'story' ? undefined : next()
  if (target !== undefined && kind === 'ask') {
    insertAsk(db, account, target, { wording: headline, writer, room, liveAt })
  } else if (target !== undefined) {
    insertReply(db, account, { no: target, ask: ask ?? 0, writer, own: false, text, thumbs: 0, liveAt })
  }
  addPost(db, account, { no: next(), room, kind, headline, text, writer, own: false, target, liveAt })
}

/** When it goes live; undefined for never. */
function liveTime({ db, now }: SignedIn, room: Room, verdict: (typeof verdicts)[number]): number | undefined {
  if (verdict === 'skip') return undefined
  return verdict === 'publish' ? now : nextSlot(db, room, now)
}

/** Decides about what was handed in, once; whoever handed it in is told. */
export function settle(request: SignedIn, fields: Record<string, unknown>): Entry {
  const { db, viewer, now } = request
  const { account } = viewer.account
  const entry = ownEntry(request)
  const room = ownRoom(request, String(entry.room))
  mustBeStaff(room)
  const verdict = readOption(fields['verdict'], 'verdict', verdicts)
  if (entry.stage !== 'waiting') throw new Refusal(409, 'ENTRY_SETTLED', `This is ${entry.stage} already.`)
  const goesLive = liveTime(request, room, verdict)
  if (goesLive !== undefined) place(db, account, entry, goesLive, () => nextNo(db, account))
  const stage = stageAfter[verdict]
  const sql = 'UPDATE entries SET stage = ?, settled = ?, goes_live = ? WHERE no = ?'
  run(db, sql, stage, now, goesLive ?? null, entry.no)
  ring(request, [entry.writer], `${room.called}: “${entry.headline}” is ${stage}.`, roomPath(room.no))
  request.effect('entry.settle', { entry: entry.no, room: room.no, verdict, goes_live: goesLive ?? null })
  return { ...entry, stage, settled: now, goesLive }
}
