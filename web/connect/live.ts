import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type Koa from 'koa'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import { accountOn } from '../../connectors/runtime/threads/exchange-threads.ts'
import { ConnectorFailed } from '../../connectors/isolate/failed.ts'
import { UnknownShape } from '../../connectors/kit/wire.ts'
import { connect, openStoredSession } from '../../core/accounts/sessions.ts'
import { placeToSignIn } from '../../core/accounts/site.ts'
import type { Context } from '../../core/context.ts'
import { countAttempt } from '../parts/attempt-limits.ts'
import { admit } from './admit.ts'
import type { Wanted } from './admit.ts'
import { NoBrowserFree } from './browser/browser-service.ts'
import { frames } from './browser/frames.ts'
import { isWordOfRecording, readInput } from './browser/input.ts'
import type { RecordingWord } from './browser/input.ts'
import { reasonOf } from './browser/lost.ts'
import { openRemoteBrowser } from './browser/remote-browser.ts'
import type { RemoteBrowser, SignedInAs } from './browser/sign-in-watch.ts'
import { Line } from './line.ts'
import { Recording } from './recording.ts'
import { shownAddress } from './shown-address.tsx'
import { piecesOf } from './words/render.tsx'

export interface Limits {
  /** Maximum number of browsers in this process, each about 150 MB. */
  readonly browsers: number
  /** Maximum number of users who wait for one. */
  readonly line: number
  /** How long a user may take, in ms. */
  readonly time: number
  /** Interval of the check that the user is still signed in, in ms. */
  readonly look: number
}
const usual = { line: 50, time: 600_000, look: 3_000 }
/** A browser that has neither started nor closed this long after its end (ms) loses its place. */
const goneWithin = 60_000

/** Logged at each start of a browser, so that it is not lost in a long log. */
const unsandboxed =
  "a sign-in browser runs without Chromium's own sandbox, which needs user namespaces that this system refuses; callgate doctor says how to allow them"

const unreadable =
  'the code of signIn.who.account failed on the page that says who is signed in: nobody can connect an account of this app'

/** What failed in a connector's code. Its own errors by name only: texts may quote the page. */
function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it threw what is no error'
  if (error instanceof ConnectorFailed) return error.message
  const isPlain = error instanceof UnknownShape || /^(?:Type|Reference|Range)Error$/.test(error.name)
  return isPlain ? `${error.name}: ${error.message}` : error.name
}

export type End = 'time' | 'busy' | 'failed' | 'replaced' | 'too_often' | 'signed_out' | 'address' | 'unkept'

interface Live {
  readonly owner: string
  end(reason: End): void
}

interface Room {
  /** Live views that are open or waiting for a browser. */
  readonly lives: Set<Live>
  /** A place is held until the browser is gone: starting and closing ones need as much memory. */
  readonly browsers: Line<Live>
}

export interface LiveConnect {
  /** Open browsers, and users who wait for one. */
  counts(): { readonly open: number; readonly waiting: number }
  close(): void
}

/**
 * Serves `/connect/{app}/live`: a browser at the app's sign-in page, for as long as the WebSocket
 * is open. `isPublic`: which IP addresses it may reach of hosts that the user allows; by default
 * all public ones.
 */
export function liveConnect(
  ctx: Context,
  koa: Koa,
  server: Server,
  other: Partial<Limits> = {},
  isPublic?: (address: string) => boolean,
): LiveConnect {
  const limits = { browsers: ctx.config.signInBrowsers, ...usual, ...other }
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 16_384, perMessageDeflate: false })
  const room: Room = { lives: new Set(), browsers: new Line(limits.browsers) }
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    void admit(ctx, koa, request)
      .then((wanted) => {
        if (typeof wanted === 'number') return refuse(socket, wanted)
        sockets.handleUpgrade(
          request,
          socket,
          head,
          (open) => void serve(ctx, room, open, wanted, { limits, isPublic }),
        )
      })
      .catch((error: unknown) => {
        ctx.log.error({ err: error }, 'a connect page could not be served')
        refuse(socket, 500)
      })
  })
  // Many proxies close a connection that is silent for a minute.
  const again = setInterval(() => room.browsers.tellAll(), 20_000).unref()
  return {
    counts: () => ({ open: room.browsers.inside, waiting: room.browsers.waiting }),
    close() {
      clearInterval(again)
      for (const live of room.lives) live.end('replaced')
      sockets.close()
    },
  }
}

interface Walls {
  readonly limits: Limits
  readonly isPublic: ((address: string) => boolean) | undefined
}

async function serve(
  ctx: Context,
  room: Room,
  socket: WebSocket,
  wanted: Wanted,
  { limits, isPublic }: Walls,
): Promise<void> {
  const { lives, browsers } = room
  const { owner, app, account, size } = wanted
  for (const other of lives) if (other.owner === owner) other.end('replaced')
  let remote: RemoteBrowser | undefined
  let recording: Recording | undefined
  const there = Promise.withResolvers<RemoteBrowser>()
  let ended = false
  let listens = false
  const tell = (message: object): void => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
  }
  const finish = (message: object): void => {
    if (ended) return
    ended = true
    lives.delete(live)
    clearTimeout(timer)
    clearInterval(looking)
    if (browsers.waits(live)) browsers.leave(live)
    else setTimeout(() => browsers.leave(live), goneWithin).unref()
    tell(message)
    socket.close()
    if (remote) void closing(ctx, remote).then(() => browsers.leave(live))
  }
  const live: Live = { owner, end: (reason) => finish({ type: 'end', reason }) }
  let timer: NodeJS.Timeout | undefined
  const stays = async (): Promise<boolean> => {
    if (!(await wanted.stillSignedIn())) live.end('signed_out')
    return !ended
  }
  const looking = setInterval(() => void stays().catch(failed), limits.look)
  socket.on('close', () => finish({}))
  socket.on('error', () => finish({}))
  if (browsers.waiting >= limits.line) return live.end('busy')
  lives.add(live)

  const signedIn = async (origin: string, as: SignedInAs): Promise<void> => {
    if (!(await stays())) return
    const { id: externalId, label, session } = as
    const connected = await connect(ctx, { owner, app: app.slug, origin, externalId, label, session })
    const { record: id } = wanted
    if (id === undefined)
      return finish({ type: 'done', account: connected, same: account === undefined || account.id === connected })
    const remote = await there.promise
    if (ended) return
    recording = await Recording.begin(ctx, remote, {
      id,
      owner,
      account: connected,
      label,
      origin: remote.origin,
      app: app.slug,
      tell,
    })
  }
  const recorded = async (word: RecordingWord): Promise<void> => {
    if (!(await stays())) return
    const came = await recording?.take(word)
    if (came === 'kept' || came === 'discarded') finish({ type: 'recorded' })
    else if (came === 'gone') live.end('unkept')
  }
  const failed = (error: unknown): void => {
    ctx.log.error({ app: app.slug, shown: remote !== undefined, reason: reasonOf(error) }, 'a connect page failed')
    live.end('failed')
  }
  socket.on('message', (data, isBinary) => {
    const input = isBinary || !Buffer.isBuffer(data) ? undefined : readInput(data.toString('utf8'))
    if (input === undefined) return
    if (input.type === 'allow') remote?.allow(input.host)
    else if (input.type === 'listen') {
      listens = input.on
      remote?.listen(listens)
    } else if (isWordOfRecording(input)) void recorded(input).catch(failed)
    else remote?.apply(input)
  })
  try {
    if ((await countAttempt(ctx.db, [{ name: `connect:${owner}`, max: 30 }])) > 0) return live.end('too_often')
    const place = await placeToSignIn(ctx, app, account, wanted.address)
    if ('problem' in place) return finish({ type: 'end', reason: 'address', text: place.problem })
    const { origin, site } = place
    const { page } = app.signIn.who
    const who = { page, account: (text: string) => accountOn(app, site.origin, text) }
    await browsers.enter(live, (place) => tell({ type: 'line', place }))
    if (ended) return
    // Reviewing a recording takes time, too.
    timer = setTimeout(() => live.end('time'), wanted.record === undefined ? limits.time : 2 * limits.time)
    // Where the app only asks for a check, the user need not sign in again.
    const goesOn = account?.state === 'needs_check' || (wanted.record !== undefined && account?.state === 'connected')
    const session = account && goesOn ? await openStoredSession(ctx, owner, account.id) : null
    const opened = await openRemoteBrowser({
      dir: ctx.config.dir,
      service: ctx.config.browserService,
      origin: site.origin,
      siteReach: site.reach,
      judgesHosts: app.added !== undefined,
      signIn: { ...app.signIn, who },
      hosts: app.hosts,
      authorize: app.authorize,
      session,
      size,
      onFrame: frames(socket),
      onAt: (address) => tell({ type: 'at', ...shownAddress(address) }),
      onWords: (page) => tell({ type: 'words', pieces: piecesOf(page) }),
      onSignedIn: (as) => void signedIn(origin, as).catch(failed),
      onWanted: (hosts) => tell({ type: 'wanted', hosts }),
      onUnsandboxed: () => ctx.log.warn(unsandboxed),
      onUnreadable(error) {
        tell({ type: 'unreadable' })
        ctx.log.warn({ app: app.slug, problem: problemOf(error) }, unreadable)
      },
      onLost: failed,
      ...(isPublic && { isPublic }),
    })
    // The user may have left while it started.
    if (ended) return await closing(ctx, opened)
    remote = opened
    if (listens) opened.listen(true)
    there.resolve(opened)
  } catch (error) {
    if (error instanceof NoBrowserFree) live.end('busy')
    else failed(error)
  } finally {
    if (remote === undefined) browsers.leave(live)
  }
}

/** Never rejects: a browser that cannot be closed is logged. */
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
