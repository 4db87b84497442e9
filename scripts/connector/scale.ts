import { kindKey } from '../../connectors/kit/inputs.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import { declaredName } from '../../connectors/recordings/folder.ts'
import { levels } from '../../connectors/runtime/app.ts'
import type { Endpoint, JsonSchema, Level } from '../../connectors/runtime/app.ts'
import { liveName } from './live-file.ts'
import type { Live } from './live-file.ts'
import type { ConnectorPackage } from './package.ts'
import type { Proof } from './test.ts'

/** A requirement of a level. */
export interface Fact {
  readonly level: Level
  /** The requirement. */
  readonly what: string
  /** Violations with their fixes; empty if the requirement is met. */
  readonly open: readonly string[]
}

export interface ScaleFacts {
  readonly proof: Proof
  readonly watch: ConnectorPackage['watch']
  /** Live results of these very sources. */
  readonly live: Live | undefined
}

/** All requirements of the levels, and whether a connector that loads meets them. */
export function factsOf({ proof, watch, live }: ScaleFacts): readonly Fact[] {
  const { app, recordings, results, lost } = proof
  const { cases, declared } = recordings
  const endpoints = [...app.endpoints.values()]
  const reads = endpoints.filter(({ access }) => access === 'read')
  const writes = endpoints.filter(({ access }) => access === 'write')
  const succeeds = (name: string): boolean =>
    cases.get(name)?.some((one) => 'recording' in one && one.recording.kind === 'success') === true
  const unlike = (
    pick: (result: typeof results extends ReadonlyMap<string, infer R> ? R : never) => readonly string[],
  ) => [...results].flatMap(([name, result]) => pick(result).map((one) => `${name}: ${one}`))
  const undeclared = (
    wanting: readonly Endpoint[],
    reasons: Readonly<Record<string, string>>,
    key: string,
    what: string,
  ): readonly string[] => [
    ...wanting
      .filter(({ name }) => !Object.hasOwn(reasons, name))
      .map(({ name }) => `${name} ${what}: mend it, or say why under "${key}" in ${declaredName}`),
    ...Object.keys(reasons)
      .filter((name) => !wanting.some((one) => one.name === name))
      .map((name) => `${declaredName} says "${key}" of ${name}, which is not so`),
  ]
  return [
    {
      ...{ level: 'bronze', what: 'it has endpoints, and each has a recording of a success' },
      open:
        endpoints.length === 0
          ? ['there are none']
          : endpoints
              .filter(({ name }) => !succeeds(name))
              .map(({ name }) => `${name}: connector try … --keep success`),
    },
    {
      ...{ level: 'silver', what: 'its failures are recorded, or it is said why not' },
      open: unlike(({ missing }) => missing.map((kind) => `connector try … --keep ${kind}`)),
    },
    {
      ...{ level: 'silver', what: 'recordings replay, and what is taken away is noticed: connector test' },
      open: [
        ...unlike(({ cases: all }) =>
          all.filter(({ problems }) => problems.length > 0).map(({ name }) => `${name} does not replay`),
        ),
        ...unlike(({ slips }) => slips.map(({ case: one, what }) => `${one} does not notice that ${what} is gone`)),
        ...unlike(({ untried }) =>
          untried === 0 ? [] : [`${untried} things were not taken away: record a smaller page`],
        ),
        ...unlike(({ stale }) => stale.map((one) => `${declaredName} says ${one}, which is not so`)),
        ...lost,
      ],
    },
    {
      ...{ level: 'silver', what: 'lists have pages, or it is said why they come whole' },
      open: undeclared(reads.filter(isUnpaged), declared.whole, 'whole', 'gives a list without next_cursor'),
    },
    {
      ...{ level: 'gold', what: 'a person sees what ids name before they approve, or it is said why not' },
      open: undeclared(
        writes.filter((one) => one.preview.length === 0 && namesThings(one.inputSchema)),
        ...([declared.unpreviewed, 'unpreviewed', 'takes ids, and has no preview'] as const),
      ),
    },
    {
      ...{ level: 'gold', what: 'a write whose answer was lost can be looked for, or it is said why not' },
      open: undeclared(
        writes.filter(({ verify }) => verify === null),
        ...([declared.unverified, 'unverified', 'has no verify'] as const),
      ),
    },
    {
      level: 'gold',
      what: 'reads are named that are fit to be watched: callgate.watch of package.json',
      open: watchFaults(app.endpoints, watch),
    },
    {
      ...{ level: 'gold', what: `every read was made live with these sources: connector test … --live --reads` },
      open: liveFaults(reads, live),
    },
  ]
}

/** The highest level whose requirements, and those of all lower levels, are met. */
export function levelOf(facts: readonly Fact[]): Level | undefined {
  const missed = levels.findIndex((level) => facts.some((fact) => fact.level === level && fact.open.length > 0))
  return missed < 0 ? levels.at(-1) : levels[missed - 1]
}

/** Whether it returns a list of entities without a cursor. */
function isUnpaged({ outputSchema: { properties } }: Endpoint): boolean {
  const fields = isFields(properties) ? properties : {}
  const lists = Object.values(fields).some(
    (one) => isFields(one) && isFields(one['items']) && isFields(one['items']['properties']),
  )
  return lists && fields['next_cursor'] === undefined
}

/** Whether a schema is an id or contains one. */
function namesThings(schema: JsonSchema): boolean {
  const says = (one: unknown): boolean =>
    Array.isArray(one) ? one.some(says) : isFields(one) && (kindKey in one || Object.values(one).some(says))
  return says(schema)
}

function watchFaults(endpoints: ReadonlyMap<string, Endpoint>, watch: ScaleFacts['watch']): readonly string[] {
  const named = Object.entries(watch)
  if (named.length === 0) return ['none is: "watch": { "list_orders": {} }']
  return named.flatMap(([name, input]) => {
    const endpoint = endpoints.get(name)
    if (endpoint === undefined) return [`there is no endpoint ${name}`]
    if (endpoint.access !== 'read' || endpoint.definition.line.method !== 'GET') return [`${name} is not read with GET`]
    const parsed = endpoint.parseInput(input, { cursorKey: Buffer.alloc(32) })
    return parsed.ok ? [] : parsed.details.map(({ path, message }) => `${name}: ${path} ${message}`)
  })
}

function liveFaults(reads: readonly Endpoint[], live: Live | undefined): readonly string[] {
  if (live === undefined) return [`${liveName} is not there, or of other sources`]
  return reads.flatMap(({ name }) => {
    if (Object.hasOwn(live.reads, name)) return []
    return [`${name}: ${live.failed[name] ?? 'it was not made'}`]
  })
}
