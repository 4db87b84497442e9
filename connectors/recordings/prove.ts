import { isFields } from '../kit/wire.ts'
import { kindKey } from '../kit/inputs.ts'
import type { Endpoint } from '../runtime/app.ts'
import type { Case } from './folder.ts'
import { losses } from './losses.ts'
import { mutations } from './mutations.ts'
import type { Mutation } from './mutations.ts'
import type { Reads } from './reads.ts'
import { kinds } from './recording.ts'
import type { Kind, Recording } from './recording.ts'
import { differences, replay } from './replay.ts'
import type { Replayed } from './replay.ts'
import { Secrets, isPlaceholder } from './secrets.ts'
import { pageTokens, withoutTokens } from './tokens.ts'
import { requestText } from './write.ts'

/** Problems of one recording, as lines for the connector's author. */
export interface CaseResult {
  readonly name: string
  readonly problems: readonly string[]
}

/** A mutation that the endpoint did not notice. */
export interface Slip {
  readonly case: string
  /** What was removed. */
  readonly what: string
  /** The result. */
  readonly came: string
}

export interface EndpointResult {
  readonly cases: readonly CaseResult[]
  /** Kinds without a recording and without a declared reason. */
  readonly missing: readonly Kind[]
  readonly slips: readonly Slip[]
  /** Mutations tested, and those beyond the limit. */
  readonly tried: number
  readonly untried: number
  /** Declared exceptions that do not apply: the recording exists, or the value is never lost. */
  readonly stale: readonly string[]
}

/** Mutations per recording: each takes some ms, on a large page up to 100 ms. */
const mostTried = 150

export interface Proving {
  readonly endpoint: Endpoint
  /** The same endpoint, reporting its reads to `reads`. */
  readonly watched: Endpoint
  readonly reads: Reads
  readonly cases: readonly Case[]
  /** Names of the app's form tokens. */
  readonly tokens: ReadonlySet<string>
  /** Kind → why no such recording exists. */
  readonly missing: Readonly<Record<string, string>>
  /** Place in the output → why it may be empty. */
  readonly empty: Readonly<Record<string, string>>
}

/** Replays an endpoint on its recordings, and on mutations of the successful ones. */
export async function prove(proving: Proving): Promise<EndpointResult> {
  const { endpoint, watched, reads, cases, tokens, missing, empty } = proving
  const results: CaseResult[] = []
  const slips: Slip[] = []
  const used = new Set<string>()
  let [tried, untried] = [0, 0]
  for (const one of cases) {
    const problems = 'problem' in one ? [one.problem] : await problemsOf(endpoint, one.recording, tokens)
    results.push({ name: one.name, problems })
    if (problems.length > 0 || 'problem' in one || one.recording.expected.kind !== 'ok') continue
    reads.forget()
    await replay(watched, one.recording)
    const all = mutations(endpoint, one.recording, reads)
    untried += Math.max(0, all.length - mostTried)
    for (const mutation of all.slice(0, mostTried)) {
      tried++
      const came = await cameOf(endpoint, one.recording, mutation, (place) => {
        used.add(place)
        return Object.hasOwn(empty, place)
      })
      if (came !== undefined) slips.push(slip(one.name, mutation, came))
    }
  }
  const shown = new Set(cases.map((one) => ('recording' in one ? one.recording.kind : '')))
  const absent = wanted(endpoint).filter((kind) => !shown.has(kind))
  return {
    cases: results,
    missing: absent.filter((kind) => !Object.hasOwn(missing, kind)),
    ...{ slips, tried, untried },
    stale: [
      ...Object.keys(missing).filter((kind) => !absent.some((one) => one === kind)),
      ...(untried > 0 ? [] : Object.keys(empty).filter((place) => !used.has(place))),
    ],
  }
}

/** Kinds to record: `refused` only for writes, `not_found` if a required input names an entity. */
function wanted({ access, inputSchema: { required, properties } }: Endpoint): readonly Kind[] {
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  const named = Object.entries(isFields(properties) ? properties : {}).filter(([name]) => needed.includes(name))
  const namesThing = named.some(([, schema]) => says(schema))
  return kinds.filter((kind) => (kind === 'refused' ? access === 'write' : kind !== 'not_found' || namesThing))
}

/** Whether a schema, or one inside it, names an entity. */
function says(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(says)
  return isFields(schema) && (kindKey in schema || Object.values(schema).some(says))
}

async function problemsOf(
  endpoint: Endpoint,
  recording: Recording,
  tokens: ReadonlySet<string>,
): Promise<readonly string[]> {
  const { origin, steps } = recording
  const open = steps.findIndex(
    ({ request }) =>
      requestText(withoutTokens(endpoint, request, new Secrets()), origin) !== requestText(request, origin),
  )
  if (open >= 0)
    return [`request ${open + 1} has a token in it: write SECRET.… in its place, and where the app gives it`]
  const told = steps.findIndex(({ answer }) =>
    pageTokens(answer, tokens).some(([name, value]) => tokens.has(name) && !isPlaceholder(value)),
  )
  if (told >= 0) return [`answer ${told + 1} has a token in it: write SECRET.… in its place, wherever it stands`]
  try {
    return differences(recording, await replay(endpoint, recording))
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

async function cameOf(
  endpoint: Endpoint,
  recording: Recording,
  mutation: Mutation,
  mayBeEmpty: (place: string) => boolean,
): Promise<string | undefined> {
  try {
    return unnoticed(endpoint, recording, await replay(endpoint, mutation.recording), mayBeEmpty)
  } catch (error) {
    return `it breaks: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** The result of an unnoticed mutation that no exception covers; undefined: noticed or harmless. */
function unnoticed(
  endpoint: Endpoint,
  { expected }: Recording,
  { outcome, another }: Replayed,
  mayBeEmpty: (place: string) => boolean,
): string | undefined {
  if (another) {
    // A GET that replaces a lost page changes nothing and may return what was lost.
    const isInstead = another.method !== 'GET' || another.recorded.startsWith('GET ')
    return isInstead && another.recorded !== '' ? `it sends another request: ${another.sent.split('\n')[0]}` : undefined
  }
  if (outcome?.kind === 'rejected') return `it says that the app refused (${outcome.appCode})`
  if (outcome?.kind !== 'ok' || expected.kind !== 'ok') return undefined
  const lost = losses(endpoint.definition.output, expected.output, outcome.output).filter(
    ({ path }) => !mayBeEmpty(path),
  )
  return lost.length === 0 ? undefined : lost.map(({ path, instead }) => `${path} is ${instead}`).join(', ')
}

function slip(name: string, { what }: Mutation, came: string): Slip {
  return { case: name, what, came }
}
