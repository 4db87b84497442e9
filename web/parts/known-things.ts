import { createContext } from 'preact'
import type { Context } from '../../core/context.ts'
import { openPayload, placeOf } from '../../core/calls/payload.ts'
import type { JsonSchema } from '../../connectors/registry.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import { isId } from '../calls/reads-that-show.ts'
import { inShort } from './in-short.ts'

/** What the app said of a thing, such as a client, the last time it was asked about it. */
export interface KnownThing {
  /** Undefined where the app said none. */
  readonly name: string | undefined
  readonly rest: string
  readonly at: Date
}

/** By what `placeIn` makes of a kind of id and an id. */
export type KnownThings = ReadonlyMap<string, KnownThing>

/** For the fields of a page: what their ids stand for. */
export const Known = createContext<KnownThings>(new Map())

/** An answer that a call of the account got from the app. */
interface Answer {
  readonly at: Date
  readonly output: unknown
}

/** So many calls back; among them so many answers, none of them longer. */
const lookedAt = 500
const mostAnswers = 40
const longestAnswer = 65_536

interface AnswerRow {
  readonly id: string
  readonly owner: string
  readonly account: string
  readonly data_key: Buffer
  readonly output: Buffer
  readonly updated_at: Date
}

/** What the app answered the account's calls lately, newest first; the very long ones are left out. */
async function lastAnswers(
  ctx: Pick<Context, 'db' | 'secrets' | 'log'>,
  of: { readonly owner: string; readonly account: string },
): Promise<readonly Answer[]> {
  const { rows } = await ctx.db.query<AnswerRow>(
    `SELECT c.id, c.owner, c.account, c.output, c.updated_at, a.data_key
     FROM (SELECT * FROM calls WHERE account = $1 ORDER BY id DESC LIMIT $4) c JOIN accounts a ON a.id = c.account
     WHERE c.owner = $2 AND c.status = 'executed' AND octet_length(c.output) <= $3 ORDER BY c.id DESC LIMIT $5`,
    [of.account, of.owner, longestAnswer, lookedAt, mostAnswers],
  )
  return rows.flatMap((row) => {
    try {
      return [{ at: row.updated_at, output: openPayload(ctx.secrets, placeOf(row), 'output', row.output) }]
    } catch (error) {
      // The page is about another call, and can do without.
      ctx.log.error({ call: row.id, err: error }, 'the output of a call cannot be opened')
      return []
    }
  })
}

/** What the ids of a call's input stand for, as far as the app said so lately: the agent's word counts for nothing here. */
export async function knownThings(
  ctx: Pick<Context, 'db' | 'secrets' | 'log'>,
  call: { readonly owner: string; readonly account: string },
): Promise<KnownThings> {
  const things = new Map<string, KnownThing>()
  for (const { at, output } of await lastAnswers(ctx, call)) collect(output, at, things)
  return things
}

/** A thing's own id is the first of its fields; further down it is only mentioned. */
function collect(value: unknown, at: Date, things: Map<string, KnownThing>): void {
  if (Array.isArray(value)) for (const one of value) collect(one, at, things)
  if (!isFields(value)) return
  const [[name, id] = []] = Object.entries(value)
  if (name !== undefined && typeof id === 'string' && isId(name)) {
    const place = placeIn(name, id)
    const [told, said] = [things.get(place), inShort(value, 3)]
    // The newest answer that names it, else the newest that says anything.
    if (said !== undefined && (told === undefined || (said.name !== undefined && told.name === undefined)))
      things.set(place, { ...said, at })
  }
  for (const inner of Object.values(value)) collect(inner, at, things)
}

function placeIn(kind: string, id: string): string {
  return `${kind} ${id}`
}

/** The kinds of ids that an input takes: by its own name, and by what its description says it comes from. */
export function kindsOf(name: string, schema: JsonSchema | undefined): readonly string[] {
  const said = schema?.['description']
  const named =
    typeof said === 'string' ? (said.match(/\b[a-z]+(?:_[a-z]+)*_(?:id|number|reference|url)\b/g) ?? []) : []
  return [...new Set([name.replace(/s$/, ''), ...named])].filter(isId)
}

/** `new_client_id` is a `client_id`. */
export function thingOf(things: KnownThings, kinds: readonly string[], id: string): KnownThing | undefined {
  for (const kind of kinds) {
    const parts = kind.split('_')
    for (let from = 0; from < parts.length - 1; from++) {
      const thing = things.get(placeIn(parts.slice(from).join('_'), id))
      if (thing !== undefined) return thing
    }
  }
  return undefined
}

/** Whether a field is the id of something that the app did not tell of lately. */
export function isRiddle(things: KnownThings, name: string, value: unknown, schema: JsonSchema | undefined): boolean {
  if (!/_(id|ids|number|reference)$/.test(name)) return false
  const ids = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string')
  return ids.some((one) => thingOf(things, kindsOf(name, schema), one) === undefined)
}
