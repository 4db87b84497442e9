import { randomUUID } from 'node:crypto'
import { CLIENT_CAPABILITIES_META_KEY, fromJsonSchema } from '@modelcontextprotocol/server'
import type { ServerContext } from '@modelcontextprotocol/server'
import { isFields } from '../../connectors/kit/wire.ts'
import type { Api } from '../http/api.ts'

export const tasksExtension = 'io.modelcontextprotocol/tasks'

interface Page {
  readonly callId: string
  readonly url: string
  readonly message: string
}

/** What the client says that it can do. */
export interface Client {
  /** 2026: shows an address to the person when the answer asks for it, and comes back with the same request. */
  readonly opensUrls: boolean
  /** 2025: shows an address to the person while its request is under way. */
  readonly showPage: ((page: Page) => void) | undefined
  readonly followsTasks: boolean
}

export function clientOf(api: Api, ctx: ServerContext): Client {
  const capabilities = field(ctx.mcpReq.envelope, CLIENT_CAPABILITIES_META_KEY)
  const shows = ctx.http?.req?.headers.get(sessionHeader)?.startsWith(showsPages) === true
  return {
    opensUrls: opensUrls(capabilities),
    showPage: shows ? (page) => showPage(api, ctx, page) : undefined,
    followsTasks: field(field(capabilities, 'extensions'), tasksExtension) !== undefined,
  }
}

function opensUrls(capabilities: unknown): boolean {
  return field(field(capabilities, 'elicitation'), 'url') !== undefined
}

export const sessionHeader = 'Mcp-Session-Id'
const showsPages = 'shows-pages.'

/** 2025 clients say what they can do in their first message only. No session is kept: its id tells the next request what they said. */
export function sessionIdFor(body: unknown): string | undefined {
  const begins = field(body, 'method') === 'initialize'
  return begins && opensUrls(field(field(body, 'params'), 'capabilities')) ? `${showsPages}${randomUUID()}` : undefined
}

const anything = fromJsonSchema({})

/** Nobody waits for what the client answers: it arrives at any process, and decides nothing. */
function showPage({ ctx: { log } }: Api, { mcpReq }: ServerContext, { callId, ...page }: Page): void {
  const params = { ...page, mode: 'url', elicitationId: callId }
  mcpReq.send({ method: 'elicitation/create', params }, anything).then(
    () => log.debug({ call: callId }, 'a client answered a request to show a page'),
    () => log.debug({ call: callId }, 'a request to show a page ended without an answer'),
  )
}

function field(value: unknown, name: string): unknown {
  return isFields(value) ? value[name] : undefined
}
