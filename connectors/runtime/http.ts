import { isUtf8 } from 'node:buffer'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { Agent, Client, buildConnector, errors } from 'undici'
import type { Dispatcher } from 'undici'
import { BadBody, bodyText, tooBig } from './body-text.ts'
import { mendHeads } from './heads.ts'
import { isHtml } from '../kit/content-type.ts'
import type { Method } from '../kit/request-line.ts'
import { always, lookUp } from './dns-lookup.ts'
import type { Reach } from './site.ts'

export interface HttpRequest {
  readonly url: URL
  readonly method: Method
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | null
  /** The host's own request: the connector and its app do not see it. */
  readonly isCheck?: true
}

export interface HttpLimits {
  /** Aborts the request; `timedOut` then says whether by timeout. */
  readonly signal: AbortSignal
  readonly timedOut: () => boolean
  /** Timeout in ms, from the first request with this signal. */
  readonly ms: number
  readonly maxBytes: number
  /** Called once connected, right before the first byte; false: send nothing. */
  readonly fence?: () => Promise<boolean>
  /** It has no effect, so it may reuse a connection of the same account. */
  readonly keptFor?: string
  /** Resolves where to connect to; absent: DNS. */
  readonly reach?: Reach | undefined
}

/** `sent`: whether a byte of the request may have gone out. */
export type HttpResult =
  | { readonly kind: 'answer'; readonly sent: true; readonly answer: RawAnswer }
  | { readonly kind: 'refused' | 'timeout' | 'lost' | 'fenced'; readonly sent: boolean }
  /** An answer came but cannot be read. `rule`: why, for operators. */
  | { readonly kind: 'changed'; readonly sent: boolean; readonly rule: string }

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly setCookies: readonly string[]
  readonly text: string
}

/**
 * One request, never repeated. One that may change something gets its own connection: an idle one
 * that the app just closed would leave its fate unknown. No redirects are followed.
 */
export async function send(request: HttpRequest, limits: HttpLimits): Promise<HttpResult> {
  if (limits.keptFor !== undefined) return sendHarmless(request, limits, keptConnections(limits.keptFor, limits.reach))
  let socket: Socket
  try {
    socket = await connect(request.url, limits)
  } catch (error) {
    return { ...failed(error, limits), sent: false }
  }
  try {
    if (limits.fence && !(await limits.fence())) return { kind: 'fenced', sent: false }
    if (limits.signal.aborted) return { kind: limits.timedOut() ? 'timeout' : 'lost', sent: false }
    if (socket.destroyed) return { kind: 'lost', sent: false }
    return await sendOn(socket, request, limits)
  } finally {
    socket.destroy()
  }
}

async function sendOn(socket: Socket, request: HttpRequest, limits: HttpLimits): Promise<HttpResult> {
  mendHeads(socket)
  let handedOver = false
  const client = new Client(request.url.origin, {
    connect: (_options, callback) => {
      // A second connection means that undici repeats the request; an immediate callback stalls it.
      const first = !handedOver
      handedOver = true
      queueMicrotask(() => (first ? callback(null, socket) : callback(new Error('one connection only'), null)))
    },
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  })
  try {
    return { kind: 'answer', sent: true, answer: await talk(client, request, limits, true) }
  } catch (error) {
    return { ...failed(error, limits), sent: socket.bytesWritten > 0 }
  } finally {
    await client.destroy()
  }
}

interface Kept {
  readonly agent: Agent
  /** The newest request's: a connector may be allowed fewer hosts by now. */
  reach: Reach | undefined
}

const kept = new Map<string, Kept>()
/** Accounts with open connections at most; the least recently used account's close first. */
const keptAtMost = 500

/**
 * The open connections of an account. No other account's request uses them: after a duplicate or
 * overlong answer, one user would get another's data.
 */
function keptConnections(account: string, reach: Reach | undefined): Agent {
  const one: Kept = kept.get(account) ?? { agent: keepingAgent(() => one.reach), reach }
  one.reach = reach
  kept.delete(account)
  kept.set(account, one)
  const [oldest] = kept
  if (kept.size > keptAtMost && oldest !== undefined) {
    kept.delete(oldest[0])
    // Requests in flight on them finish first.
    void oldest[1].agent.close()
  }
  return one.agent
}

/** Idle connections close after 3 s, before most apps do (5 s); an app's own timeout wins. */
function keepingAgent(newest: () => Reach | undefined): Agent {
  return new Agent({
    connect: (options, callback) => {
      const failed = (error: unknown): void => callback(new NoConnection('no connection', { cause: error }), null)
      const by = (connector: typeof anywhere): void =>
        connector(options, (error, socket) => {
          if (error) return failed(error)
          mendHeads(socket)
          return callback(null, socket)
        })
      const reach = newest()
      if (reach === undefined) return by(anywhere)
      const url = new URL(`${options.protocol}//${options.host ?? options.hostname}`)
      return void judged(url, reach, AbortSignal.timeout(connectWithin)).then(by, failed)
    },
    keepAliveTimeout: 3_000,
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  })
}

async function sendHarmless(request: HttpRequest, limits: HttpLimits, agent: Agent): Promise<HttpResult> {
  try {
    return { kind: 'answer', sent: true, answer: await talk(agent, request, limits, false) }
  } catch (error) {
    return { ...failed(error, limits), sent: !(error instanceof NoConnection) }
  }
}

async function talk(
  dispatcher: Dispatcher,
  { url, method, headers, body }: HttpRequest,
  { signal, maxBytes }: HttpLimits,
  reset: boolean,
): Promise<RawAnswer> {
  const response = await dispatcher.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers,
    body,
    signal,
    reset,
  })
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries(response.headers))
    if (value !== undefined && name !== 'set-cookie') given[name] = headerText(name, [value].flat().join(', '))
  const { text, mark } = await bodyText(await allOf(response.body, given, maxBytes), given, maxBytes)
  const type = given['content-type'] ?? ''
  // A byte order mark overrides the declared type: store it there for forms of the page.
  if (mark !== undefined && isHtml(type)) given['content-type'] = `${type.replace(/;.*/, '')}; charset=${mark}`
  const cookies = response.headers['set-cookie'] ?? []
  const setCookies = typeof cookies === 'string' ? [cookies] : cookies
  return { status: response.statusCode, headers: given, setCookies, text }
}

/** Headers as browsers read them: UTF-8 if valid. Other bytes of a location are escaped. */
function headerText(name: string, value: string): string {
  if (!/[\x80-\xff]/.test(value)) return value
  const bytes = Buffer.from(value, 'latin1')
  if (isUtf8(bytes)) return bytes.toString()
  const escaped = (one: string): string => `%${one.charCodeAt(0).toString(16).toUpperCase()}`
  return name === 'location' ? value.replaceAll(/[\x80-\xff]/g, escaped) : value
}

async function allOf(body: Readable, headers: Readonly<Record<string, string>>, maxBytes: number): Promise<Buffer> {
  if (Number(headers['content-length'] ?? 0) > maxBytes) {
    body.on('error', () => undefined).destroy()
    throw tooBig(maxBytes)
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw tooBig(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const connectWithin = 60_000
const anywhere = buildConnector({ timeout: connectWithin, allowH2: false, lookup: lookUp })

/** Connects only to where `reach` allows, IP address literals included. */
async function judged(url: URL, reach: Reach, signal: AbortSignal): Promise<typeof anywhere> {
  const lookup = always(await reach(url, signal))
  return buildConnector({ timeout: connectWithin, allowH2: false, lookup })
}

async function connect(url: URL, { signal, reach }: HttpLimits): Promise<Socket> {
  const connector = reach === undefined ? anywhere : await judged(url, reach, signal).catch(notConnected)
  return new Promise((resolve, reject) => {
    const aborted = (): void => reject(new errors.RequestAbortedError())
    if (signal.aborted) return aborted()
    signal.addEventListener('abort', aborted, { once: true })
    const secure = url.protocol === 'https:'
    const port = url.port === '' ? (secure ? '443' : '80') : url.port
    const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1')
    connector({ hostname, host: url.host, protocol: url.protocol, port }, (error, socket) => {
      signal.removeEventListener('abort', aborted)
      if (error) return reject(new NoConnection('no connection', { cause: error }))
      if (signal.aborted) return socket.destroy()
      return resolve(socket)
    })
  })
}

class NoConnection extends Error {}

function notConnected(error: unknown): never {
  throw new NoConnection('no connection', { cause: error })
}

type Failed = { readonly kind: 'refused' | 'timeout' | 'lost' } | { readonly kind: 'changed'; readonly rule: string }

function failed(error: unknown, limits: HttpLimits): Failed {
  if (limits.signal.aborted) return { kind: limits.timedOut() ? 'timeout' : 'lost' }
  if (error instanceof NoConnection)
    return { kind: error.cause instanceof errors.ConnectTimeoutError ? 'timeout' : 'refused' }
  if (error instanceof BadBody) return { kind: 'changed', rule: error.message }
  if (error instanceof errors.HTTPParserError) return { kind: 'changed', rule: 'not HTTP' }
  if (error instanceof errors.HeadersOverflowError) return { kind: 'changed', rule: 'headers that are too long' }
  return { kind: 'lost' }
}
