import type { TSchema } from 'typebox'
import { connectors } from './apps.ts'
import { checkConnector, checkEndpoint } from './runtime/check-connector.ts'
import type { ConnectorSpec, EndpointDefinition } from './kit/define.ts'
import type { App, Apps, Endpoint, JsonSchema } from './runtime/app.ts'
import { brokenBy } from './runtime/load.ts'
import type { BrokenApp, Loaded } from './runtime/load.ts'
import { outputFault } from './runtime/output-fault.ts'
import { parseQuery } from './runtime/query.ts'
import { withPaging } from './runtime/paging.ts'
import { withOptionalDefaults } from './runtime/optional-defaults.ts'
import { inputParser, lazy } from './runtime/validate.ts'
import { definitionVersion } from './runtime/version.ts'

export type { App, Apps, Detail, Endpoint, JsonSchema, ParsedInput } from './runtime/app.ts'

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
    things: spec.things,
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
    parseInput: withPaging({ id, schema: input }, inputParser({ id, schema: input, line: asTheyAre })),
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
