import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLimiter } from '../../../core/limiter.ts'
import type { Limiter } from '../../../core/limiter.ts'
import { openPool } from '../../../core/database/pool.ts'
import type { Pool } from '../../../core/database/pool.ts'
import { createDatabase } from '../../harness.ts'
import { ask, startGateway } from './gateway.ts'
import { madeUpKey } from './made-up-key.ts'

describe('the limiter', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let one: Pool
  let other: Pool
  let limiter: Limiter
  let otherLimiter: Limiter
  beforeAll(async () => {
    database = await createDatabase()
    one = openPool(database.url, pino({ level: 'silent' }), 4)
    other = openPool(database.url, pino({ level: 'silent' }), 4)
    limiter = createLimiter(one)
    otherLimiter = createLimiter(other)
  })
  afterAll(async () => {
    await one.end()
    await other.end()
    await database.drop()
  })

  it('never admits more than the limit in any window, over two processes, and does not stay below it', async () => {
    const policy = { name: 'flood', max: 10, seconds: 0.5 }
    const until = performance.now() + 2_600
    const flood = async (some: Limiter): Promise<number> => {
      let admitted = 0
      while (performance.now() < until) {
        if ((await some.admit(policy, 'a')).admitted) admitted++
        await sleep(Math.random() * 10)
      }
      return admitted
    }
    // What a window admits is stamped by the database; the stamps are collected before the window drops them.
    const stamps = new Set<number>()
    const watch = async (): Promise<void> => {
      while (performance.now() < until) {
        const { rows } = await one.query<{ hit: number }>(
          `SELECT extract(epoch FROM unnest(hits))::double precision AS hit FROM rate_limits WHERE bucket = 'flood:a'`,
        )
        for (const { hit } of rows) stamps.add(hit)
        await sleep(20)
      }
    }
    const [, ...counts] = await Promise.all([watch(), ...[limiter, otherLimiter, limiter, otherLimiter].map(flood)])
    const total = counts.reduce((sum, count) => sum + count, 0)
    const sorted = [...stamps].sort((a, b) => a - b)
    const gaps = sorted.slice(policy.max).map((hit, i) => hit - (sorted[i] ?? hit))
    expect(Math.min(...gaps), 'ten and one more take at least a window').toBeGreaterThanOrEqual(policy.seconds)
    expect(total).toBeGreaterThanOrEqual(50)
    expect(total).toBeLessThanOrEqual(60)
  })

  it('admits whoever waited as long as it said', async () => {
    const policy = { name: 'patient', max: 3, seconds: 2 }
    for (let i = 0; i < 3; i++) expect((await limiter.admit(policy, 'a')).admitted).toBe(true)
    for (let round = 0; round < 2; round++) {
      const refused = await limiter.admit(policy, 'a')
      expect(refused.admitted).toBe(false)
      await sleep(refused.retryAfter * 1000)
      for (let i = 0; i < 3; i++) expect((await limiter.admit(policy, 'a')).admitted).toBe(true)
    }
  })

  it('does not count what it refuses, and keeps buckets apart', async () => {
    const policy = { name: 'small', max: 1, seconds: 4 }
    expect((await limiter.admit(policy, 'a')).admitted).toBe(true)
    const refusals = await Promise.all(
      Array.from({ length: 50 }, (_, i) => (i % 2 ? limiter : otherLimiter).admit(policy, 'a')),
    )
    expect(refusals.some(({ admitted }) => admitted)).toBe(false)
    expect((await limiter.admit(policy, 'b')).admitted).toBe(true)
    await sleep(4_000)
    expect((await limiter.admit(policy, 'a')).admitted).toBe(true)
  })

  it('asks the database nothing while a window is known to be full', async () => {
    const policy = { name: 'full', max: 1, seconds: 60 }
    const pool = openPool(database.url, pino({ level: 'silent' }), 1)
    const own = createLimiter(pool)
    await own.admit(policy, 'a')
    await pool.end()
    const { retryAfter, ...rest } = await own.admit(policy, 'a')
    expect(rest).toEqual({ admitted: false, remaining: 0 })
    expect([55, 56, 57, 58, 59, 60]).toContain(retryAfter)
  })
})

describe('the limits over HTTP', () => {
  it('are 120 a minute for discovery, by address; 60 for calls and 120 for their records, by key', async () => {
    const gateway = await startGateway({ TRUST_PROXY: '1' })
    try {
      const flood = async (path: string, headers: Record<string, string>) => {
        const answers = await Promise.all(Array.from({ length: 130 }, () => ask(`${gateway.url}${path}`, { headers })))
        const refused = answers.filter(({ status }) => status === 429)
        for (const { body, headers: got } of refused) {
          expect(body['error']).toBe('rate_limited')
          expect(Number(got.get('Retry-After'))).toBeGreaterThan(0)
        }
        return answers.length - refused.length
      }
      expect(await flood('/apps', { 'X-Forwarded-For': '192.0.2.1' })).toBe(120)
      expect(await flood('/apps', { 'X-Forwarded-For': '192.0.2.1, 192.0.2.2' })).toBe(120)
      // Pages for people count with what programs ask for.
      expect((await fetch(`${gateway.publicUrl}/docs`, { headers: { 'X-Forwarded-For': '192.0.2.2' } })).status).toBe(
        429,
      )
      expect((await fetch(`${gateway.publicUrl}/docs`, { headers: { 'X-Forwarded-For': '192.0.2.3' } })).status).toBe(
        200,
      )
      // A /64 is one's own to change addresses in, whatever is tried from it.
      const fromNetwork = async (path: string, key: string | undefined) => {
        const statuses = await Promise.all(
          Array.from({ length: 130 }, async (_, i) => {
            const headers = { 'X-Forwarded-For': `2001:db8:1:2::${i.toString(16)}` }
            return (await ask(`${gateway.url}${path}`, { headers, ...(key !== undefined && { key }) })).status
          }),
        )
        return statuses.filter((status) => status !== 429).length
      }
      expect([await fromNetwork('/apps', undefined), await fromNetwork('/calls', madeUpKey())]).toEqual([120, 120])
      const { key } = await gateway.newKey()
      const other = await gateway.newKey()
      expect(await flood('/no-such-app/no-such-endpoint', { 'X-API-Key': key })).toBe(60)
      expect(await flood('/calls', { 'X-API-Key': key })).toBe(120)
      const answer = await ask(`${gateway.url}/calls`, { key: other.key })
      expect(answer.headers.get('RateLimit')).toBe('"call-records";r=119;t=60')
      expect(answer.headers.get('RateLimit-Policy')).toBe('"call-records";q=120;w=60')
    } finally {
      await gateway.stop()
    }
  })

  it('do not believe X-Forwarded-For without a proxy', async () => {
    const gateway = await startGateway()
    try {
      const answers = await Promise.all(
        Array.from({ length: 125 }, (_, i) =>
          ask(`${gateway.url}/apps`, { headers: { 'X-Forwarded-For': `192.0.2.${i}` } }),
        ),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(120)
    } finally {
      await gateway.stop()
    }
  })
})
