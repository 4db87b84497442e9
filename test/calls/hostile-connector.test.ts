import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect } from '../../core/accounts/sessions.ts'
import { bundled } from '../connectors/isolate/bundled.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { listen } from '../support/listen.ts'
import { askAsOperator } from '../support/operator.ts'
import type { TestUser } from '../support/user.ts'

/** What the hostile app got. */
const got: string[] = []
const bodies: Readonly<Record<string, readonly [type: string, body: string]>> = {
  '/deep': ['application/json', `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
  '/tags': ['text/html', '<b>'.repeat(690_000)],
}
const server = createServer((request, response) => {
  got.push(`${request.method} ${request.url}`)
  const [type, body] = bodies[request.url ?? ''] ?? ['application/json', '{"n":1}']
  response.writeHead(200, { 'content-type': type }).end(body)
})
const times = (line: string): number => got.filter((one) => one === line).length
const starts = new Set<string>()
const onWorker = ({ threadName }: { readonly threadName?: string | null }): void => void starts.add(threadName ?? '')

let origin: string
let stack: Stack
let other: TestUser
beforeAll(async () => {
  origin = `http://127.0.0.1:${await listen(server)}`
  process.on('worker', onWorker as never)
  stack = await startStack()
  other = await stack.user()
})
afterAll(async () => {
  process.off('worker', onWorker as never)
  await stack.stop()
  server.closeAllConnections()
  server.close()
})

/** A connector that somebody added, and a user of it. Each has its own: one that was ended rests. */
async function added(slug: string): Promise<TestUser> {
  const code = await bundled(`import { Type, connector, endpoint, firstOf, jsonSignIn, select } from './kit/index.ts'
    const output = { n: Type.Number({ description: 'A number.' }) }
    const one = { summary: 'Does it.', label: 'Do it', brief: [], input: {}, output, decode: ({ n }) => ({ n }) }
    const get = (path, more) => endpoint({ ...one, access: 'read', request: 'GET ' + path, ...more })
    const post = (path, more) => endpoint({ ...one, access: 'write', confirm: true, request: 'POST ' + path, effect: 'changes', shownBy: [], encode: () => ({ json: {} }), ...more })
    const forever = () => { for (;;); }
    export default connector({
      name: 'Shop', description: 'A shop.', role: 'Owner.', origin: '${origin}/', things: {}, failure: firstOf(),
      signIn: jsonSignIn({ page: 'in', who: 'me', account: ({ id }) => ({ id, label: id }) }),
      endpoints: [{
        deep: get('/deep'),
        loops: get('/loops', { decode: forever }),
        pattern: get('/pattern', { decode: () => ({ n: /(?:a{1000}){1000}b/.test('a'.repeat(100000)) ? 1 : 2 }) }),
        tags: get('/tags', { answer: 'page', decode: (_, { page }) => ({ n: select(page, 'b').length }) }),
        loops_before: post('/before', { encode: forever }),
        loops_after: post('/after', { decode: forever }),
      }],
    })`)
  const wanted = { slug, package: `${slug}@1.0.0`, hosts: [origin], code }
  expect(await askAsOperator(stack, 'POST', '/connectors', wanted)).toMatchObject({ status: 200 })
  const user = await stack.user({ accounts: [] })
  const there = async () => (await user.send('GET', `/${slug}`)).status
  await expect.poll(there, { interval: 500 }).toBe(200)
  const session = { cookies: [], user_agent: null }
  await connect(stack.ctx, { owner: user.id, app: slug, externalId: 'ann', label: 'Ann', session })
  return user
}

it('no exchange thread begins before it is needed', async () => {
  expect(starts).not.toContain('exchanges')
  expect((await other.call('list_listings')).status).toBe(200)
})

it.each(['loops', 'deep', 'tags', 'pattern'])(
  'calls of another app complete, and /healthz answers, while 50 calls of one user meet %s',
  async (name) => {
    const slug = `hostile-${name}`
    const user = await added(slug)
    let answered = 0
    const all = Array.from({ length: 50 }, () => user.send('POST', `/${slug}/${name}`, {}).finally(() => answered++))
    const over = Promise.allSettled(all)
    await expect.poll(() => times(`GET /${name}`)).toBeGreaterThan(0)
    // Otherwise nothing is proved.
    expect(answered).toBeLessThan(50)
    const health = [`${stack.publicUrl}/healthz`, `${stack.adminUrl}/healthz`]
    const others = await Promise.all([
      ...Array.from({ length: 3 }, () => other.call('list_listings')),
      ...health.map((address) => fetch(address)),
    ])
    for (const { status } of others) expect(status).toBe(200)
    for (const one of await over) expect(one).toMatchObject({ status: 'fulfilled' })
  },
)

const final = { interval: 1_000, timeout: 120_000 }

it('a write whose code loops after the app answered is unknown, and was sent once', async () => {
  const user = await added('loops-after')
  const { status, body } = await user.send('POST', '/loops-after/loops_after', {})
  expect(status).toBe(202)
  await user.approve(body['call_id'])
  const ended = () => user.record(body['call_id'])
  await expect.poll(ended, final).toMatchObject({ status: 'unknown', credits_used: 0 })
  expect(times('POST /after')).toBe(1)
})

it('one whose code loops before it is sent ends with nothing sent', async () => {
  const user = await added('loops-before')
  const { status, body } = await user.send('POST', '/loops-before/loops_before', {})
  // It may end while its caller still waits for whether it is to be approved.
  expect([status, body['error']], JSON.stringify(body)).toEqual(
    status === 202 ? [202, undefined] : [502, 'app_changed'],
  )
  const left = async () =>
    (await stack.ctx.db.query(`SELECT FROM calls WHERE app = 'loops-before' AND status <> 'failed'`)).rowCount
  await expect.poll(left, final).toBe(0)
  expect(times('POST /before')).toBe(0)
})
