import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endAllWebSessions } from '../../core/users/web-sessions.ts'
import { createApi } from '../../core/http/api.ts'
import { createApp } from '../../server/server.ts'
import { portOf } from '../support/listen.ts'
import { askFor, makeOwner, startTestSite } from './site.ts'
import type { Owner, TestSite } from './site.ts'
import { Visitor, visitorOf } from './visitor.ts'

let site: TestSite
let owner: Owner
let visitor: Visitor

beforeAll(async () => {
  site = await startTestSite()
  owner = await makeOwner(site.ctx)
  visitor = await visitorOf(site, owner)
})
afterAll(() => site.stop())

/** What a browser gets of a stream: its events so far, and whether it is over. */
class Stream {
  text = ''
  over = false
  readonly #reading: Promise<void>
  readonly #abort: AbortController

  constructor(response: Response, abort: AbortController) {
    this.#abort = abort
    this.#reading = this.#read(response)
  }

  async #read(response: Response): Promise<void> {
    const decoder = new TextDecoder()
    try {
      for await (const chunk of response.body!) this.text += decoder.decode(chunk, { stream: true })
    } catch (error) {
      if (!this.#abort.signal.aborted) throw error
    }
    this.over = true
  }

  async says(words: string): Promise<void> {
    await expect.poll(() => this.text).toContain(words)
  }

  /** Goes away, as a browser does. */
  async close(): Promise<void> {
    this.#abort.abort()
    await this.#reading
  }

  get ended(): Promise<void> {
    return this.#reading
  }
}

async function follow(path: string, options: { url?: string; headers?: Record<string, string> } = {}): Promise<Stream> {
  const abort = new AbortController()
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(`${options.url ?? site.url}${path}`, {
    headers: { cookie, ...options.headers },
    signal: abort.signal,
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
  expect(response.headers.get('cache-control')).toBe('no-store, no-transform')
  expect(response.headers.get('x-accel-buffering')).toBe('no')
  return new Stream(response, abort)
}

/** The stream that the page opens, as the page names it. */
async function streamOf(page: string): Promise<string> {
  const found = /hx-sse:connect="([^"]*)"/.exec((await visitor.get(page)).text)?.[1]
  if (found === undefined) throw new Error(`${page} opens no stream`)
  return found.replaceAll('&amp;', '&')
}

const settle = (id: string, status: string): Promise<unknown> =>
  site.ctx.db.query('UPDATE calls SET status = $2, updated_at = clock_timestamp() WHERE id = $1', [id, status])

test('tells each change of a call once, and ends with the call', async () => {
  const id = await askFor(site.ctx, owner, { subject: 'Followed' })
  const stream = await follow(await streamOf(`/calls/${id}`))
  await stream.says(': following')
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(stream.text).not.toContain('data:')

  await site.ctx.db.query(`SELECT decide_call($1, 'approved', $2, 'made up', NULL, NULL, false, NULL)`, [id, owner.id])
  await stream.says('Waiting for Callgate')
  await stream.says('Approved by you, after waiting')
  await settle(id, 'unknown')
  await stream.says('It may or may not have happened')
  await stream.ended
  expect(stream.text).toMatch(/event: end\ndata:\n\n$/)
  expect(stream.text.match(/^id: /gm)).toHaveLength(2)
})

test('tells a page that comes back only what it has not seen', async () => {
  const id = await askFor(site.ctx, owner, { subject: 'Comes back' })
  const first = await follow(`/calls/${id}/events?seen=nothing`)
  await first.says('id: ')
  await first.close()
  const last = /^id: (.*)$/m.exec(first.text)?.[1] ?? ''
  const again = await follow(`/calls/${id}/events?seen=nothing`, { headers: { 'Last-Event-ID': last } })
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(again.text).not.toContain('data:')
  await settle(id, 'cancelled')
  await again.says('event: end')
})

test('a call that is over has a short stream, and its page opens none', async () => {
  const id = await askFor(site.ctx, owner, { subject: 'Over' })
  await settle(id, 'cancelled')
  const stream = await follow(`/calls/${id}/events`)
  await stream.ended
  expect(stream.text).toContain('It was taken back before it was sent')
  for (const page of [`/calls/${id}`, `/confirm/${id}`])
    expect((await visitor.get(page)).text).not.toContain('hx-sse:connect')
})

test('is for the signed-in owner alone', async () => {
  const id = await askFor(site.ctx, owner, { subject: 'Private' })
  const stranger = await visitorOf(site, await makeOwner(site.ctx))
  expect((await stranger.get(`/calls/${id}/events`)).status).toBe(404)
  expect((await new Visitor(site).get(`/calls/${id}/events`)).status).toBe(404)
  expect((await visitor.get('/calls/call_00000000000000000000000000/events')).status).toBe(404)
  const withKey = await fetch(`${site.url}/calls/${id}/events`, { headers: { Authorization: `Bearer ${owner.key}` } })
  expect(withKey.status).toBe(404)
  const head = await visitor.send('HEAD', `/calls/${id}/events`)
  expect([head.status, head.text]).toEqual([200, ''])
})

test('tells nothing more once its session has ended', async () => {
  const id = await askFor(site.ctx, owner, { subject: 'Signed out' })
  const thief = await visitorOf(site, owner)
  const cookie = [...thief.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const stream = await follow(`/calls/${id}/events?seen=nothing`, { headers: { cookie } })
  await stream.says('id: ')
  await endAllWebSessions(site.ctx.db, owner.id)
  await settle(id, 'cancelled')
  await stream.ended
  expect(stream.text).not.toContain('It was taken back')
  expect(stream.text.match(/^id: /gm)).toHaveLength(1)
  visitor = await visitorOf(site, owner)
})

test('one person has at most 20 streams in a process, and a place is free again when one ends', async () => {
  const id = await askFor(site.ctx, owner, { subject: 'Many' })
  const streams = await Promise.all(Array.from({ length: 20 }, () => follow(`/calls/${id}/events`)))
  const refused = await visitor.get(`/calls/${id}/events`)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30'])
  await streams.pop()?.close()
  const another = async () => {
    const next = await fetch(`${site.url}/calls/${id}/events`, {
      headers: { cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
    await next.body?.cancel()
    return next.status
  }
  await expect.poll(another).toBe(200)
  await Promise.all(streams.map((stream) => stream.close()))
})

test('ends when the API shuts down', async () => {
  const drain = new AbortController()
  const server = createApp(site.ctx, createApi(site.ctx, drain.signal)).listen(0, '127.0.0.1')
  const url = `http://127.0.0.1:${await portOf(server)}`
  const id = await askFor(site.ctx, owner, { subject: 'Shuts down' })
  const stream = await follow(`/calls/${id}/events`, { url })
  await stream.says('id: ')
  drain.abort()
  const closed = once(server, 'close')
  server.close()
  await stream.ended
  expect(stream.text).not.toContain('event: end')
  await closed
})

test('the list of waiting calls says how many came since', async () => {
  const person = await makeOwner(site.ctx)
  const reader = await visitorOf(site, person)
  const news = /hx-get="(\/waiting\/news[^"]*)"/
  const empty = news.exec((await reader.get('/waiting')).text)?.[1] ?? ''
  expect((await reader.get(empty)).text).toBe('')
  await askFor(site.ctx, person, { subject: 'One' })
  expect((await reader.get(empty)).text).toContain('1 new call waits.')
  const one = news.exec((await reader.get('/waiting')).text)?.[1] ?? ''
  expect((await reader.get(one)).text).toBe('')
  await askFor(site.ctx, person, { subject: 'Two' })
  await askFor(site.ctx, person, { subject: 'Three' })
  expect((await reader.get(one)).text).toContain('2 new calls wait.')
  expect((await visitor.get(one)).text).not.toContain('2 new calls')
  expect((await new Visitor(site).get(one)).status).toBe(403)
})
