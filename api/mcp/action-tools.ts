import { Type } from 'typebox'
import type { Endpoint } from '../../connectors/registry.ts'
import { invalidInput } from '../../core/calls/invalid-input.ts'
import type { Access } from '../../schemas/call.ts'
import { longestWhy } from '../http/call-request.ts'
import { findApp, findEndpoint } from '../http/find.ts'
import { limitToolCall } from '../http/rate-limit.ts'
import { fields, wrongFields } from './fields.ts'
import { wrongTool } from './results.ts'
import { runEndpoint } from './run.ts'
import type { ToolRequest, ToolResult } from './tool.ts'
import { annotations, closed, text, tool, wait } from './tool.ts'

export const idempotencyKey = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'A text of your own: repeated with the same input, the action is not run twice.',
  }),
)

export const reason = Type.Optional(
  Type.String({
    maxLength: longestWhy,
    description: 'Why, in your words, for the person who approves it. Never sent to the app.',
  }),
)

export const named = {
  app: text('The app, as search_actions names it.'),
  action: text('The action, as search_actions names it.'),
}

const action = {
  ...named,
  input: Type.Object({}, { default: {}, additionalProperties: true, description: 'As get_action describes it.' }),
  account: Type.Optional(text('Which of several connected accounts.')),
  fields,
  wait,
}

const toolFor: Readonly<Record<Access, string>> = { read: 'read_action', write: 'write_action' }

export const read_action = tool({
  name: toolFor.read,
  description: 'Run an action that only reads. Answers with its output; pass next_cursor back as cursor for more.',
  annotations: annotations.read,
  runs: 'read',
  input: Type.Object(action, closed),
  run: (args, request) => runAction('read', args, request),
})

export const write_action = tool({
  name: toolFor.write,
  description:
    'Run an action that changes something. If it needs approval, nothing is sent until the person opens confirm_url and approves; then use get_call. You cannot approve.',
  annotations: annotations.write,
  runs: 'write',
  input: Type.Object({ ...action, idempotency_key: idempotencyKey, reason }, closed),
  run: (args, request) => runAction('write', args, request),
})

/** Throws unknown_app, unknown_endpoint, method_not_allowed, or invalid_input where the output has no such field: before anything runs. */
export function endpointFor(
  { api }: ToolRequest,
  access: Access,
  { app, action: name, fields: wanted }: Pick<ActionArguments, 'app' | 'action' | 'fields'>,
): Endpoint {
  const endpoint = findEndpoint(findApp(api.ctx.apps, app), name)
  if (endpoint.access !== access)
    throw wrongTool(`${endpoint.name} is a ${endpoint.access} action.`, toolFor[endpoint.access])
  const wrong = wrongFields(endpoint.outputSchema, wanted)
  if (wrong.length > 0) throw invalidInput(wrong)
  return endpoint
}

interface ActionArguments {
  readonly app: string
  readonly action: string
  readonly input: object
  readonly account?: string
  readonly fields?: readonly string[]
  readonly wait: number
  readonly idempotency_key?: string
  readonly reason?: string
}

async function runAction(access: Access, args: ActionArguments, request: ToolRequest): Promise<ToolResult> {
  if (request.resumes === undefined) await limitToolCall(request.api, request.key)
  const endpoint = endpointFor(request, access, args)
  const { input, account, fields: wanted, wait: seconds, idempotency_key: idempotencyKey, reason: said } = args
  return runEndpoint(request, { endpoint, input, account, fields: wanted, wait: seconds, idempotencyKey, reason: said })
}
