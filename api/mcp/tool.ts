import type { CallToolResult, InputRequiredResult, Tool } from '@modelcontextprotocol/server'
import { Type } from 'typebox'
import type { Static, TObject } from 'typebox'
import { withOptionalDefaults } from '../../connectors/runtime/optional-defaults.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import type { Access } from '../../schemas/call.ts'
import type { ApiKey } from '../../core/keys/rows.ts'
import type { Api } from '../http/api.ts'
import { argumentReader } from '../http/argument-reader.ts'
import { withCard } from './card-kind.ts'
import type { Client } from './client.ts'
import { unquoted } from './unquoted.ts'

/** Who sent a message, and what is told to whom asks about it. */
export interface Session {
  readonly api: Api
  readonly key: ApiKey
  /** Where it came from. */
  readonly address: string
  readonly requestId: string
}

export interface Resumed {
  readonly callId: string
  /** The person did not want to be led to the page, or closed what led there. */
  readonly refused: 'declined' | 'dismissed' | undefined
}

export interface ToolRequest extends Session {
  readonly client: Client
  /** The call that this request asks for once more, as the client was told to. */
  readonly resumes: Resumed | undefined
}

/** `resultType: 'task'` comes from the tasks extension, which the SDK's types do not know. */
export type ToolResult = CallToolResult | InputRequiredResult

export interface McpTool {
  readonly definition: Tool
  /** What it runs: an endpoint, or any of those that only read or that write. Undefined: it runs none. */
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
  run(args: Static<T>, request: ToolRequest): Promise<ToolResult>
}): McpTool {
  const { name, description, annotations, input, runs } = spec
  const read = argumentReader(input)
  return {
    definition: {
      name,
      description,
      annotations,
      inputSchema: objectSchema(input),
      ...(runs === 'write' && { _meta: withCard }),
    },
    runs,
    run: (args, request) => spec.run(read(unquoted(input, args)), request),
  }
}

/** As JSON, without what TypeBox adds and agents need not pay for. What has a default need not be given. */
export function objectSchema(schema: unknown): Tool['inputSchema'] {
  return { ...(withOptionalDefaults(withoutDeclarations(schema)) as Record<string, unknown>), type: 'object' }
}

/** What agents would pay for and need not know: for them, descriptions say where an id comes from and what an amount counts. */
export function withoutDeclarations<T>(described: T): T {
  const kept = (key: string, value: unknown) => (key.startsWith('x-callgate-') || key === '$schema' ? undefined : value)
  return JSON.parse(JSON.stringify(described, kept)) as T
}

export const closed = { additionalProperties: false } as const
export const text = (description: string) => Type.String({ description })

/** The longest that a tool waits: clients give up after a minute, proxies often sooner. */
const longestWait = 45
export const wait = Type.Integer({
  minimum: 0,
  maximum: longestWait,
  default: 25,
  description: 'Seconds to wait for the end of the call.',
})

/** What a tool does, for the client's own questions to the person. */
export const annotations = {
  look: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  write: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  cancel: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
} as const
