import type { Trace } from '../trace.ts'
import { askingOf } from './asking.ts'
import { blockOf } from './block.ts'
import type { Block, Decided } from './block.ts'
import type { Draft, Run } from './draft.ts'
import { chosenOf, sameIn } from './exchanges.ts'
import type { LeftOut } from './exchanges.ts'
import { nameOf, singular } from './literal.ts'
import { readingOf, withInputs } from './reading.ts'

export interface Suggestion {
  readonly draft: Draft
  readonly block: Block
  readonly runs: readonly Run[]
  readonly leftOut: readonly LeftOut[]
  /** Numbers (from 1) of the traces without a step that matches the first one's. */
  readonly unlike: readonly number[]
  /** The caller's input in each run. */
  readonly given: readonly Readonly<Record<string, unknown>>[]
}

export interface SuggestOptions {
  readonly decided?: Decided
  /** Number (from 1) of the exchange to use; absent: it is detected. */
  readonly step?: number | undefined
}

/** Suggests an endpoint from one or more traces. Throws an explanation if they show none. */
export function suggest(traces: readonly Trace[], { decided = {}, step }: SuggestOptions = {}): Suggestion {
  const [first, ...others] = traces
  if (first === undefined) throw new Error('there is no trace')
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(first.name))
    throw new Error(`"${first.name}" is no name of an endpoint: small letters, digits and underscores`)
  const different = others.find((one) => one.name !== first.name || one.app !== first.app)
  if (different) throw new Error(`they are of different things: ${first.name} and ${different.name}`)
  const chosen = chosenOf(first, step)
  const exchange = first.exchanges[chosen.at]
  if (exchange === undefined) throw new Error('there is no such step')
  const runs = [
    { trace: first, at: chosen.at, exchange },
    ...others.flatMap((trace) => {
      const at = sameIn(trace, exchange, first.origin)
      const own = at === undefined ? undefined : trace.exchanges[at]
      return at === undefined || own === undefined ? [] : [{ trace, at, exchange: own }]
    }),
  ]
  const unlike = others.flatMap((trace, index) => (runs.some((run) => run.trace === trace) ? [] : [index + 2]))
  if (step === undefined && exchange.request.method === 'GET' && (decided.reaches ?? decided.effect) !== undefined)
    throw new Error(
      `${first.name} is said to do something, and nothing but GETs went out while it was recorded: record it once more, up to where the app says that it is done. If a GET does it, name it with --step.`,
    )
  const isRead = exchange.request.method === 'GET' || decided.reads === true
  const asked = isRead ? ledFrom(runs) : runs
  const kind = kindOfName(first.name)
  const read = readingOf(runs, kind, isRead)
  const asking = askingOf(asked, first.origin, { isRead, cursor: read.cursor })
  const draft = { name: first.name, asking, reading: withInputs(read, asking.inputs) }
  const given = runs.map((_, run) =>
    Object.fromEntries(
      asking.inputs.flatMap((one) => (one.given[run] === undefined ? [] : [[one.name, one.given[run]] as const])),
    ),
  )
  return { draft, block: blockOf(draft, decided), runs, leftOut: chosen.leftOut, unlike, given }
}

/** If a redirect led to a read's page in all runs, start there: the runtime follows redirects. */
function ledFrom(runs: readonly Run[]): readonly Run[] {
  const began = runs.map(({ trace, at, exchange }): Run | undefined => {
    const before = trace.exchanges[at - 1]
    const location = before?.request.method === 'GET' ? before.answer.headers['location'] : undefined
    const isLed = location !== undefined && URL.parse(location, before?.request.url)?.href === exchange.request.url
    return before && isLed ? { trace, at: at - 1, exchange: { ...exchange, request: before.request } } : undefined
  })
  return began.every((one) => one !== undefined) ? began : runs
}

/** The kind of entity of an endpoint: `list_open_orders` is about an order. */
function kindOfName(name: string): string {
  const last = name.split('_').at(-1) ?? name
  return nameOf(singular(last)) ?? 'thing'
}
