import { CallgateError } from '../../client/errors.ts'
import type { Callgate, EndpointId } from '../../client/callgate.ts'
import { kindKey } from '../../connectors/kit/inputs.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import type { Case } from '../../connectors/recordings/folder.ts'
import { readFolder } from '../../connectors/recordings/folder.ts'
import type { Recording } from '../../connectors/recordings/recording.ts'
import { differencesOf, shapeOf } from '../../connectors/recordings/shape.ts'
import type { App, Endpoint, JsonSchema } from '../../connectors/runtime/app.ts'
import { writeLive } from './live-file.ts'
import type { Live } from './live-file.ts'
import { plain } from './story.ts'

export interface LiveTest {
  readonly client: Callgate
  readonly folder: string
  readonly app: App
  /** Only this read. */
  readonly only?: string | undefined
  readonly account?: string | undefined
  readonly say: (line: string) => void
  readonly signal: AbortSignal
}

/**
 * Makes each read through the gateway, with its recorded input or with ids from earlier reads;
 * never a write. Compares the shapes of the outputs with the recordings, and writes `live.json`
 * when all reads were made. True if each gave an output.
 */
export async function testLive(test: LiveTest): Promise<boolean> {
  const { app, folder, only, say } = test
  const { cases } = readFolder(folder)
  const all = [...app.endpoints.values()].filter(({ access }) => access === 'read')
  // Reads that need no id come first: they supply ids to the others.
  const reads = all.toSorted((a, b) => idsOf(a).length - idsOf(b).length).filter(({ name }) => name === (only ?? name))
  if (reads.length === 0)
    throw new Error(only === undefined ? `${app.slug} has no reads` : `${app.slug} has no read ${only}`)
  const known = new Map<string, string>()
  const found: { reads: Record<string, readonly string[]>; failed: Record<string, string> } = { reads: {}, failed: {} }
  for (const endpoint of reads) {
    const recorded = successesOf(cases.get(endpoint.name) ?? [])
    const [first] = recorded
    const came = await outputOf(test, endpoint, first?.input, known)
    if (typeof came === 'string') {
      found.failed[endpoint.name] = came
      say(`✗ ${endpoint.name}: ${came}`)
      continue
    }
    learn(known, endpoint.outputSchema, came)
    const was = shapeOf(...recorded.map(({ expected }) => (expected.kind === 'ok' ? expected.output : null)))
    const differences = differencesOf(was, shapeOf(came)).map(({ place, words }) => `${place} ${words}`)
    found.reads[endpoint.name] = differences
    say(`✓ ${endpoint.name}${differences.length === 0 ? '' : ', not as it was recorded:'}`)
    for (const line of differences) say(`    ${line}`)
  }
  if (only === undefined) await writeLive(folder, sorted(found))
  return Object.keys(found.failed).length === 0
}

function successesOf(cases: readonly Case[]): readonly Recording[] {
  return cases.flatMap((one) => ('recording' in one && one.recording.kind === 'success' ? [one.recording] : []))
}

/** Uses the recorded input, then current ids if the app refuses it; returns why if both fail. */
async function outputOf(
  test: LiveTest,
  endpoint: Endpoint,
  recorded: Fields | undefined,
  known: ReadonlyMap<string, string>,
): Promise<Fields | string> {
  if (recorded === undefined) return 'no recording of a success says what to ask for'
  const came = await make(test, endpoint, recorded)
  const now = withIds(endpoint, recorded, known)
  const isOther = Object.entries(now).some(([name, value]) => recorded[name] !== value)
  return typeof came === 'string' && isOther ? make(test, endpoint, now) : came
}

async function make(
  { client, app, account, signal }: LiveTest,
  { name }: Endpoint,
  input: Fields,
): Promise<Fields | string> {
  try {
    const output: unknown = await client.run(`${app.slug}.${name}` as EndpointId, input, {
      ...{ signal, timeoutMs: 120_000, reason: 'connector test --live' },
      ...(account !== undefined && { account }),
    })
    return isFields(output) ? output : 'its output is no object'
  } catch (error) {
    if (!(error instanceof CallgateError)) throw error
    const { app_code: code } = error.body
    return typeof code === 'string' ? `${error.code} (${plain(code)})` : error.code
  }
}

/** The inputs that are ids, with the kind of entity of each. */
function idsOf({ inputSchema: { properties } }: Endpoint): readonly (readonly [name: string, kind: string])[] {
  return Object.entries(isFields(properties) ? properties : {}).flatMap(([name, schema]) => {
    const kind = isFields(schema) ? schema[kindKey] : undefined
    return typeof kind === 'string' ? [[name, kind] as const] : []
  })
}

/** The recorded input, with current ids where some are known. */
function withIds(endpoint: Endpoint, input: Fields, known: ReadonlyMap<string, string>): Fields {
  const ids = idsOf(endpoint).flatMap(([name, kind]) => {
    const id = known.get(kind)
    return Object.hasOwn(input, name) && id !== undefined ? [[name, id] as const] : []
  })
  return { ...input, ...Object.fromEntries(ids) }
}

/** Keeps the first id of each kind of entity. */
function learn(known: Map<string, string>, schema: JsonSchema, value: unknown): void {
  const kind = schema[kindKey]
  if (typeof kind === 'string' && typeof value === 'string' && !known.has(kind)) known.set(kind, value)
  const { items, properties, anyOf } = schema
  for (const one of Array.isArray(anyOf) ? anyOf : []) if (isFields(one)) learn(known, one, value)
  if (Array.isArray(value) && isFields(items)) for (const one of value) learn(known, items, one)
  if (isFields(value) && isFields(properties))
    for (const [name, inner] of Object.entries(properties)) if (isFields(inner)) learn(known, inner, value[name])
}

function sorted({ reads, failed }: Pick<Live, 'reads' | 'failed'>): Pick<Live, 'reads' | 'failed'> {
  const byName = <T>(all: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return { reads: byName(reads), failed: byName(failed) }
}
