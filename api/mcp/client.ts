import { randomUUID } from 'node:crypto'
import { CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, fromJsonSchema } from '@modelcontextprotocol/server'
import type { ServerContext } from '@modelcontextprotocol/server'
import { clientName } from '../../core/calls/client-name.ts'
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
  /** What the client says of itself. */
  readonly name: string | undefined
}

export function clientOf(api: Api, ctx: ServerContext): Client {
  const capabilities = field(ctx.mcpReq.envelope, CLIENT_CAPABILITIES_META_KEY)
  const headers = ctx.http?.req?.headers
  const session = headers?.get(sessionHeader) ?? ''
  const shows = session.startsWith(showsPages)
  return {
    opensUrls: opensUrls(capabilities),
    showPage: shows ? (page) => showPage(api, ctx, page) : undefined,
    followsTasks: field(field(capabilities, 'extensions'), tasksExtension) !== undefined,
    name:
      nameIn(field(ctx.mcpReq.envelope, CLIENT_INFO_META_KEY)) ??
      clientName(Buffer.from(session.split(beforeName)[1] ?? '', 'base64url').toString()) ??
      clientName(headers?.get('User-Agent') ?? ''),
  }
}

/** `claude-code 2.1.0` */
function nameIn(info: unknown): string | undefined {
  const said = [field(info, 'name'), field(info, 'version')].filter((one) => typeof one === 'string')
  return clientName(said.join(' '))
}

function opensUrls(capabilities: unknown): boolean {
  return field(field(capabilities, 'elicitation'), 'url') !== undefined
}

export const sessionHeader = 'Mcp-Session-Id'
const showsPages = 'shows-pages.'
const beforeName = '~'

/** 2025 clients say who they are and what they can do in their first message only. No session is kept: its id tells the next request what they said. */
export function sessionIdFor(body: unknown): string | undefined {
  if (field(body, 'method') !== 'initialize') return undefined
  const said = field(body, 'params')
  const [shows, name] = [opensUrls(field(said, 'capabilities')), nameIn(field(said, 'clientInfo'))]
  if (!shows && name === undefined) return undefined
  const named = name === undefined ? '' : `${beforeName}${Buffer.from(name).toString('base64url')}`
  return `${shows ? showsPages : ''}${randomUUID()}${named}`
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
