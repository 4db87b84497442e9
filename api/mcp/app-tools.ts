import { Type } from 'typebox'
import type { TObject } from 'typebox'
import type { App, Endpoint } from '../../connectors/registry.ts'
import { argumentReader } from '../http/argument-reader.ts'
import { limitToolCall } from '../http/rate-limit.ts'
import { invalidInput } from '../../core/calls/invalid-input.ts'
import { idempotencyKey, reason } from './action-tools.ts'
import { withCard } from './card-kind.ts'
import { fields, wrongFields } from './fields.ts'
import { listedSchema, shortenings } from './listed-schema.ts'
import type { Shortening } from './listed-schema.ts'
import { runEndpoint } from './run.ts'
import type { McpTool } from './tool.ts'
import { annotations, closed, text, wait } from './tool.ts'

/** What the call itself takes, beside the inputs of the endpoint. */
const callArguments = { account: Type.Optional(text('Which of several connected accounts.')), fields, wait }
const readers = { read: reader(Type.Object(callArguments, closed)), write: reader(writeArguments()) }

/** An endpoint as a tool of its own; `named` keeps those of several apps apart. */
function endpointTool(endpoint: Endpoint, named: string, shortening: Shortening): McpTool {
  const { access, confirm } = endpoint
  const names = extraNames(endpoint)
  return {
    definition: {
      name: named,
      description: toolDescription(endpoint, confirm),
      annotations: annotationsOf(endpoint),
      inputSchema: withExtras(endpoint, names, shortening),
      ...(access === 'write' && { _meta: withCard }),
    },
    runs: endpoint,
    async run(args, request) {
      if (request.resumes === undefined) await limitToolCall(request.api, request.key)
      const { input, extras } = split(args, names)
      const given: CallArguments = readers[access].read(extras)
      const { account, fields: wanted, wait: seconds, idempotency_key: idempotencyKey, reason: said } = given
      const wrong = wrongFields(endpoint.outputSchema, wanted)
      if (wrong.length > 0) throw invalidInput(wrong)
      return runEndpoint(request, {
        endpoint,
        input,
        account,
        fields: wanted,
        wait: seconds,
        idempotencyKey,
        reason: said,
      })
    },
  }
}

/** `asks`: whether the person approves each call first, for the key that reads it. */
export function toolDescription({ summary }: Endpoint, asks: boolean): string {
  return asks ? `${summary} A person approves it first.` : summary
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

/** What a call takes is the same for all tools, so the server's instructions describe it once. */
function withExtras({ access, inputSchema }: Endpoint, names: ReadonlyMap<string, string>, shortening: Shortening) {
  const schema = listedSchema(inputSchema, shortening)
  const { properties } = listedSchema(readers[access].schema, 'bare')
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
  readonly fields?: readonly string[]
  readonly wait: number
  readonly idempotency_key?: string
  readonly reason?: string
}

function reader<T extends TObject>(schema: T) {
  return { schema, read: argumentReader(schema) }
}

/** Characters of JSON for the tools of one app: with the few beside them, a list of tools has at most 17,000. */
const roomForTools = 14_780

/** All endpoints of the app, in their order, described as fully as there is room for. */
export function appTools(app: App, alone: boolean): readonly McpTool[] {
  const tools = (shortening: Shortening) =>
    [...app.endpoints.values()].map((endpoint) => endpointTool(endpoint, toolName(endpoint, alone), shortening))
  const fits = (made: readonly McpTool[]) =>
    JSON.stringify(made.map(({ definition }) => definition)).length <= roomForTools
  return shortenings.map(tools).find(fits) ?? tools('bare')
}
