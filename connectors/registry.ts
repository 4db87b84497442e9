import type { TSchema } from 'typebox'
import { connectors } from './apps.ts'
import { Catalogue } from './runtime/catalogue.ts'
import { checkConnector, checkEndpoint } from './runtime/check-connector.ts'
import { checkedAsk, rootOf } from './runtime/check-places.ts'
import type { ConnectorSpec, EndpointDefinition } from './kit/define.ts'
import type { Origin } from './kit/origin.ts'
import type { App, Endpoint, JsonSchema } from './runtime/app.ts'
import { brokenBy } from './runtime/load.ts'
import type { BrokenApp, Loaded } from './runtime/load.ts'
import { outputFault } from './runtime/output-fault.ts'
import { parseQuery } from './runtime/query.ts'
import { withPaging } from './runtime/paging.ts'
import { withOptionalDefaults } from './runtime/optional-defaults.ts'
import { inputParser, lazy } from './runtime/validate.ts'

export type { App, Apps, Detail, Endpoint, JsonSchema, ParsedInput } from './runtime/app.ts'

/** All apps, ready to be called; those that cannot be are told apart. */
export function loadApps(options: {
  readonly sandboxUrl: string
  /** Others than those of `apps.ts`. */
  readonly connectors?: Readonly<Record<string, Loaded>> | undefined
}): Catalogue {
  const bySlug = new Map<string, App>()
  const broken = new Map<string, BrokenApp>()
  for (const [slug, loaded] of Object.entries(options.connectors ?? connectors)) {
    try {
      if ('broken' in loaded) broken.set(slug, loaded.broken)
      else bySlug.set(slug, appOf(slug, loaded.spec, options.sandboxUrl))
    } catch (error) {
      broken.set(slug, brokenBy(slug, error))
    }
  }
  return new Catalogue(bySlug, broken)
}

/** Throws what is wrong with the connector. */
export function appOf(slug: string, spec: ConnectorSpec, sandboxUrl: string): App {
  checkConnector(slug, spec)
  const origin = originOf(spec.origin, sandboxUrl)
  return {
    slug,
    name: spec.name,
    description: spec.description,
    role: spec.role,
    topics: spec.topics ?? '',
    connection: { kind: 'browser_session' },
    signIn: spec.signIn,
    origin,
    hosts: Object.values(spec.hosts ?? {}),
    authorize: spec.authorize ?? [],
    renew: spec.renew ?? null,
    endpoints: bindAll(slug, spec),
    things: spec.things,
    pacing: spec.pacing ?? { perApp: 20, perAccount: 2 },
  }
}

/** Throws when it is no address, or nothing to ask for one with. */
function originOf(origin: Origin, sandboxUrl: string): Origin {
  if (typeof origin !== 'string') return checkedAsk(origin)
  return rootOf(origin.replace('{sandbox}', sandboxUrl.replace(/\/+$/, '')))
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
  const {
    summary,
    aliases = [],
    label,
    brief,
    effect,
    shownBy,
    preview,
    verify,
    access,
    confirm,
    credits,
    input,
    output,
    line,
  } = definition
  const id = `${slug}.${name}`
  const outputValidator = lazy(output)
  const asTheyAre = { ...line, names: line.names.filter((input) => definition.segments[input] === undefined) }
  return {
    app: slug,
    name,
    access,
    confirm,
    summary,
    aliases,
    label,
    brief,
    effect,
    shownBy,
    preview,
    verify,
    credits,
    root: definition.host === null ? null : (spec.hosts?.[definition.host] ?? null),
    inputSchema: withOptionalDefaults(jsonSchema(input)) as JsonSchema,
    outputSchema: jsonSchema(output),
    parseInput: withPaging({ id, schema: input }, inputParser({ id, schema: input, line: asTheyAre })),
    parseQuery: (params) => parseQuery(input, params),
    checkOutput: (value) => outputValidator().Check(value),
    outputFault: (value) => outputFault(output, outputValidator().Errors(value)),
    definition,
    failure: spec.failure,
    version: spec.version ?? null,
    numbered: spec.numbered ?? null,
    authorize: spec.authorize ?? [],
    csrf: definition.csrf === undefined && line.method !== 'GET' ? (spec.csrf ?? null) : (definition.csrf ?? null),
  }
}

function jsonSchema(schema: TSchema): JsonSchema {
  const plain: JsonSchema = structuredClone({ ...schema })
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...plain }
}
