import { decodeTime } from 'ulid'
import type { Context } from '../../core/context.ts'
import { findCalls } from '../../core/calls/find.ts'
import type { CallFilter, FoundCall } from '../../core/calls/find.ts'
import { knownThingsByAccount } from '../parts/known-things.ts'
import { callLines } from './call-lines.ts'
import type { CallLine } from './call-lines.ts'
import { hasWords, textOf } from './search-words.ts'

type Parts = Pick<Context, 'apps' | 'db' | 'secrets' | 'log' | 'security'>

/** So many rows of an index are read at once; so many calls are opened at once, where words are looked for. */
const looks = 10_000
const opens = 100

/** A call that was found. */
export interface Found {
  readonly row: FoundCall
  readonly line: CallLine
}

interface Piece {
  readonly found: readonly Found[]
  readonly looked: number
  readonly next: string | undefined
}

/** Piece by piece, newest first. With `words`, calls are opened one after the other: what they say is kept sealed, so nothing lists it. */
export async function* foundCalls(
  ctx: Parts,
  filter: CallFilter,
  words: readonly string[],
  most: number,
): AsyncGenerator<Piece, undefined> {
  const thingsOf = knownThingsByAccount(ctx)
  const opening = words.length > 0
  for await (const { calls, looked, next } of findCalls(ctx.db, filter, { most: opening ? opens : most, looks })) {
    const lines = await callLines(ctx, calls, thingsOf)
    const all = calls.flatMap((row, at) => (lines[at] === undefined ? [] : [{ row, line: lines[at] }]))
    const found: Found[] = []
    for (const one of all)
      if (!opening || hasWords(textOf(ctx, one.line, one.row, await thingsOf(one.row)), words)) found.push(one)
    yield { found, looked: opening ? calls.length : looked, next }
  }
}

/** For one page: so many are looked at, and so long, in ms. */
const mostLooked = { rows: 50_000, opened: 2_000 }
const longest = 1_500

/** A page of what was found. */
export interface FoundPage {
  readonly lines: readonly CallLine[]
  /** Below which id older ones are; undefined: these are all. */
  readonly next: string | undefined
  /** Set when the page is not full and there may be more all the same: how many calls were looked at, and back to when. */
  readonly partly: { readonly looked: number; readonly backTo: Date } | undefined
}

export async function foundPage(
  ctx: Parts,
  filter: CallFilter,
  words: readonly string[],
  size: number,
): Promise<FoundPage> {
  const until = Date.now() + longest
  const enough = words.length > 0 ? mostLooked.opened : mostLooked.rows
  const found: Found[] = []
  let looked = 0
  for await (const piece of foundCalls(ctx, filter, words, size + 1)) {
    found.push(...piece.found)
    looked += piece.looked
    const lines = found.slice(0, size).map(({ line }) => line)
    if (found.length > size) return { lines, next: lines.at(-1)?.row.id, partly: undefined }
    if (piece.next !== undefined && (looked >= enough || Date.now() > until))
      return { lines, next: piece.next, partly: { looked, backTo: timeOf(piece.next) } }
  }
  return { lines: found.map(({ line }) => line), next: undefined, partly: undefined }
}

/** An id tells when its call was made. */
function timeOf(callId: string): Date {
  return new Date(decodeTime(callId.slice(callId.indexOf('_') + 1)))
}
