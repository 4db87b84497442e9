import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import type { TestUser } from '../support/user.ts'

interface Answer {
  readonly status: number
  readonly error: unknown
  readonly retryAfter: number
  readonly limit: string | null
  readonly policy: string | null
}

/** What is limited is counted in the database: two API processes admit together what one may. */
describe.concurrent('the limits, over two API processes', () => {
  let stack: Stack
  let apis: readonly string[]
  beforeAll(async () => {
    stack = await startStack()
    apis = [stack.url, await stack.anotherApi()]
  })
  afterAll(() => stack.stop())

  async function ask(
    path: string,
    init: { user?: TestUser; method?: string; body?: string; turn?: number } = {},
  ): Promise<Answer> {
    const { user, method = 'POST', body = '{}', turn = 0 } = init
    const response = await fetch(`${apis[turn % apis.length]}${path}`, {
      method,
      headers: { ...(user && { 'X-API-Key': user.key }), 'Content-Type': 'application/json' },
      ...(method === 'POST' && { body }),
    })
    const answer = (await response.json()) as { error?: unknown }
    return {
      status: response.status,
      error: answer.error,
      retryAfter: Number(response.headers.get('Retry-After')),
      limit: response.headers.get('RateLimit'),
      policy: response.headers.get('RateLimit-Policy'),
    }
  }

  const nowhere = '/property-advertising/no_such_endpoint'

  it('admit 60 calls a minute, say in Retry-After when the next fits, and do not count what they refuse', async ({
    expect,
  }) => {
    const user = await stack.user({ accounts: [] })
    const answers = await Promise.all(Array.from({ length: 100 }, (_, turn) => ask(nowhere, { user, turn })))
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(60)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(40)
    for (const { error, limit, policy, retryAfter } of refused) {
      expect(error).toBe('rate_limited')
      expect(limit).toBe(`"calls";r=0;t=${retryAfter}`)
      expect(policy).toBe('"calls";q=60;w=60')
      expect(retryAfter).toBeGreaterThan(0)
      expect(retryAfter).toBeLessThanOrEqual(60)
    }
  })

  it('admit the next one when they said, however often somebody knocks meanwhile', async ({ expect }) => {
    const user = await stack.user({ accounts: [] })
    const most = await Promise.all(Array.from({ length: 59 }, (_, turn) => ask(nowhere, { user, turn })))
    expect(new Set(most.map(({ status }) => status))).toEqual(new Set([404]))
    // As if they had come so much earlier.
    await stack.ctx.db.query(
      `UPDATE rate_limits SET hits = ARRAY(SELECT hit - interval '40 seconds' FROM unnest(hits) AS hit) WHERE bucket = $1`,
      [`calls:${user.keyId}`],
    )
    const last = await Promise.all(Array.from({ length: 10 }, (_, turn) => ask(nowhere, { user, turn })))
    expect(last.filter(({ status }) => status === 404)).toHaveLength(1)
    // Somebody who keeps knocking does not push the window along.
    for (let turn = 0; turn < 5; turn++) {
      await sleep(1_000)
      expect((await ask(nowhere, { user, turn })).status).toBe(429)
    }
    const { retryAfter } = await ask(nowhere, { user })
    expect(retryAfter).toBeLessThanOrEqual(15)
    await sleep(retryAfter * 1_000)
    const later = await Promise.all(apis.map((_, turn) => ask(nowhere, { user, turn })))
    expect(later.map(({ status }) => status)).toEqual([404, 404])
  })

  it('count calls that are refused later, whatever the reason', async ({ expect }) => {
    const user = await stack.user({ accounts: [] })
    const requests: readonly [status: number, path: string, method: string, body: string][] = [
      [404, nowhere, 'POST', '{}'],
      [405, '/property-advertising/list_listings', 'PUT', '{}'],
      [400, '/property-advertising/list_listings', 'POST', '{'],
      [400, '/property-advertising/list_listings', 'POST', '{"limit":0}'],
      [409, '/property-advertising/list_listings', 'POST', '{}'],
      [409, '/property-advertising/list_listings', 'GET', ''],
    ]
    for (const [turn, [status, path, method, body]] of requests.entries()) {
      const answer = await ask(path, { user, method, body, turn })
      expect([answer.status, answer.limit]).toEqual([status, `"calls";r=${59 - turn};t=60`])
    }
    const rest = await Promise.all(
      Array.from({ length: 60 }, (_, turn) => ask('/property-advertising/list_listings', { user, turn })),
    )
    expect(rest.filter(({ status }) => status === 409)).toHaveLength(60 - requests.length)
    expect(rest.filter(({ status }) => status === 429)).toHaveLength(requests.length)
  })

  it('give /calls 120 a minute of its own, and each key its own', async ({ expect }) => {
    const [user, other] = [await stack.user({ accounts: [] }), await stack.user({ accounts: [] })]
    const paths = ['/calls', '/calls/call_00000000000000000000000000', '/calls/nonsense/more']
    const answers = await Promise.all(
      Array.from({ length: 150 }, (_, turn) => ask(paths[turn % 3] ?? '', { user, method: 'GET', turn })),
    )
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30)
    const deleted = await ask('/calls/call_00000000000000000000000000', { user, method: 'DELETE' })
    expect([deleted.status, deleted.policy]).toEqual([429, '"call-records";q=120;w=60'])
    expect((await ask(nowhere, { user })).limit).toBe('"calls";r=59;t=60')
    expect((await ask('/calls', { user: other, method: 'GET' })).limit).toBe('"call-records";r=119;t=60')
  })

  it('give discovery 120 a minute by address, with a key or without', async ({ expect }) => {
    const user = await stack.user({ accounts: [] })
    const paths = ['/apps', '/property-advertising', '/property-advertising/endpoints', '/no-such-app']
    const answers = await Promise.all(
      Array.from({ length: 140 }, (_, turn) =>
        ask(paths[turn % 4] ?? '', { method: 'GET', turn, ...(turn % 3 === 0 && { user }) }),
      ),
    )
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(20)
    for (const { limit, policy } of answers) {
      expect(limit).toMatch(/^"discovery";r=\d+;t=\d+$/)
      expect(policy).toBe('"discovery";q=120;w=60')
    }
    expect((await ask(nowhere, { user })).status).toBe(404)
  })

  it('tell a key that is no good nothing', async ({ expect }) => {
    const answer = await ask(nowhere)
    expect([answer.status, answer.error, answer.limit]).toEqual([403, 'api_key_required', null])
  })
})
