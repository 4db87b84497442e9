import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { Agent, Client, buildConnector, errors } from 'undici'
import type { Dispatcher } from 'undici'
import { BadBody, bodyText, tooBig } from './body-text.ts'
import { skipInterimResponses } from './interim-responses.ts'
import type { Method } from '../kit/request-line.ts'
import { always, lookUp } from './dns-lookup.ts'
import type { Reach } from './site.ts'

export interface HttpRequest {
  readonly url: URL
  readonly method: Method
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | null
}

export interface HttpLimits {
  /** Ends the request when it fires; `timedOut` then tells why. */
  readonly signal: AbortSignal
  readonly timedOut: () => boolean
  readonly maxBytes: number
  /** Asked once the connection stands, right before the first byte; false means: send nothing. */
  readonly fence?: () => Promise<boolean>
  /** It changes nothing, so it may go out on a connection that is still open from an earlier one of the same account. */
  readonly keptFor?: string
  /** Finds where to connect to; absent: whatever the host's name stands for. */
  readonly reach?: Reach | undefined
}

/** `sent`: whether a byte of the request may have gone out. */
export type HttpResult =
  | { readonly kind: 'answer'; readonly sent: true; readonly answer: RawAnswer }
  | { readonly kind: 'refused' | 'timeout' | 'lost' | 'fenced'; readonly sent: boolean }
  /** It came, and cannot be read. `rule`: why, in words for operators. */
  | { readonly kind: 'changed'; readonly sent: boolean; readonly rule: string }

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly setCookies: readonly string[]
  readonly text: string
}

/**
 * One request, never repeated. One that may change something has a connection of its own: an idle connection that the app just
 * closed would make an action's fate unknown without need. Redirects are not followed.
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
  skipInterimResponses(socket)
  let handedOver = false
  const client = new Client(request.url.origin, {
    connect: (_options, callback) => {
      // A second connection would mean that undici repeats the request. Answered at once, undici would forget to go on.
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

const kept = new Map<string, Agent>()
/** Accounts that connections are kept for at most: beyond it those of the one that was silent for longest are given up. */
const keptAtMost = 500

/**
 * The open connections of an account. Nobody else's request goes out on them: an app that answers twice, or sends more than it said, would
 * give one person's answer to another.
 */
function keptConnections(account: string, reach: Reach | undefined): Agent {
  const agent = kept.get(account) ?? keepingAgent(reach)
  kept.delete(account)
  kept.set(account, agent)
  const [oldest] = kept
  if (kept.size > keptAtMost && oldest !== undefined) {
    kept.delete(oldest[0])
    // What is under way on them ends first.
    void oldest[1].close()
  }
  return agent
}

/** Connections are given up before the usual app closes them, after 5 s; one that says when it does is believed. */
function keepingAgent(reach: Reach | undefined): Agent {
  return new Agent({
    connect: (options, callback) => {
      const failed = (error: unknown): void => callback(new NoConnection('no connection', { cause: error }), null)
      const by = (connector: typeof anywhere): void =>
        connector(options, (error, socket) => {
          if (error) return failed(error)
          skipInterimResponses(socket)
          return callback(null, socket)
        })
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
    if (value !== undefined && name !== 'set-cookie') given[name] = Array.isArray(value) ? value.join(', ') : value
  const text = await bodyText(await allOf(response.body, given, maxBytes), given, maxBytes)
  const cookies = response.headers['set-cookie'] ?? []
  const setCookies = typeof cookies === 'string' ? [cookies] : cookies
  return { status: response.statusCode, headers: given, setCookies, text }
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

/** One that connects to where `reach` says, and nowhere else: also an address in numbers is asked for first. */
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
