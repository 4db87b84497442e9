import { randomUUID } from 'node:crypto'
import { CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, fromJsonSchema } from '@modelcontextprotocol/server'
import type { ServerContext } from '@modelcontextprotocol/server'
import { clientName } from '../../core/calls/client-name.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import type { Api } from '../../core/http/api.ts'
import { cardType } from './card-kind.ts'

export const tasksExtension = 'io.modelcontextprotocol/tasks'
export const cardsExtension = 'io.modelcontextprotocol/ui'

interface Page {
  readonly callId: string
  readonly url: string
  readonly message: string
}

/** How a client leads a user to a page: it opens the URL, or shows a form with only a message. */
export type LeadsBy = 'url' | 'form'

/** What the client says it supports. */
export interface Client {
  /** 2026: leads the user to a page when the answer asks for it, and repeats the same request. */
  readonly leadsBy: LeadsBy | undefined
  /** 2025: leads the user to a page during its request. */
  readonly showPage: ((page: Page) => void) | undefined
  readonly followsTasks: boolean
  /** Shows cards beside the results of tools: MCP Apps. */
  readonly showsCards: boolean
  /** The client's name, self-reported. */
  readonly name: string | undefined
}

export function clientOf(api: Api, ctx: ServerContext): Client {
  const capabilities = field(ctx.mcpReq.envelope, CLIENT_CAPABILITIES_META_KEY)
  const headers = ctx.http?.req?.headers
  const session = headers?.get(sessionHeader) ?? ''
  const [flags = '', named = ''] = session.split(beforeName)
  const said = ways.find((way) => flags.startsWith(prefixes[way]))
  return {
    leadsBy: leadsBy(capabilities),
    showPage: said && ((page) => showPage(api, ctx, page, said)),
    followsTasks: field(field(capabilities, 'extensions'), tasksExtension) !== undefined,
    showsCards: showsCards(capabilities) || flags.includes(cards),
    name:
      nameIn(field(ctx.mcpReq.envelope, CLIENT_INFO_META_KEY)) ??
      clientName(Buffer.from(named, 'base64url').toString()) ??
      clientName(headers?.get('User-Agent') ?? ''),
  }
}

/** `claude-code 2.1.0` */
function nameIn(info: unknown): string | undefined {
  const said = [field(info, 'name'), field(info, 'version')].filter((one) => typeof one === 'string')
  return clientName(said.join(' '))
}

/** An empty elicitation capability means forms, which came first. */
function leadsBy(capabilities: unknown): LeadsBy | undefined {
  const elicitation = field(capabilities, 'elicitation')
  if (!isFields(elicitation)) return undefined
  if (elicitation['url'] !== undefined) return 'url'
  return elicitation['form'] !== undefined || Object.keys(elicitation).length === 0 ? 'form' : undefined
}

/** A form without fields: the user decides on the page alone. */
export const noFields = { type: 'object', properties: {} } as const

/** If a client lists card types, ours must be among them. */
function showsCards(capabilities: unknown): boolean {
  const extension = field(field(capabilities, 'extensions'), cardsExtension)
  const kinds = field(extension, 'mimeTypes')
  return isFields(extension) && (!Array.isArray(kinds) || kinds.includes(cardType))
}

/** With the URL, for a form that cannot open it. */
export function formMessage({ message, url }: Pick<Page, 'message' | 'url'>): string {
  return `${message} The page: ${url} This form decides nothing: go on with it once you have decided there.`
}

export const sessionHeader = 'Mcp-Session-Id'
const ways = ['url', 'form'] as const
const prefixes: Readonly<Record<LeadsBy, string>> = { url: 'shows-pages.', form: 'shows-forms.' }
const cards = 'cards.'
const beforeName = '~'

/** 2025 clients send name and capabilities only at first. No session is kept: its id has them. */
export function sessionIdFor(body: unknown): string | undefined {
  if (field(body, 'method') !== 'initialize') return undefined
  const said = field(body, 'params')
  const capabilities = field(said, 'capabilities')
  const [leads, shows, name] = [leadsBy(capabilities), showsCards(capabilities), nameIn(field(said, 'clientInfo'))]
  if (leads === undefined && !shows && name === undefined) return undefined
  const named = name === undefined ? '' : `${beforeName}${Buffer.from(name).toString('base64url')}`
  return `${leads === undefined ? '' : prefixes[leads]}${shows ? cards : ''}${randomUUID()}${named}`
}

const anything = fromJsonSchema({})

/** Does not wait for the client's answer: it arrives at any process, and decides nothing. */
function showPage({ ctx: { log } }: Api, { mcpReq }: ServerContext, { callId, ...page }: Page, by: LeadsBy): void {
  const params =
    by === 'url'
      ? { ...page, mode: 'url', elicitationId: callId }
      : { mode: 'form', message: formMessage(page), requestedSchema: noFields }
  mcpReq.send({ method: 'elicitation/create', params }, anything).then(
    () => log.debug({ call: callId }, 'a client answered a request to show a page'),
    () => log.debug({ call: callId }, 'a request to show a page ended without an answer'),
  )
}

function field(value: unknown, name: string): unknown {
  return isFields(value) ? value[name] : undefined
}
