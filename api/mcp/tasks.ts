import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  fromJsonSchema,
} from '@modelcontextprotocol/server'
import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server'
import { CallgateError } from '../../schemas/errors.ts'
import type { Api } from '../../core/http/api.ts'
import { cancelOwnCall, ownCall } from '../http/call-records.ts'
import { orUnavailable } from '../../core/http/unavailable.ts'
import { clientOf, tasksExtension } from './client.ts'
import { protocolError } from './results.ts'
import { taskNow } from './task.ts'
import type { Session, ToolResult } from './tool.ts'

const params = fromJsonSchema<{ readonly taskId: string }>({
  type: 'object',
  required: ['taskId'],
  properties: { taskId: { type: 'string' } },
})

/** tasks/get, update and cancel. Source: https://github.com/modelcontextprotocol/ext-tasks */
export function serveTasks(
  { server }: McpServer,
  session: Session,
  sent: (result: CallToolResult) => ToolResult,
): void {
  const { api, key } = session
  const on = (method: string, answer: (taskId: string) => Promise<Record<string, unknown>>): void => {
    server.setRequestHandler(method, { params }, async ({ taskId }, ctx) => {
      checkDeclared(api, ctx)
      const what = method === 'tasks/cancel' ? 'cancel' : 'read'
      return orUnavailable(what, () => answer(taskId)).catch((error: unknown) => asProtocolError(session, error))
    })
  }
  on('tasks/get', async (taskId) => {
    const { result, ...task } = taskNow(api, await ownCall(api, key, taskId))
    return { ...task, ...(result && { result: sent(result) }) }
  })
  // The user decides on the confirm page: nothing that a client sends changes the call.
  on('tasks/update', async (taskId) => {
    await ownCall(api, key, taskId)
    return {}
  })
  // A request only: a call that was sent meanwhile ends as it ends.
  on('tasks/cancel', async (taskId) => {
    await cancelOwnCall(api, key, taskId).catch((error: unknown) => {
      if (!(error instanceof CallgateError && error.code === 'not_cancellable')) throw error
    })
    return {}
  })
}

function checkDeclared(api: Api, ctx: ServerContext): void {
  if (clientOf(api, ctx).followsTasks) return
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [tasksExtension]: {} } } })
}

function asProtocolError(session: Session, error: unknown): never {
  if (error instanceof CallgateError && error.code === 'unknown_call')
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such task of yours. Check the task id.')
  throw protocolError(session, error)
}
