import type { CallToolResult, InputRequiredResult, Tool } from '@modelcontextprotocol/server'
import { Type } from 'typebox'
import type { Static, TObject } from 'typebox'
import { withOptionalDefaults } from '../../connectors/runtime/optional-defaults.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import type { Access } from '../../schemas/call.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import type { Context } from '../../core/context.ts'
import type { ApiKey } from '../../core/keys/rows.ts'
import type { Api } from '../../core/http/api.ts'
import { argumentReader } from '../http/argument-reader.ts'
import { withCard } from './card-kind.ts'
import type { Client } from './client.ts'
import { portable } from './portable-schema.ts'
import { unquoted } from './unquoted.ts'

/** Who sent a message, and what its handlers need. */
export interface Session {
  readonly api: Api
  readonly key: ApiKey
  /** IP address of the sender. */
  readonly address: string
  readonly requestId: string
  /** HTML that a card shows of a waiting call; undefined if it cannot be shown. */
  readonly cardOf: (ctx: Context, call: CallRow) => Promise<string | undefined>
}

export interface Resumed {
  readonly callId: string
  /** The user declined to open the page, or dismissed the question. */
  readonly refused: 'declined' | 'dismissed' | undefined
}

export interface ToolRequest extends Session {
  readonly client: Client
  /** The call that this request asks for again, as the client was asked to. */
  readonly resumes: Resumed | undefined
}

/** `resultType: 'task'` comes from the tasks extension, which the SDK's types do not know. */
export type ToolResult = CallToolResult | InputRequiredResult

export interface McpTool {
  readonly definition: Tool
  /** What it runs: one endpoint, or any that reads or writes. Undefined: it runs none. */
  readonly runs?: Endpoint | Access | undefined
  run(args: unknown, request: ToolRequest): Promise<ToolResult>
}

/** A tool whose arguments are checked before it runs; wrong ones throw invalid_input. */
export function tool<T extends TObject>(spec: {
  readonly name: string
  readonly description: string
  readonly annotations: NonNullable<Tool['annotations']>
  readonly input: T
  readonly runs?: Access
  /** Normalizes arguments that other clients of Callgate would accept. */
  meant?(args: unknown): unknown
  run(args: Static<T>, request: ToolRequest): Promise<ToolResult>
}): McpTool {
  const { name, description, annotations, input, runs } = spec
  const read = argumentReader(input)
  return {
    definition: {
      name,
      description,
      annotations,
      inputSchema: listed(objectSchema(input)),
      ...(runs === 'write' && { _meta: withCard }),
    },
    runs,
    run(args, request) {
      const sent = unquoted(input, args)
      return spec.run(read(spec.meant?.(sent) ?? sent), request)
    },
  }
}

/** As JSON, without TypeBox's additions, which cost tokens. A field with a default is optional. */
export function objectSchema(schema: unknown): Tool['inputSchema'] {
  return { ...(withOptionalDefaults(withoutDeclarations(schema)) as Record<string, unknown>), type: 'object' }
}

/** As a list of tools shows it. */
export function listed(schema: Tool['inputSchema']): Tool['inputSchema'] {
  return { ...portable(schema), type: 'object' }
}

/** Without declarations, which cost agents tokens: descriptions say the same of ids and amounts. */
export function withoutDeclarations<T>(described: T): T {
  const kept = (key: string, value: unknown) => (key.startsWith('x-callgate-') || key === '$schema' ? undefined : value)
  return JSON.parse(JSON.stringify(described, kept)) as T
}

export const closed = { additionalProperties: false } as const
export const text = (description: string) => Type.String({ minLength: 1, description })

/** Maximum wait of a tool (s): clients time out after a minute, proxies often sooner. */
const longestWait = 45
export const wait = Type.Integer({
  minimum: 0,
  maximum: longestWait,
  default: 25,
  description: 'Seconds to wait for the end of the call.',
})

/** What a tool does, for the client's own permission prompts. */
export const annotations = {
  look: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  write: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  cancel: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
} as const
