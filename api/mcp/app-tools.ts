import { Type } from 'typebox'
import type { TObject } from 'typebox'
import type { App, Endpoint } from '../../connectors/registry.ts'
import { groupWords } from '../../connectors/kit/groups.ts'
import { argumentReader } from '../http/argument-reader.ts'
import { limitToolCall } from '../../core/http/rate-limit.ts'
import { callArguments } from './call-arguments.ts'
import type { CallArguments } from './call-arguments.ts'
import { withCard } from './card-kind.ts'
import { listedSchema, shortenings } from './listed-schema.ts'
import type { Shortening } from './listed-schema.ts'
import { runEndpoint } from './run.ts'
import type { McpTool } from './tool.ts'
import { annotations, closed } from './tool.ts'
import { unquoted } from './unquoted.ts'

const readers = {
  read: reader(Type.Object(callArguments.read, closed)),
  write: reader(Type.Object(callArguments.write, closed)),
}

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
      const given: CallArguments = readers[access].read(unquoted(readers[access].schema, extras))
      return runEndpoint(request, { ...given, endpoint, input })
    },
  }
}

/** `asks`: whether each call needs approval first, for the key that reads it. */
export function toolDescription({ summary, inputSchema }: Endpoint, asks: boolean): string {
  const groups = groupWords(inputSchema).map((words) => ` Takes ${words}.`)
  return `${summary}${groups.join('')}${asks ? ' A person approves it first.' : ''}`
}

function annotationsOf({ access, label, effect }: Endpoint): McpTool['definition']['annotations'] {
  const hints = access === 'read' ? annotations.read : { ...annotations.write, destructiveHint: effect !== 'adds' }
  return { ...(label !== '' && { title: label }), ...hints }
}

/** `create_appointment` alone, `salon_booking_create_appointment` beside other apps. */
function toolName(endpoint: Endpoint, alone: boolean): string {
  return alone ? endpoint.name : `${endpoint.app.replaceAll('-', '_')}_${endpoint.name}`
}

/** Arguments of the call by their name here: prefixed where the endpoint has such an input. */
function extraNames({ access, inputSchema }: Endpoint): ReadonlyMap<string, string> {
  const inputs = Object(inputSchema['properties']) as object
  const wanted = Object.keys(readers[access].schema.properties)
  return new Map(wanted.map((name) => [Object.hasOwn(inputs, name) ? `callgate_${name}` : name, name]))
}

/** Call arguments are the same on all tools: the server's instructions describe them once. */
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

function reader<T extends TObject>(schema: T) {
  return { schema, read: argumentReader(schema) }
}

/** Characters of JSON for one app's tools: with the few others, a tool list has at most 17,000. */
const roomForTools = 14_660

/** All endpoints of the app, in order, described as fully as fits. */
export function appTools(app: App, alone: boolean): readonly McpTool[] {
  const tools = (shortening: Shortening) =>
    [...app.endpoints.values()].map((endpoint) => endpointTool(endpoint, toolName(endpoint, alone), shortening))
  const fits = (made: readonly McpTool[]) =>
    JSON.stringify(made.map(({ definition }) => definition)).length <= roomForTools
  return shortenings.map(tools).find(fits) ?? tools('bare')
}
