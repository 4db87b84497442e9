import { Type } from 'typebox'
import type { TObject } from 'typebox'
import type { App, Endpoint } from '../../connectors/registry.ts'
import { argumentReader } from '../http/argument-reader.ts'
import { limitToolCall } from '../http/rate-limit.ts'
import { idempotencyKey, reason } from './action-tools.ts'
import { runEndpoint } from './run.ts'
import type { McpTool } from './tool.ts'
import { annotations, closed, errorSchema, objectSchema, text, wait } from './tool.ts'

/** What the call itself takes, beside the inputs of the endpoint. */
const callArguments = { account: Type.Optional(text('Which of several connected accounts.')), wait }
const readers = { read: reader(Type.Object(callArguments, closed)), write: reader(writeArguments()) }

/** An endpoint as a tool of its own; `named` keeps those of several apps apart. */
function endpointTool(endpoint: Endpoint, named: string): McpTool {
  const { access, summary, confirm } = endpoint
  const names = extraNames(endpoint)
  return {
    definition: {
      name: named,
      description: confirm ? `${summary} A person approves it first.` : summary,
      annotations: annotationsOf(endpoint),
      inputSchema: withExtras(endpoint, names),
      outputSchema: { type: 'object', anyOf: [objectSchema(endpoint.outputSchema), pendingSchema, errorSchema] },
    },
    async run(args, request) {
      if (request.resumes === undefined) await limitToolCall(request.api, request.key)
      const { input, extras } = split(args, names)
      const given: CallArguments = readers[access].read(extras)
      const { account, wait: seconds, idempotency_key, reason: said } = given
      const wanted = { endpoint, input, account, wait: seconds, idempotencyKey: idempotency_key, reason: said }
      return runEndpoint(request, wanted)
    },
  }
}

function annotationsOf({ access, label, effect }: Endpoint): McpTool['definition']['annotations'] {
  const hints = access === 'read' ? annotations.read : { ...annotations.write, destructiveHint: effect !== 'adds' }
  return { ...(label !== '' && { title: label }), ...hints }
}

/** `create_appointment` alone, `salon_booking_create_appointment` beside other apps. */
function toolName(endpoint: Endpoint, alone: boolean): string {
  return alone ? endpoint.name : `${endpoint.app.replaceAll('-', '_')}_${endpoint.name}`
}

/** Of each argument of the call, the name that it has here: another one where the endpoint has an input of that name. */
function extraNames({ access, inputSchema }: Endpoint): ReadonlyMap<string, string> {
  const inputs = Object(inputSchema['properties']) as object
  const wanted = Object.keys(readers[access].schema.properties)
  return new Map(wanted.map((name) => [Object.hasOwn(inputs, name) ? `callgate_${name}` : name, name]))
}

function withExtras({ access, inputSchema }: Endpoint, names: ReadonlyMap<string, string>) {
  const schema = objectSchema(inputSchema)
  const { properties } = objectSchema(readers[access].schema)
  const extras = [...names].map(([here, name]) => [here, properties?.[name] ?? {}])
  return { ...schema, properties: { ...schema.properties, ...(Object.fromEntries(extras) as object) } }
}

function split(args: unknown, names: ReadonlyMap<string, string>) {
  const given = Object.entries(Object(args) as object) as [string, unknown][]
  const extras = given.filter(([name]) => names.has(name)).map(([name, value]) => [names.get(name), value])
  return {
    input: Object.fromEntries(given.filter(([name]) => !names.has(name))),
    extras: Object.fromEntries(extras) as Record<string, unknown>,
  }
}

function writeArguments() {
  return Type.Object({ ...callArguments, idempotency_key: idempotencyKey, reason }, closed)
}

interface CallArguments {
  readonly account?: string
  readonly wait: number
  readonly idempotency_key?: string
  readonly reason?: string
}

function reader<T extends TObject>(schema: T) {
  return { schema, read: argumentReader(schema) }
}

/** What is answered instead of the output while the call is not executed. */
const pendingSchema = {
  type: 'object',
  required: ['status', 'call_id', 'message'],
  properties: { status: { type: 'string' }, call_id: { type: 'string' }, message: { type: 'string' } },
} as const

/** All endpoints of the app, in their order. */
export function appTools(app: App, alone: boolean): readonly McpTool[] {
  return [...app.endpoints.values()].map((endpoint) => endpointTool(endpoint, toolName(endpoint, alone)))
}
