import type { DatabaseSync } from 'node:sqlite'
import { maybeNumber, number, one, run, text, type Row } from '../platform/rows.ts'
import { Refusal, type SignedIn } from '../platform/types.ts'
import { ring } from './bells.ts'
import { nextNo } from './circle.ts'
import { addEntry } from './entries.ts'
import { invalid, readWording } from './input.ts'
import { listed, type Span } from './parameters.ts'
import { mayPost, ownRoom, roomPath, type Room } from './rooms.ts'
import { addPost } from './shelf.ts'

export interface Ask {
  no: number
  key: string
  wording: string
  /** '' for somebody who asked without a name. */
  writer: string
  room: number | undefined
  liveAt: number
  replies: number
}

/** The question that something is about. */
export interface Under {
  ask: number
  wording: string
  key: string
}

export const toUnder = (row: Row): Under => ({
  ask: number(row, 'ask'),
  wording: text(row, 'wording'),
  key: text(row, 'key'),
})

export const askPath = (key: string): string => `/q/${key}`

/** In lower case and without accents: what is searched in. */
const fold = (words: string): string => words.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** `why-is-the-sky-blue-2s0b`: what can be read of the wording, and its number. */
function keyOf(wording: string, no: number): string {
  const readable = fold(wording)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-+|-+$/g, '')
  return `${readable === '' ? 'ask' : readable}-${no.toString(36)}`
}

const withReplies = `SELECT a.*,
  (SELECT count(*) FROM replies r WHERE r.ask = a.no AND r.live_at <= unixepoch()) AS replies FROM asks a`

function toAsk(row: Row): Ask {
  return {
    no: number(row, 'no'),
    key: text(row, 'key'),
    wording: text(row, 'wording'),
    writer: text(row, 'writer'),
    room: maybeNumber(row, 'room'),
    liveAt: number(row, 'live_at'),
    replies: number(row, 'replies'),
  }
}

/** Those whose wording has all the words, the words side by side first; then newest first. */
export function findAsks({ db, viewer }: SignedIn, find: string, span: Span): { rows: Ask[]; total: number } {
  const phrase = fold(find).trim().replaceAll(/\s+/g, ' ')
  const words = phrase === '' ? [] : phrase.split(' ')
  const query = `SELECT *, instr(folded, ?) > 0 AS side_by_side FROM (${withReplies})
    WHERE account = ? AND live_at <= ? AND no <= ?${' AND instr(folded, ?) > 0'.repeat(words.length)}`
  const values = [phrase, viewer.account.account, span.moment, span.last, ...words]
  const { rows, total } = listed(db, span, query, 'side_by_side DESC, live_at DESC, no DESC', ...values)
  return { rows: rows.map(toAsk), total }
}

const notThere = (): Refusal => new Refusal(404, 'ASK_NOT_FOUND', 'There is no such question.', 'key')

/** Anybody's, by its address: what a visitor may read. */
export function publicAsk(db: DatabaseSync, key: string): Ask & { account: string } {
  const row = one(db, `${withReplies} WHERE a.key = ? AND a.live_at <= unixepoch()`, key)
  if (!row) throw notThere()
  return { ...toAsk(row), account: text(row, 'account') }
}

/** A question of this circle; another one does not exist. */
export function ownAsk({ db, viewer, params }: SignedIn): Ask {
  const ask = publicAsk(db, params['key'] ?? '')
  if (ask.account !== viewer.account.account) throw notThere()
  return ask
}

interface NewAsk {
  wording: string
  writer: string
  room: number | undefined
  liveAt: number
}

export function insertAsk(db: DatabaseSync, account: string, no: number, ask: NewAsk): Ask {
  const { wording, writer, room, liveAt } = ask
  const key = keyOf(wording, no)
  const sql = 'INSERT INTO asks VALUES (?, ?, ?, ?, ?, ?, ?, ?)'
  run(db, sql, no, account, key, wording, fold(wording), writer, room ?? null, liveAt)
  return { no, key, wording, writer, room, liveAt, replies: 0 }
}

/** What became of a question: it stands in the circle, or its room has to look at it first. */
export type Asked = { standing: 'live'; no: number; path: string } | { standing: 'held'; entry: number; path: string }

/** Asks everybody, or in a room; there, whoever may not post hands the question in. */
export function ask(request: SignedIn, fields: Record<string, string>): Asked {
  const wording = readWording(fields['wording'])
  const wanted = fields['room'] ?? ''
  const room = wanted === '' ? undefined : ownRoom(request, wanted)
  const asked = room && !mayPost(room) ? handIn(request, room, wording) : publish(request, room, wording)
  request.effect('ask.post', { wording, room: room?.no ?? null, ...asked })
  return asked
}

function handIn(request: SignedIn, room: Room, wording: string): Asked {
  if (!room.takes) throw invalid('ROOM_TAKES_NOTHING', 'This room takes no questions from its readers.', 'room')
  const { db, viewer, now } = request
  const { account, person } = viewer.account
  const entry = nextNo(db, account)
  const about = { room: room.no, kind: 'ask' as const, headline: wording, text: '', writer: person, ask: undefined }
  const waits = { stage: 'waiting' as const, settled: undefined, goesLive: undefined }
  addEntry(db, account, { ...about, ...waits, no: entry, own: true, handedIn: now })
  ring(request, [`Staff of ${room.called}`], `${person} handed in: ${wording}`, roomPath(room.no))
  return { standing: 'held', entry, path: roomPath(room.no) }
}

function publish(request: SignedIn, room: Room | undefined, wording: string): Asked {
  const { db, viewer, now } = request
  const { account, person } = viewer.account
  const no = nextNo(db, account)
  const { key } = insertAsk(db, account, no, { wording, writer: person, room: room?.no, liveAt: now })
  if (room) {
    const post = { room: room.no, kind: 'ask' as const, headline: wording, text: '', writer: person, target: no }
    addPost(db, account, { ...post, no: nextNo(db, account), own: true, liveAt: now })
  }
  ring(request, [`Followers of ${room?.called ?? person}`], `${person} asks: ${wording}`, askPath(key))
  return { standing: 'live', no, path: askPath(key) }
}
