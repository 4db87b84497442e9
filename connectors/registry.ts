import type { TSchema } from 'typebox'
import type { Access } from '../schemas/call.ts'
import { connectors } from './apps.ts'
import { checkConnector, checkEndpoint } from './runtime/check-connector.ts'
import type { Csrf } from './kit/csrf.ts'
import type { Effect, ShownBy, Thing } from './kit/declared.ts'
import type { Answer, ConnectorSpec, EndpointDefinition, SignIn } from './kit/define.ts'
import type { Failure } from './kit/failures.ts'
import type { NumberedIds } from './kit/numbered-ids.ts'
import { brokenBy } from './runtime/load.ts'
import type { BrokenApp, Loaded } from './runtime/load.ts'
import { outputFault } from './runtime/output-fault.ts'
import { parseQuery } from './runtime/query.ts'
import { readingOn } from './runtime/read-on.ts'
import { withOptionalDefaults } from './runtime/required.ts'
import { inputParser, lazy } from './runtime/validate.ts'
import { definitionVersion } from './runtime/version.ts'

export interface Apps {
  /** Those that can be used. */
  readonly all: readonly App[]
  /** Apps whose connectors cannot be used, by slug: they are off. */
  readonly broken: ReadonlyMap<string, BrokenApp>
  get(slug: string): App | undefined
}

export interface App {
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly role: string
  readonly connection: { readonly kind: 'browser_session' }
  readonly signIn: SignIn
  /** Absolute root of the app, ending in a slash. */
  readonly origin: string
  /** Hash of the connector's code and the shared helpers, without summaries and examples: the same in all processes. */
  readonly definitionVersion: string
  readonly endpoints: ReadonlyMap<string, Endpoint>
  /** What its ids stand for, by their kind. */
  readonly things: Readonly<Record<string, Thing>>
  /** Sends per second. */
  readonly pacing: { readonly perApp: number; readonly perAccount: number }
}

/** A JSON Schema 2020-12 without references. */
export type JsonSchema = Readonly<Record<string, unknown>>

export interface Detail {
  /** The field: `limit`, `fields.price`, `listing_ids.0`; '' for the whole input. */
  readonly path: string
  readonly message: string
}

export type ParsedInput =
  | { readonly ok: true; readonly input: Record<string, unknown> }
  | { readonly ok: false; readonly details: readonly Detail[] }

export type ParsedQuery =
  | { readonly ok: true; readonly value: Record<string, unknown> }
  | { readonly ok: false; readonly details: readonly Detail[] }

export interface Endpoint {
  /** The app's slug. */
  readonly app: string
  readonly name: string
  readonly access: Access
  /** Waits for approval, unless the person switched that off. */
  readonly confirm: boolean
  readonly summary: string
  /** What a person reads of it. */
  readonly label: string
  /** The inputs that say most of a call, the most telling first. */
  readonly brief: readonly string[]
  /** Null for a read. */
  readonly effect: Effect | null
  /** The reads that show whether a write happened, the surest first. */
  readonly shownBy: readonly ShownBy[]
  readonly credits: number
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  /** Checks the input and fills in defaults, and what a cursor keeps: what it returns is what is stored, hashed and sent. */
  parseInput(value: unknown, keys: { readonly cursorKey: Buffer }): ParsedInput
  /** The value that a GET's query stands for, to be given to `parseInput`. */
  parseQuery(params: URLSearchParams): ParsedQuery
  /** Whether a decoded answer is exactly what the endpoint promises. */
  checkOutput(value: unknown): boolean
  /** Why not, in words for operators and without anything that it says. */
  outputFault(value: unknown): string
  /** For `exchange` only. */
  readonly definition: EndpointDefinition
  readonly failure: (answer: Answer) => Failure | undefined
  readonly csrf: Csrf | null
  readonly numbered: NumberedIds | null
}

/** All apps, ready to be called; those that cannot be are told apart. Reads the connectors' files once, for their versions. */
export function loadApps(options: {
  readonly sandboxUrl: string
  /** Others than those of `apps.ts`. */
  readonly connectors?: Readonly<Record<string, Loaded>> | undefined
}): Apps {
  const versionOf = definitionVersion()
  const bySlug = new Map<string, App>()
  const broken = new Map<string, BrokenApp>()
  for (const [slug, loaded] of Object.entries(options.connectors ?? connectors)) {
    try {
      if ('broken' in loaded) broken.set(slug, loaded.broken)
      else bySlug.set(slug, appOf(slug, loaded.spec, { sandboxUrl: options.sandboxUrl, version: versionOf(slug) }))
    } catch (error) {
      broken.set(slug, brokenBy(slug, error))
    }
  }
  return { all: [...bySlug.values()], broken, get: (slug) => bySlug.get(slug) }
}

/** Throws what is wrong with the connector. */
function appOf(
  slug: string,
  spec: ConnectorSpec,
  from: { readonly sandboxUrl: string; readonly version: string },
): App {
  checkConnector(slug, spec)
  const origin = spec.origin.replace('{sandbox}', from.sandboxUrl.replace(/\/+$/, ''))
  if (!URL.canParse(origin) || !origin.endsWith('/')) throw new Error(`"${origin}" is no address of an app`)
  return {
    slug,
    name: spec.name,
    description: spec.description,
    role: spec.role,
    connection: { kind: 'browser_session' },
    signIn: spec.signIn,
    origin,
    definitionVersion: from.version,
    endpoints: bindAll(slug, spec),
    things: spec.things ?? {},
    pacing: spec.pacing ?? { perApp: 20, perAccount: 2 },
  }
}

/** The endpoints of one connector, by name. Throws when two have the same name, or one is wrong. */
export function bindAll(slug: string, spec: ConnectorSpec): ReadonlyMap<string, Endpoint> {
  const endpoints = new Map<string, Endpoint>()
  for (const [name, definition] of spec.endpoints.flatMap(readsFirst)) {
    if (endpoints.has(name)) throw new Error(`${slug} has two endpoints named ${name}`)
    checkEndpoint(name, definition, spec)
    endpoints.set(name, bind(slug, name, definition, spec))
  }
  return endpoints
}

/** An order of its own: that of a module's exports depends on who loads it. */
function readsFirst(file: Readonly<Record<string, EndpointDefinition>>): [string, EndpointDefinition][] {
  const key = ([name, { access }]: [string, EndpointDefinition]): string => `${access} ${name}`
  return Object.entries(file).toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}

function bind(slug: string, name: string, definition: EndpointDefinition, spec: ConnectorSpec): Endpoint {
  const { summary, label, brief, effect, shownBy, access, confirm, credits, input, output, line } = definition
  const id = `${slug}.${name}`
  const outputValidator = lazy(output)
  const asTheyAre = { ...line, names: line.names.filter((input) => definition.segments[input] === undefined) }
  return {
    app: slug,
    name,
    access,
    confirm,
    summary,
    label,
    brief,
    effect,
    shownBy,
    credits,
    inputSchema: withOptionalDefaults(jsonSchema(input)) as JsonSchema,
    outputSchema: jsonSchema(output),
    parseInput: readingOn({ id, schema: input }, inputParser({ id, schema: input, line: asTheyAre })),
    parseQuery: (params) => parseQuery(input, params),
    checkOutput: (value) => outputValidator().Check(value),
    outputFault: (value) => outputFault(output, outputValidator().Errors(value)),
    definition,
    failure: spec.failure,
    numbered: spec.numbered ?? null,
    csrf: definition.csrf === undefined && line.method !== 'GET' ? (spec.csrf ?? null) : (definition.csrf ?? null),
  }
}

function jsonSchema(schema: TSchema): JsonSchema {
  const plain: JsonSchema = structuredClone({ ...schema })
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...plain }
}
