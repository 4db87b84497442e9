import { setImmediate } from 'node:timers/promises'
import { McpServer, ProtocolError, ProtocolErrorCode, inputResponse } from '@modelcontextprotocol/server'
import type { CallToolRequest, McpRequestContext, ServerContext } from '@modelcontextprotocol/server'
import manifest from '../../package.json' with { type: 'json' }
import { serveCard } from './card.ts'
import { cardsExtension, clientOf, tasksExtension } from './client.ts'
import { callIdOf, errorResult, inOneText } from './results.ts'
import type { Delivery } from './delivery.ts'
import { refuseInexact } from '../../core/http/json.ts'
import type { Messages } from './message.ts'
import { withProgress } from './progress.ts'
import { usableTools } from './usable.ts'
import { serveTasks } from './tasks.ts'
import { Room } from './room.ts'
import { approval } from './run.ts'
import type { Session, ToolRequest, ToolResult } from './tool.ts'
import type { Toolset } from './toolsets.ts'

export interface McpSession extends Session {
  readonly tools: Toolset
  /** Answers are text alone, without a copy in `structuredContent`. */
  readonly inOneText: boolean
  readonly delivery: Delivery
  /** See `Messages`. */
  readonly inexact: Messages['inexact']
}

/** The card is the same for all users, and changes only with a release. */
const untilRelease = { ttlMs: 60_000, cacheScope: 'public' } as const

/** Serves one HTTP request; the next one gets another server. */
export function createServer(session: McpSession, era: McpRequestContext['era']): McpServer {
  const { instructions } = session.tools
  const modern = era === 'modern'
  const mcp = new McpServer(
    { name: 'callgate', title: 'Callgate', version: manifest.version },
    {
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false },
        extensions: { [cardsExtension]: {}, ...(modern && { [tasksExtension]: {} }) },
      },
      instructions,
      // Clients are not notified when the list changes: a cached one expires after a minute.
      cacheHints: {
        'tools/list': { ttlMs: 60_000, cacheScope: 'private' },
        'resources/list': untilRelease,
        'resources/templates/list': untilRelease,
        'resources/read': untilRelease,
      },
    },
  )
  const sent = session.inOneText ? inOneText : <T>(result: T): T => result
  const turn = turns()
  const room = new Room(session)
  mcp.server.setRequestHandler('tools/list', async ({ params }) => {
    await turn()
    if (params?.cursor !== undefined) throw invalid('There is one page of tools only: leave cursor out.')
    return room.list({ tools: await usableTools(session, session.tools) })
  })
  mcp.server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    await turn()
    const result = room.result(await callTool(session, params, ctx))
    const callId = callIdOf(result)
    if (callId !== undefined) await session.delivery.give(callId)
    return sent(result)
  })
  serveCard(mcp)
  if (modern) serveTasks(mcp, session, (result) => sent(room.result(result)))
  return mcp
}

/** The messages of a batch start one by one; other work of this process runs in between. */
function turns(): () => Promise<void> {
  let last = Promise.resolve()
  return () => (last = last.then(() => setImmediate()))
}

/** A failed call is a result, which models see; only an unknown tool is a protocol error. */
async function callTool(
  session: McpSession,
  { name, arguments: args = {} }: CallToolRequest['params'],
  ctx: ServerContext,
): Promise<ToolResult> {
  const found = session.tools.get(name)
  if (found === undefined) {
    const names = session.tools.definitions.map((tool) => tool.name).join(', ')
    throw invalid(`There is no tool "${name.slice(0, 100)}". Tools: ${names}.`)
  }
  try {
    refuseInexact(session.inexact.get(ctx.mcpReq.id) ?? [])
    const request = { ...session, client: clientOf(session.api, ctx), resumes: resumedCall(ctx) }
    return await withProgress(ctx, session, () => found.run(args, request))
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown
    return errorResult(session, thrown)
  }
}

function resumedCall({ mcpReq }: ServerContext): ToolRequest['resumes'] {
  const callId = mcpReq.requestState<string>()
  const answered = inputResponse(mcpReq.inputResponses, approval)
  if (callId === undefined) return undefined
  const action = answered.kind === 'elicit' ? answered.action : undefined
  return { callId, refused: action === 'decline' ? 'declined' : action === 'cancel' ? 'dismissed' : undefined }
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}
