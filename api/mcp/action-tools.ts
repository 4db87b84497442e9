import { Type } from 'typebox'
import type { Endpoint } from '../../connectors/registry.ts'
import type { Access } from '../../schemas/call.ts'
import { findApp, findEndpoint } from '../http/find.ts'
import { limitToolCall } from '../../core/http/rate-limit.ts'
import { callArguments, named, withApp } from './call-arguments.ts'
import type { CallArguments } from './call-arguments.ts'
import { wrongTool } from './results.ts'
import { runEndpoint } from './run.ts'
import type { ToolRequest, ToolResult } from './tool.ts'
import { annotations, closed, tool } from './tool.ts'

const inputs = Type.Object({}, { default: {}, additionalProperties: true, description: 'As get_action describes it.' })

const toolFor: Readonly<Record<Access, string>> = { read: 'read_action', write: 'write_action' }

export const read_action = tool({
  name: toolFor.read,
  description: 'Run an action that only reads. Answers with its output; pass next_cursor back as cursor for more.',
  annotations: annotations.read,
  runs: 'read',
  input: Type.Object({ ...named, input: inputs, ...callArguments.read }, closed),
  meant: withApp,
  run: (args, request) => runAction('read', args, request),
})

export const write_action = tool({
  name: toolFor.write,
  description:
    'Run an action that changes something. If it needs approval, nothing is sent until the person opens confirm_url and approves; then use get_call. You cannot approve.',
  annotations: annotations.write,
  runs: 'write',
  input: Type.Object({ ...named, input: inputs, ...callArguments.write }, closed),
  meant: withApp,
  run: (args, request) => runAction('write', args, request),
})

/** Throws unknown_app, unknown_endpoint or method_not_allowed. */
export function endpointFor({ api }: ToolRequest, access: Access, { app, action: name }: Named): Endpoint {
  const endpoint = findEndpoint(findApp(api.ctx.apps, app), name)
  if (endpoint.access === access) return endpoint
  throw wrongTool(`${endpoint.name} is a ${endpoint.access} action.`, toolFor[endpoint.access])
}

interface Named {
  readonly app: string
  readonly action: string
}

async function runAction(
  access: Access,
  args: Named & CallArguments & { readonly input: object },
  request: ToolRequest,
): Promise<ToolResult> {
  if (request.resumes === undefined) await limitToolCall(request.api, request.key)
  return runEndpoint(request, { ...args, endpoint: endpointFor(request, access, args) })
}
