import type { Context } from '../../core/context.ts'
import { openPayload, placeOf } from '../../core/calls/payload.ts'
import type { Thing, ToldBy } from '../../connectors/kit/declared.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import type { App, JsonSchema } from '../../connectors/registry.ts'
import { sayOf, withLabel } from './in-short.ts'
import { valueAt, valuesAt } from '../../connectors/runtime/values.ts'
import { itemsOf, schemaAt } from './schema.ts'
import { nothingKnown, placeIn } from './things.ts'
import type { KnownThing, KnownThings } from './things.ts'
import { logUnopened } from '../../core/security-log.ts'

type Parts = Pick<Context, 'apps' | 'db' | 'secrets' | 'log' | 'security'>

interface Of {
  readonly owner: string
  readonly app: string
  readonly account: string
}

/** Output of a read of the account. */
interface Answer {
  readonly read: string
  readonly at: Date
  readonly output: unknown
}

/** Limits: calls searched, answers used, and size of an answer in bytes. */
const lookedAt = 500
const mostAnswers = 40
const longestAnswer = 65_536

interface AnswerRow {
  readonly id: string
  readonly endpoint: string
  readonly owner: string
  readonly account: string
  readonly data_key: Buffer
  readonly output: Buffer
  readonly updated_at: Date
}

/** Recent outputs of these reads of the account, newest first; oversized ones are skipped. */
async function lastAnswers(ctx: Parts, of: Of, reads: readonly string[]): Promise<readonly Answer[]> {
  const { rows } = await ctx.db.query<AnswerRow>(
    `SELECT c.id, c.endpoint, c.owner, c.account, c.output, c.updated_at, a.data_key
     FROM (SELECT * FROM calls WHERE account = $1 ORDER BY id DESC LIMIT $4) c JOIN accounts a ON a.id = c.account
     WHERE c.owner = $2 AND c.app = $6 AND c.access = 'read' AND c.endpoint = ANY ($7) AND c.status = 'executed'
       AND octet_length(c.output) <= $3 ORDER BY c.id DESC LIMIT $5`,
    [of.account, of.owner, longestAnswer, lookedAt, mostAnswers, of.app, reads],
  )
  return rows.flatMap((row) => {
    try {
      const output = openPayload(ctx.secrets, placeOf(row), 'output', row.output)
      return [{ read: row.endpoint, at: row.updated_at, output }]
    } catch (error) {
      // The page is about another call and works without it.
      logUnopened(ctx, { call: row.id }, error, 'the output of a call cannot be opened')
      return []
    }
  })
}

/** Entities of an account, from recent outputs of the app only: inputs are not trusted. */
export async function knownThings(ctx: Parts, of: Of): Promise<KnownThings> {
  const app = ctx.apps.get(of.app)
  const places = app === undefined ? [] : placesOf(app)
  if (places.length === 0) return nothingKnown
  const things = new Map<string, KnownThing>()
  const reads = [...new Set(places.map(({ told }) => told.read))]
  for (const { read, at, output } of await lastAnswers(ctx, of, reads))
    for (const place of places.filter(({ told }) => told.read === read)) collect(place, output, at, things)
  return things
}

/** Queries once per account. */
export function knownThingsByAccount(ctx: Parts): (of: Of) => Promise<KnownThings> {
  const asked = new Map<string, Promise<KnownThings>>()
  return (of) => {
    const things = asked.get(of.account) ?? knownThings(ctx, of)
    asked.set(of.account, things)
    return things
  }
}

/** Where an app's outputs describe a kind of entity. */
interface Place {
  readonly kind: string
  readonly thing: Thing
  readonly told: ToldBy
  /** Schema of one such entity. */
  readonly schema: JsonSchema | undefined
}

function placesOf({ things, endpoints }: App): readonly Place[] {
  return Object.entries(things).flatMap(([kind, thing]) =>
    thing.toldBy.map((told) => {
      const output = endpoints.get(told.read)?.outputSchema
      const found = told.at === undefined ? output : schemaAt(output, told.at)
      return { kind, thing, told, schema: itemsOf(found) ?? found }
    }),
  )
}

function collect(
  { kind, thing, told, schema }: Place,
  output: unknown,
  at: Date,
  things: Map<string, KnownThing>,
): void {
  for (const one of told.at === undefined ? [output] : valuesAt(output, told.at)) {
    const id = valueAt(one, told.id)
    if (typeof id !== 'string') continue
    const place = placeIn(kind, id)
    const [before, said] = [things.get(place), tellingOf(thing, one, schema)]
    // The newest answer with a name, else the newest with any fact.
    if (said !== undefined && (before === undefined || (said.name !== undefined && before.name === undefined)))
      things.set(place, { ...said, at })
  }
}

/** Name and facts of the entity in that output; undefined if there are none. */
function tellingOf(thing: Thing, value: unknown, schema: JsonSchema | undefined): Omit<KnownThing, 'at'> | undefined {
  const say = (path: string): string | undefined => {
    const beside = path.includes('.') ? valueAt(value, path.slice(0, path.lastIndexOf('.'))) : value
    const around = { schema: schemaAt(schema, path), beside: isFields(beside) ? beside : {}, things: nothingKnown }
    return sayOf(valueAt(value, path), around)?.text
  }
  const name = thing.title.map(say).find((text) => text !== undefined)
  const facts = thing.facts.flatMap((path) => {
    const text = say(path)
    return text === undefined ? [] : [withLabel(path, schemaAt(schema, path), text)]
  })
  return name === undefined && facts.length === 0 ? undefined : { name, facts }
}
