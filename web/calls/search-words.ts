import type { Context } from '../../core/context.ts'
import type { FoundCall } from '../../core/calls/find.ts'
import { openPayload, placeOf } from '../../core/calls/payload.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import { idsIn } from '../parts/ids.ts'
import { thingOf } from '../parts/things.ts'
import type { KnownThings } from '../parts/things.ts'
import type { CallLine } from './call-lines.ts'

/** Longest search in characters, and number of its words that count. */
export const longestSearch = 200
const mostWords = 10

/** Search words: a call must contain all, in any order; case and accents do not matter. */
export function wordsOf(search: string): readonly string[] {
  return [...new Set(plain(search).split(/\s+/))].filter((word) => word !== '').slice(0, mostWords)
}

export function hasWords(text: string, words: readonly string[]): boolean {
  const said = plain(text)
  return words.every((word) => said.includes(word))
}

function plain(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

type Parts = Pick<Context, 'apps' | 'secrets' | 'log'>

const opened = ['input', 'original', 'output', 'why', 'decision_reason', 'error'] as const

/**
 * All text by which its owner may remember a call, decrypted in memory and never stored. Outputs of
 * reads are excluded: whole lists would match every search.
 */
export function textOf(ctx: Parts, line: CallLine, row: FoundCall, things: KnownThings): string {
  const schema = ctx.apps.get(row.app)?.endpoints.get(row.endpoint)?.inputSchema
  const contents = opened.map((column) => {
    const sealed = row[column]
    return sealed === null ? undefined : contentOf(ctx, row, column, sealed)
  })
  const named = idsIn(contents[0], schema).map(({ kinds, id }) => thingOf(things, kinds, id)?.name)
  const about = [row.id, line.action, line.appName, row.app, row.endpoint, row.account_label, row.key_name]
  return [...about, line.gist, line.refusal, ...named, ...contents.flatMap(textsIn)]
    .filter((text) => text !== undefined)
    .join('\n')
}

/** Undefined if it cannot be decrypted: logged, and must not stop the search. */
function contentOf({ secrets, log }: Parts, row: FoundCall, column: (typeof opened)[number], sealed: Buffer): unknown {
  try {
    return openPayload(secrets, placeOf(row), column, sealed)
  } catch (error) {
    log.error({ call: row.id, column, err: error }, 'a call cannot be searched')
    return undefined
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return isFields(value) ? Object.values(value).flatMap(textsIn) : []
}
