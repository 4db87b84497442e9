import { PassThrough } from 'node:stream'
import { renderToString } from 'preact-render-to-string'
import { findCall } from '../../core/calls/rows.ts'
import { callRecord } from '../../core/calls/record.ts'
import { isFinal } from '../../schemas/call.ts'
import { isCallId } from '../../schemas/ids.ts'
import { callStory } from '../calls/call-story.ts'
import { CallChange, stateOf } from './events-parts.tsx'
import { PageError } from '../page-error.ts'
import { signedIn } from '../session.ts'
import type { Visit } from '../visit.ts'
import type { CallWatch } from './events-hub.ts'

const keepAliveMs = 15_000
/** Maximum duration of a stream, in ms; the browser reconnects. */
const longestMs = 5 * 60_000

/** `GET /calls/{id}/events`: the call's status on every change, until it is final. */
export async function streamCall(watch: CallWatch, visit: Visit<'call'>): Promise<void> {
  const { ctx, koa, person, params } = visit
  const known = isCallId(params.call) && (await findCall(ctx.db, person.owner, params.call))
  if (!known) throw noCall()
  const seen = koa.get('Last-Event-ID') || (koa.URL.searchParams.get('seen') ?? '')
  koa.status = 200
  koa.type = 'text/event-stream; charset=utf-8'
  // Not reused, so that an ended stream does not delay a shutdown.
  koa.set({ 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no', Connection: 'close' })
  if (koa.method === 'HEAD') return
  const stream = new PassThrough()
  const follow = new Follower(visit, known.id, seen, stream)
  const leave = watch.add(follow)
  if (leave === undefined)
    throw new PageError(429, 'Too many open pages', 'Close some pages that follow a call.', { 'Retry-After': '30' })
  const timers = [
    setInterval(() => stream.write(': still here\n\n'), keepAliveMs),
    setTimeout(() => follow.end(), longestMs),
  ]
  stream.on('close', () => {
    leave()
    for (const timer of timers) clearTimeout(timer)
  })
  koa.body = stream
  stream.write(': following\n\n')
  follow.look()
}

/** Also for visitors who are not signed in. */
export function noCall(): PageError {
  return new PageError(404, 'No such call', 'There is no call of yours with this id.')
}

/** Streams a call to one browser, each state once. */
class Follower {
  readonly owner: string
  readonly callId: string
  readonly #visit: Visit
  readonly #stream: PassThrough
  #seen: string
  unsure = false
  #looking = false
  #again = false

  constructor(visit: Visit, callId: string, seen: string, stream: PassThrough) {
    this.owner = visit.person.owner
    this.callId = callId
    this.#visit = visit
    this.#seen = seen
    this.#stream = stream
  }

  look(): void {
    this.#again = true
    if (!this.#looking) void this.#lookUntilTold()
  }

  end(): void {
    this.#stream.end()
  }

  async #lookUntilTold(): Promise<void> {
    this.#looking = true
    try {
      while (this.#again && !this.#stream.writableEnded) {
        this.#again = false
        await this.#tell()
      }
    } catch (error) {
      this.#visit.ctx.log.warn({ call: this.callId, err: error }, 'a page could not be told about its call')
      this.end()
    } finally {
      this.#looking = false
    }
  }

  async #tell(): Promise<void> {
    const { ctx, koa, person } = this.#visit
    const row = await findCall(ctx.db, this.owner, this.callId)
    if (row === undefined) return this.end()
    const record = await callRecord(ctx, row)
    this.unsure = record.status === 'running' && row.send === 'ready' && record.waiting_for === undefined
    const state = stateOf(row, record)
    if (state !== this.#seen) {
      // The user may have signed out since.
      if ((await signedIn(ctx, koa))?.owner !== this.owner) return this.end()
      const story = await callStory(ctx, row)
      const app = ctx.apps.get(row.app)
      this.#send(state, renderToString(CallChange({ viewer: person, row, record, app, story })))
      this.#seen = state
    }
    if (!isFinal(row.status) || this.#stream.writableEnded) return
    this.#stream.write('event: end\ndata:\n\n')
    this.end()
  }

  #send(id: string, html: string): void {
    if (this.#stream.writableEnded) return
    const lines = html.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`)
    this.#stream.write(`id: ${id}\n${lines.join('')}\n`)
  }
}
