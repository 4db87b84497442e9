import { askPath, type Ask, type Under } from './asks.ts'
import type { Bell } from './bells.ts'
import type { Entry } from './entries.ts'
import { rendered, teaser } from './markdown.ts'
import type { Nudge } from './nudges.ts'
import { replyPath, type Reply } from './replies.ts'
import { roomPath, type Figures, type Room } from './rooms.ts'
import type { Post } from './shelf.ts'

type RefKind = 'member' | 'ask' | 'reply' | 'nudge' | 'room' | 'post' | 'entry' | 'bell'

export const ref = (kind: RefKind, no: number): { kind: RefKind; no: number } => ({ kind, no })

const writerOut = (name: string): { shown_as: string; nameless: boolean } =>
  name === '' ? { shown_as: 'Somebody', nameless: true } : { shown_as: name, nameless: false }

export const askOut = ({ no, wording, key, replies, writer, room, liveAt }: Ask): unknown => ({
  ref: ref('ask', no),
  wording,
  path: askPath(key),
  replies,
  writer: writerOut(writer),
  room: room === undefined ? null : { ref: ref('room', room) },
  asked: liveAt,
})

export const bestOut = ({ no, writer, thumbs, text, liveAt }: Reply): unknown => ({
  ref: ref('reply', no),
  writer: writerOut(writer),
  thumbs,
  teaser: teaser(text),
  posted: liveAt,
})

const underOut = ({ ask, wording, key }: Under): unknown => ({ ref: ref('ask', ask), wording, path: askPath(key) })

export const replyOut = (reply: Reply & Under): unknown => ({
  ref: ref('reply', reply.no),
  under: underOut(reply),
  path: replyPath(reply.key, reply.no),
  standing: 'live',
  posted: reply.liveAt,
  thumbs: reply.thumbs,
  body: rendered(reply.text).text,
})

export const nudgeOut = (nudge: Nudge): unknown => ({
  ref: ref('nudge', nudge.no),
  under: underOut(nudge),
  sender: writerOut(nudge.sender),
  sent: nudge.sent,
})

export const roomOut = ({ no, called, blurb, mine, takes }: Room): unknown => ({
  ref: ref('room', no),
  called,
  blurb,
  mine: mine ?? null,
  path: roomPath(no),
  takes_entries: takes,
})

export const figuresOut = (room: number, ever: Figures, week: Figures, best: readonly Post[]): unknown => ({
  room: { ref: ref('room', room) },
  ever,
  week,
  best: best.map(({ no, headline, seen, thumbs }) => ({ ref: ref('post', no), headline, seen, thumbs })),
})

export const postOut = (post: Post, now: number): unknown => ({
  ref: ref('post', post.no),
  room: { ref: ref('room', post.room) },
  sort: post.kind,
  headline: post.headline,
  body: rendered(post.text).text,
  writer: writerOut(post.writer),
  standing: post.liveAt <= now ? 'live' : 'queued',
  live_at: post.liveAt,
  seen: post.seen,
  thumbs: post.thumbs,
})

export const entryOut = (entry: Entry): unknown => ({
  ref: ref('entry', entry.no),
  room: { ref: ref('room', entry.room) },
  sort: entry.kind,
  headline: entry.headline,
  body: rendered(entry.text).text,
  writer: writerOut(entry.writer),
  handed_in: entry.handedIn,
  stage: entry.stage,
  settled: entry.settled ?? null,
  goes_live: entry.goesLive ?? null,
})

export const bellOut = ({ no, recipient, words, path, sent }: Bell): unknown => ({
  ref: ref('bell', no),
  recipient,
  words,
  path,
  sent,
})
