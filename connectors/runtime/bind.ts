import type { TSchema } from 'typebox'
import type { ConnectorSpec, EndpointDefinition } from '../kit/define.ts'
import type { Origin } from '../kit/origin.ts'
import type { App, Endpoint, JsonSchema } from './app.ts'
import { checkConnector, checkEndpoint } from './check-connector.ts'
import { checkedAsk, rootOf } from './check-places.ts'
import { withOptionalDefaults } from './optional-defaults.ts'
import { outputFault } from './output-fault.ts'
import { withPaging } from './paging.ts'
import { parseQuery } from './query.ts'
import type { CodeSource } from './threads/source.ts'
import { inputParser, lazy } from './validate.ts'

/** Throws what is wrong with the connector. */
export function appOf(slug: string, spec: ConnectorSpec, sandboxUrl: string, source?: CodeSource): App {
  checkConnector(slug, spec)
  const origin = originOf(spec.origin, sandboxUrl)
  return {
    slug,
    ...(source && { source }),
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
    endpoints: bindAll(slug, spec, source),
    things: spec.things,
    pacing: spec.pacing ?? { perApp: 20, perAccount: 2 },
  }
}

/** Throws if it is neither an address nor a valid way to ask for one. */
function originOf(origin: Origin, sandboxUrl: string): Origin {
  if (typeof origin !== 'string') return checkedAsk(origin)
  return rootOf(origin.replace('{sandbox}', sandboxUrl.replace(/\/+$/, '')))
}

/** The endpoints of one connector, by name. Throws if two have the same name, or one is invalid. */
export function bindAll(slug: string, spec: ConnectorSpec, source?: CodeSource): ReadonlyMap<string, Endpoint> {
  const endpoints = new Map<string, Endpoint>()
  for (const [name, definition] of spec.endpoints.flatMap(readsFirst)) {
    if (endpoints.has(name)) throw new Error(`${slug} has two endpoints named ${name}`)
    checkEndpoint(name, definition, spec)
    const endpoint = bind(slug, name, definition, spec)
    endpoints.set(name, source ? { ...endpoint, source } : endpoint)
  }
  return endpoints
}

/** Sorted explicitly: the order of a module's exports depends on the loader. */
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
    approval = null,
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
    approval,
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
    who: spec.signIn.who,
    csrf: definition.csrf === undefined && line.method !== 'GET' ? (spec.csrf ?? null) : (definition.csrf ?? null),
  }
}

function jsonSchema(schema: TSchema): JsonSchema {
  const plain: JsonSchema = structuredClone({ ...schema })
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...plain }
}
