import { decodeTime } from 'ulid'
import type { Context } from '../../core/context.ts'
import { findCalls } from '../../core/calls/find.ts'
import type { CallFilter, FoundCall } from '../../core/calls/find.ts'
import { knownThingsByAccount } from '../parts/known-things.ts'
import { callLines } from './call-lines.ts'
import type { CallLine } from './call-lines.ts'
import { hasWords, textOf } from './search-words.ts'

type Parts = Pick<Context, 'apps' | 'db' | 'secrets' | 'log' | 'security'>

/** Batch sizes: index rows per query, and calls decrypted per batch of a text search. */
const looks = 10_000
const opens = 100

/** A matching call. */
export interface Found {
  readonly row: FoundCall
  readonly line: CallLine
}

interface Piece {
  readonly found: readonly Found[]
  readonly looked: number
  readonly next: string | undefined
}

/** Matches in batches, newest first. `words` means decrypting each call: content has no index. */
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

/** Limits per page: rows and decrypted calls searched, and time in ms. */
const mostLooked = { rows: 50_000, opened: 2_000 }
const longest = 1_500

/** A page of matches. */
export interface FoundPage {
  readonly lines: readonly CallLine[]
  /** Id below which older ones follow; undefined: no more. */
  readonly next: string | undefined
  /** Set if the search stopped early: number of calls searched, and the date reached. */
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

/** A call id (a ULID) contains its creation time. */
function timeOf(callId: string): Date {
  return new Date(decodeTime(callId.slice(callId.indexOf('_') + 1)))
}
