import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { hashOf, loadAdded } from '../../connectors/runtime/added.ts'
import type { LoadedConnector } from '../../connectors/runtime/added.ts'
import type { ExchangeOptions } from '../../connectors/runtime/exchange.ts'
import { clean, exchange, onThreads } from '../../connectors/runtime/threads/exchange-threads.ts'
import { ExchangePool } from '../../connectors/runtime/threads/pool.ts'
import { listen } from '../support/listen.ts'
import { bundled } from './isolate/bundled.ts'

/** What the app got, by address; what is named `slow` is answered when the test says so. */
const got: string[] = []
const slow: (() => void)[] = []
const deep = `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`
const tags = '<b>'.repeat(700_000)
/** A selector of seven parts has some 10^12 ways to fail on it. */
const nested = '<div>'.repeat(400)
const server = createServer((request, response) => {
  got.push(`${request.method} ${request.url}`)
  const answer = (type: string, body: string): unknown => response.writeHead(200, { 'content-type': type }).end(body)
  if (request.url?.startsWith('/deep')) answer('application/json', deep)
  else if (request.url?.startsWith('/tags')) answer('text/html', tags)
  else if (request.url?.startsWith('/nested')) answer('text/html', nested)
  else if (request.url?.startsWith('/slow')) slow.push(() => void answer('application/json', '{"n":1}'))
  else answer('application/json', '{"n":1}')
})
let origin: string
const loaded: LoadedConnector[] = []

function shopCode(): Promise<string> {
  return bundled(`import { Type, connector, endpoint, firstOf, jsonSignIn, select } from './kit/index.ts'
    const output = { n: Type.Number({ description: 'A number.' }) }
    const get = (path, more) => endpoint({ summary: 'Reads.', label: 'Read', brief: [], access: 'read', request: 'GET ' + path, input: {}, output, decode: ({ n }) => ({ n }), ...more })
    const post = (path, more) => endpoint({ summary: 'Writes.', label: 'Write', brief: [], access: 'write', confirm: true, request: 'POST ' + path, effect: 'changes', shownBy: [], input: {}, output, encode: () => ({ json: {} }), decode: ({ n }) => ({ n }), ...more })
    const endless = '.x div div div div div div'
    const forever = () => { for (;;); }
    export default connector({
      name: 'Shop', description: 'A shop.', role: 'Owner.', origin: '${origin}', things: {}, failure: firstOf(),
      signIn: jsonSignIn({ page: '/in', who: '/me', account: ({ id }) => ({ id, label: id }) }),
      endpoints: [{
        quick: get('/quick'), slow: get('/slow'), deep: get('/deep'),
        loops: get('/loops', { decode: forever }),
        pattern: get('/pattern', { decode: () => ({ n: /(?:a{1000}){1000}b/.test('a'.repeat(100000)) ? 1 : 2 }) }),
        tags: get('/tags', { answer: 'page', decode: (_, { page }) => ({ n: select(page, 'b').length }) }),
        selector: get('/nested', { answer: 'page', decode: (_, { page }) => ({ n: select(page).any(endless).length }) }),
        form_selector: post('/form', { form: { page: 'GET /nested', selector: endless, set: () => ({}) }, encode: undefined }),
        write: post('/write'), write_slow: post('/slow-write'),
        loops_before: post('/before', { encode: forever }), loops_after: post('/after', { decode: forever }),
      }],
    })`)
}

async function added(slug: string): Promise<LoadedConnector> {
  const code = await shopCode()
  const one = { slug, package: `${slug}@1.0.0`, hash: hashOf(code), hosts: [origin.slice(0, -1)], trusted: [] }
  const made = await loadAdded(one, code, onThreads)
  loaded.push(made)
  return made
}

function run({ app }: LoadedConnector, name: string, more: Partial<ExchangeOptions> = {}) {
  const endpoint = app.endpoints.get(name)
  if (endpoint === undefined) throw new Error(`no ${name}`)
  const fence = () => Promise.resolve(true)
  return exchange({ endpoint, input: {}, session: aSession, origin, cursorKey: aKey, fence, ...more })
}

const aSession = { cookies: [], user_agent: null }
const aKey = Buffer.alloc(32, 1)
const times = (line: string): number => got.filter((one) => one === line).length
const isFine = { outcome: { kind: 'ok', output: { n: 1 } } }

beforeAll(async () => {
  origin = `http://127.0.0.1:${await listen(server)}/`
})
afterAll(() => {
  for (const one of loaded) one.dispose()
  server.closeAllConnections()
  server.close()
})

describe('foreign code and text run on exchange threads', () => {
  it('the main thread has no function of an added connector', async () => {
    const { app } = await added('only-data')
    expect(() => app.endpoints.get('quick')?.definition.decode({}, {} as never)).toThrow('exchange threads only')
    expect(await run({ app, dispose: () => undefined }, 'quick')).toMatchObject(isFine)
  })

  it.each(['loops', 'deep', 'tags', 'pattern', 'selector', 'form_selector'])(
    'others are served while 50 calls of one connector meet %s',
    async (name) => {
      const slug = name.replace('_', '-')
      const [hostile, other] = [await added(`hostile-${slug}`), await added(`other-${slug}`)]
      let isOver = false
      const all = Promise.all(Array.from({ length: 50 }, () => run(hostile, name))).then((results) => {
        isOver = true
        return results
      })
      const turns: number[] = []
      const timer = setInterval(() => turns.push(performance.now()), 20)
      for (let i = 0; i < 5; i++) expect(await run(other, 'quick')).toMatchObject(isFine)
      // The first of them may end meanwhile; those that loop are still at it.
      if (name === 'loops') expect(isOver).toBe(false)
      for (const { outcome } of await all) expect(outcome.kind).toMatch(/^(changed|ok)$/)
      clearInterval(timer)
      if (name === 'loops') expect(turns.length).toBeGreaterThan(20)
    },
  )
})

describe('a thread that is ended', () => {
  it('before the first byte of a write: nothing was sent', async () => {
    const result = await run(await added('before'), 'loops_before')
    expect(result).toMatchObject({ sent: false, outcome: { kind: 'changed' } })
    expect(times('POST /before')).toBe(0)
  })

  it('after it: sent, and sent once', async () => {
    const before = times('POST /after')
    const result = await run(await added('after'), 'loops_after')
    expect(result).toMatchObject({
      sent: true,
      outcome: { kind: 'changed', rule: expect.stringContaining('took longer') },
    })
    expect(times('POST /after') - before).toBe(1)
  })

  it('lets the others on it run again, without sending again', async () => {
    // Its only thread is the one that ends.
    const pool = new ExchangePool({ mostThreads: 1, stepMs: 1_000 })
    onTestFinished(() => pool.end())
    const begin = ({ app }: LoadedConnector, name: string) => {
      const source = app.endpoints.get(name)?.source
      const given = { endpoint: name, input: {}, session: aSession, origin, now: new Date(), cursorKey: aKey }
      const main = { fence: () => Promise.resolve(true) }
      // Longer than the hostile one takes on a busy machine.
      return pool.begin({ job: 'exchange', source, lane: app.slug, given: { ...given, timeoutMs: 100_000 }, main })
    }
    const [innocent, hostile] = [await added('innocent'), await added('ends')]
    const [reads, writes] = [times('GET /slow'), times('POST /slow-write')]
    const waiting = [begin(innocent, 'slow'), begin(innocent, 'write_slow')]
    await expect.poll(() => [times('GET /slow'), times('POST /slow-write')]).toEqual([reads + 1, writes + 1])
    await expect(begin(hostile, 'loops').result).rejects.toThrow('took longer')
    for (const answer of slow.splice(0)) answer()
    for (const { result } of waiting) expect(await result).toMatchObject({ ...isFine, sent: true })
    expect(waiting.map(({ hasActed }) => hasActed)).toEqual([false, true])
    expect([times('GET /slow'), times('POST /slow-write')]).toEqual([reads + 1, writes + 1])
  })
})

it('a process starts none before it needs one, and ends while one computes', async () => {
  const modules = new URL('../../connectors/runtime/', import.meta.url)
  const program = `
    const { hashOf, loadAdded } = await import('${modules}added.ts')
    const { endExchangeThreads, onThreads, render } = await import('${modules}threads/exchange-threads.ts')
    const { text } = await import('node:stream/consumers')
    let starts = 0
    let thread
    process.on('worker', (worker) => {
      if (worker.threadName !== 'exchanges') return
      starts++
      thread = worker
    })
    const code = await text(process.stdin)
    const one = { slug: 'shop', package: 'shop@1.0.0', hash: hashOf(code), hosts: ['${origin.slice(0, -1)}'], trusted: [] }
    const { app } = await loadAdded(one, code, onThreads)
    console.log(starts)
    const given = { input: {}, origin: '${origin}', now: new Date(), files: [] }
    void render(app.endpoints.get('loops_before'), 'an account', given)
    const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
    // A thread that is just beginning may never answer.
    const cpu = async () => (await Promise.race([thread?.cpuUsage().catch(() => undefined), sleep(200)]))?.user ?? 0
    // In microseconds: more than it takes to begin, less than it may take.
    while ((await cpu()) < 2_000_000) await sleep(50)
    console.log(starts)
    endExchangeThreads()
    setTimeout(() => console.log('still here'), 2_000).unref()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(await shopCode())
  const [out, [status]] = await Promise.all([text(child.stdout), once(child, 'close')])
  expect([status, out]).toEqual([0, '0\n1\n'])
})

it('a job that cannot cross fails, and no other', async () => {
  const pool = new ExchangePool({ mostThreads: 1 })
  onTestFinished(() => pool.end())
  const begin = (more: object) => pool.begin({ job: 'asksForSecret', lane: 'a', given: { page: '', ...more } }).result
  const [one, other] = [begin({ url: new URL(origin) }), begin({})]
  await expect(one).rejects.toThrow('clone')
  await expect(other).resolves.toBe(false)
})

it('recordings are cleaned there, too', async () => {
  const answer = { status: 200, headers: { 'content-type': 'text/html' }, text: tags.slice(0, 900_000) }
  const request = { method: 'GET', url: `${origin}x`, headers: {}, body: null } as const
  const raw = {
    app: 'x',
    name: 'x',
    origin,
    startedAt: '',
    label: 'x',
    cookies: [],
    stored: [],
    exchanges: [{ at: 0, by: 'page', page: null, request, answer }],
  }
  const { trace } = await clean('an account', raw as never, { released: new Set(), key: Buffer.alloc(32) })
  expect(trace.exchanges).toHaveLength(1)
})
