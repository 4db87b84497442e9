import { hasGroups, withoutGroups } from '../../connectors/kit/groups.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import { exampleOf } from '../../connectors/examples.ts'
import type { Example } from '../../connectors/examples.ts'
import type { App, Endpoint, JsonSchema } from '../../connectors/registry.ts'
import { declarationsOf } from '../http/declarations.ts'
import { errorResponses, tooLong } from './errors.ts'
import { usualHeaders } from './headers.ts'
import { json, refs, schemaRef } from './parts.ts'
import type { Json } from './parts.ts'

interface Paths {
  readonly paths: Json
  readonly schemas: Json
  readonly responses: Json
}

/** Every endpoint of the apps: POST, and GET for those that only read. */
export function endpointPaths(apps: readonly App[], today: Date): Paths {
  const all = apps.flatMap((app) => [...app.endpoints.values()].map((endpoint) => ({ app, endpoint })))
  const each = all.map(({ app, endpoint }) => describe(app, endpoint, exampleOf(app.slug, endpoint.name, today)))
  return {
    paths: Object.fromEntries(each.map(({ path, item }) => [path, item])),
    schemas: Object.assign({}, ...each.map(({ schemas }) => schemas)) as Json,
    responses: Object.assign({}, ...each.map(({ responses }) => responses)) as Json,
  }
}

function describe(app: App, endpoint: Endpoint, example: Example | undefined) {
  const id = `${app.slug}.${endpoint.name}`
  const input = withoutDialect(endpoint.inputSchema)
  const shared = {
    tags: [app.slug],
    summary: endpoint.summary,
    description: describedIn(endpoint),
    'x-callgate-access': endpoint.access,
    'x-callgate-confirm': endpoint.confirm,
    'x-callgate-credits': endpoint.credits,
    ...declarationsOf(endpoint),
  }
  const answers = { 200: { $ref: `#/components/responses/${id}` }, 202: { $ref: '#/components/responses/Accepted' } }
  const takes = refs('parameters', [
    'X-Callgate-Account',
    'X-Callgate-Reason',
    'X-Callgate-Metadata',
    'Idempotency-Key',
    'Prefer',
  ])
  const post = {
    ...shared,
    operationId: id,
    parameters: takes,
    requestBody: {
      required: namesIn(input['required']).length > 0,
      content: json(schemaRef(`${id}.input`), example && { example: example.input }),
    },
    responses: { ...answers, ...errorResponses('call') },
  }
  const query = queryParameters(input, { id, example })
  const get = {
    ...shared,
    operationId: `${id}.get`,
    parameters: [...query.parameters, ...takes],
    responses: { ...answers, ...errorResponses('call', [413, 415]), ...tooLong },
  }
  return {
    path: `/${app.slug}/${endpoint.name}`,
    item: endpoint.access === 'read' ? { get, post } : { post },
    schemas: {
      [`${id}.input`]: input,
      [`${id}.output`]: withoutDialect(endpoint.outputSchema),
      ...(endpoint.access === 'read' && query.schemas),
    },
    responses: {
      [id]: {
        description: 'Done: exactly the output of the endpoint.',
        headers: usualHeaders('Idempotent-Replayed'),
        content: json(schemaRef(`${id}.output`), example && { example: example.output }),
      },
    },
  }
}

function describedIn({ access, confirm, credits }: Endpoint): string {
  const cost = `Costs ${credits} ${credits === 1 ? 'credit' : 'credits'} when it succeeds.`
  if (access === 'read') return `Changes nothing in the app. ${cost}`
  const asks = confirm
    ? 'Reaches other people: by default it answers 202 and waits until the person has approved it.'
    : 'Changes something in the app, without asking the person first by default.'
  return `${asks} ${cost}`
}

/**
 * Numbers and booleans as text, arrays by repeating the name, objects as JSON text. Schemas of
 * objects are components: with one inside a parameter, openapi-generator makes a Python client that
 * cannot be imported.
 */
function queryParameters(
  input: JsonSchema,
  { id, example }: { readonly id: string; readonly example: Example | undefined },
): { readonly parameters: readonly Json[]; readonly schemas: Json } {
  const required = namesIn(input['required'])
  const schemas: Record<string, Json> = {}
  const parameters = Object.entries((input['properties'] ?? {}) as Record<string, Json>).map(([name, property]) => {
    const { description, ...schema } = property
    const value = example?.input[name]
    const shown = value === undefined ? {} : { example: value }
    const isObject = property['type'] === 'object'
    if (isObject) schemas[`${id}.input.${name}`] = schema
    return {
      name,
      in: 'query',
      ...(description !== undefined && { description }),
      ...(required.includes(name) && { required: true }),
      ...(isObject
        ? { content: { 'application/json': { schema: schemaRef(`${id}.input.${name}`), ...shown } } }
        : { schema, ...shown }),
    }
  })
  return { parameters, schemas }
}

function namesIn(required: unknown): readonly unknown[] {
  return Array.isArray(required) ? required : []
}

/** The document's own dialect covers it. */
function withoutDialect(schema: JsonSchema): Json {
  return portable(Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$schema'))) as Json
}

/**
 * The schema in a form that openapi-generator makes compiling clients of: `type: [X, "null"]` for
 * `anyOf: [X, null]` (Python), and an object's default in its description (Go).
 */
function portable(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(portable)
  if (!isFields(given)) return given
  const schema = withGroupsAside(withDefaultInWords(given))
  const { anyOf, ...rest } = schema
  const forms = Array.isArray(anyOf) ? anyOf.filter(isFields) : []
  const [form, ...others] = forms.filter(({ type }) => type !== 'null')
  const single = others.length === 0 && forms.length === 2 && typeof form?.['type'] === 'string'
  const merged =
    single && form['enum'] === undefined && !('const' in form)
      ? { ...form, ...rest, type: [form['type'], 'null'] }
      : schema
  return Object.fromEntries(
    Object.entries(merged).map(([name, value]) => [name, isData.has(name) ? value : portable(value)]),
  )
}

/** `not: { not: X }` means X; a generator that reads X as a choice of types loses object fields. */
function withGroupsAside(schema: Json): Json {
  if (!hasGroups(schema)) return schema
  const { anyOf, oneOf } = schema
  const groups = { ...(anyOf !== undefined && { anyOf }), ...(oneOf !== undefined && { oneOf }) }
  return { ...withoutGroups(schema), not: { not: groups } }
}

function withDefaultInWords(schema: Json): Json {
  const { default: value, ...rest } = schema
  if (!isFields(value)) return schema
  const described = typeof rest['description'] === 'string' ? `${rest['description']} ` : ''
  return { ...rest, description: `${described}Default: ${JSON.stringify(value)}.` }
}

/** Values, not schemas. */
const isData: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples', 'example', 'required'])
