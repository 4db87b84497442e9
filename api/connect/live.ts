import { ServerResponse } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type Koa from 'koa'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import { listAccounts } from '../../activities/accounts.ts'
import type { Account } from '../../activities/accounts.ts'
import { connect, openStoredSession } from '../../activities/connections.ts'
import type { Context } from '../../activities/context.ts'
import type { App } from '../../connectors/registry.ts'
import { signedInBrowser } from '../pages/index.ts'
import { takeTry } from '../pages/tries.ts'
import { frames } from './frames.ts'
import { readInput } from './input.ts'
import { openRemoteBrowser } from './remote-browser.ts'
import type { RemoteBrowser, SignedInAs } from './remote-browser.ts'

export interface Limits {
  /** Browsers at once in this process, each about 150 MB. */
  readonly browsers: number
  /** How long a person may take, in ms. */
  readonly time: number
  /** From one look at whether the person is still signed in to the next, in ms. */
  readonly look: number
}
const usual: Limits = { browsers: 3, time: 600_000, look: 3_000 }
/** A browser that has neither started nor closed so many ms after its end keeps its place no longer. */
const goneWithin = 60_000

export type End = 'time' | 'busy' | 'failed' | 'replaced' | 'too_often' | 'signed_out'

interface Live {
  readonly owner: string
  end(reason: End): void
}

interface Room {
  /** Somebody looks at them, or will soon. */
  readonly lives: Set<Live>
  /** Those with a browser, until it is gone: one that starts or closes takes as much memory as one that is looked at. */
  readonly browsers: Set<Live>
}

const livePath = /^\/connect\/([a-z-]{1,64})\/live$/

/** Whether a request asks for a WebSocket where there may be one. Every other offer to speak another protocol is declined. */
export function isLive(request: IncomingMessage): boolean {
  const { pathname = '' } = URL.parse(request.url ?? '', 'http://localhost') ?? {}
  return request.headers.upgrade?.toLowerCase() === 'websocket' && livePath.test(pathname)
}

/** Serves `/connect/{app}/live`: a browser at the app's sign-in page, for as long as the WebSocket is open. */
export function liveConnect(ctx: Context, koa: Koa, server: Server, limits: Limits = usual): { close(): void } {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 16_384, perMessageDeflate: false })
  const room: Room = { lives: new Set(), browsers: new Set() }
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    void admit(ctx, koa, request)
      .then((wanted) => {
        if (typeof wanted === 'number') return refuse(socket, wanted)
        sockets.handleUpgrade(request, socket, head, (open) => void serve(ctx, room, open, wanted, limits))
      })
      .catch((error: unknown) => {
        ctx.log.error({ err: error }, 'a connect page could not be served')
        refuse(socket, 500)
      })
  })
  return {
    close() {
      for (const live of room.lives) live.end('replaced')
      sockets.close()
    },
  }
}

interface Wanted {
  readonly owner: string
  /** Whether the owner still is who is signed in, in the browser that asked. */
  readonly stillSignedIn: () => Promise<boolean>
  readonly app: App
  /** The account to sign in to again. */
  readonly account: Account | undefined
  readonly size: { readonly width: number; readonly height: number }
}

/** Only the signed-in person, from a page of ours. Else the status to refuse with. */
async function admit(ctx: Context, koa: Koa, request: IncomingMessage): Promise<Wanted | number> {
  const url = URL.parse(request.url ?? '', 'http://localhost')
  const slug = livePath.exec(url?.pathname ?? '')?.[1]
  const app = slug === undefined ? undefined : ctx.apps.get(slug)
  if (url === null || app === undefined) return 404
  const http = koa.createContext(request, new ServerResponse(request))
  const origin = request.headers.origin ?? ''
  if (origin !== new URL(ctx.config.publicUrl).origin && URL.parse(origin)?.host !== request.headers.host) return 403
  const person = await signedInBrowser(ctx, http)
  if (person === undefined) return 403
  const side = (name: string, low: number, high: number, usual: number): number =>
    Math.round(Math.min(Math.max(Number(url.searchParams.get(name)) || usual, low), high))
  const size = { width: side('width', 320, 1280, 800), height: side('height', 400, 1000, 640) }
  const wanted = url.searchParams.get('account')
  const account = (await listAccounts(ctx, person.owner, app.slug)).find(({ id }) => id === wanted)
  const { owner } = person
  const stillSignedIn = async (): Promise<boolean> => (await signedInBrowser(ctx, http))?.owner === owner
  return { owner, stillSignedIn, app, account, size }
}

async function serve(ctx: Context, room: Room, socket: WebSocket, wanted: Wanted, limits: Limits): Promise<void> {
  const { lives, browsers } = room
  const { owner, app, account, size } = wanted
  for (const other of lives) if (other.owner === owner) other.end('replaced')
  let remote: RemoteBrowser | undefined
  let ended = false
  const finish = (message: object): void => {
    if (ended) return
    ended = true
    lives.delete(live)
    clearTimeout(timer)
    clearInterval(looking)
    setTimeout(() => browsers.delete(live), goneWithin).unref()
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
    socket.close()
    if (remote) void closing(ctx, remote).then(() => browsers.delete(live))
  }
  const live: Live = { owner, end: (reason) => finish({ type: 'end', reason }) }
  const timer = setTimeout(() => live.end('time'), limits.time)
  const stays = async (): Promise<boolean> => {
    if (!(await wanted.stillSignedIn())) live.end('signed_out')
    return !ended
  }
  const looking = setInterval(() => void stays().catch(failed), limits.look)
  socket.on('close', () => finish({}))
  socket.on('error', () => finish({}))
  if (lives.size >= limits.browsers) return live.end('busy')
  lives.add(live)

  const signedIn = async (as: SignedInAs): Promise<void> => {
    if (!(await stays())) return
    const { id: externalId, label, session } = as
    const connected = await connect(ctx, { owner, app: app.slug, externalId, label, session })
    finish({ type: 'done', account: connected, same: account === undefined || account.id === connected })
  }
  const failed = (error: unknown): void => {
    // Names only: what a browser says of itself may quote what was typed.
    ctx.log.error({ app: app.slug, reason: error instanceof Error ? error.name : 'unknown' }, 'a connect page failed')
    live.end('failed')
  }
  socket.on('message', (data, isBinary) => {
    const input = isBinary || !Buffer.isBuffer(data) ? undefined : readInput(data.toString('utf8'))
    if (input) remote?.apply(input)
  })
  try {
    if ((await takeTry(ctx.db, [{ name: `connect:${owner}`, max: 30 }])) > 0) return live.end('too_often')
    // Those that are leaving make room soon.
    while (browsers.size >= limits.browsers && socket.readyState === socket.OPEN) await sleep(100)
    if (ended) return
    browsers.add(live)
    // Where the app only asks for a check, the person need not sign in anew.
    const session = account?.state === 'needs_check' ? await openStoredSession(ctx, owner, account.id) : null
    const opened = await openRemoteBrowser({
      dir: ctx.config.dir,
      origin: app.origin,
      signIn: app.signIn,
      session,
      size,
      onFrame: frames(socket),
      onSignedIn: (as) => void signedIn(as).catch(failed),
      onLost: failed,
    })
    // The person may have left while it started.
    if (ended) return await closing(ctx, opened)
    remote = opened
  } catch (error) {
    failed(error)
  } finally {
    if (remote === undefined) browsers.delete(live)
  }
}

/** Never rejects: one that cannot be closed is told to the operator. */
async function closing(ctx: Context, remote: RemoteBrowser): Promise<void> {
  try {
    await remote.close()
  } catch (error) {
    ctx.log.error({ err: error }, 'a browser could not be closed')
  }
}

function refuse(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
