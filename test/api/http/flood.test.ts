import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { revokeKey } from '../../../core/keys/rows.ts'
import { ask, startGateway } from './gateway.ts'
import type { Gateway, Got } from './gateway.ts'
import { madeUpKey } from './made-up-key.ts'

/** Once a window is full, each process refuses by itself, and nobody else feels it. */
describe('a flood over two API processes', () => {
  let one: Gateway
  let other: Gateway
  beforeAll(async () => {
    one = await startGateway({ TRUST_PROXY: '1' })
    other = await one.another()
  })
  beforeEach(() => one.ctx.db.query('DELETE FROM rate_limits'))
  afterAll(() => one.stop())

  let addresses = 0
  const newAddress = (): string => `10.1.${++addresses >> 8}.${addresses & 255}`
  const calls = (gateway: Gateway, key: string, address = '192.0.2.0'): Promise<Got> =>
    ask(`${gateway.url}/no-such-app/no_such_endpoint`, { key, headers: { 'X-Forwarded-For': address } })

  /** Requests taken in turn by both, so many at once. */
  async function flood(count: number, send: (gateway: Gateway) => Promise<Got>): Promise<Got[]> {
    const answers: Got[] = []
    const lane = async (gateway: Gateway): Promise<void> => {
      while (answers.length < count) answers.push(await send(gateway))
    }
    await Promise.all(Array.from({ length: 40 }, (_, i) => lane(i % 2 === 0 ? one : other)))
    return answers
  }

  /** How many statements both processes sent meanwhile: each takes a connection from a pool. */
  async function statements(work: () => Promise<unknown>): Promise<number> {
    let count = 0
    const hear = (): void => void count++
    for (const { ctx } of [one, other]) ctx.db.on('acquire', hear)
    try {
      await work()
    } finally {
      for (const { ctx } of [one, other]) ctx.db.off('acquire', hear)
    }
    return count
  }

  /** One a second and process, and one more where requests arrive while it is under way, as they do on a busy machine. */
  const lookUps = (took: number): number => 2 * (2 * Math.ceil(took) + 1)

  const seconds = async (work: () => Promise<unknown>): Promise<number> => {
    const began = performance.now()
    await work()
    return (performance.now() - began) / 1000
  }

  it('costs no SQL beyond one look-up of the key a second, and says when it is over', async () => {
    const { key } = await one.newKey()
    const admitted = await flood(60, (gateway) => calls(gateway, key))
    expect(admitted.filter(({ status }) => status === 404)).toHaveLength(60)
    // Each has to hear of it once.
    for (const gateway of [one, other]) expect((await calls(gateway, key)).status).toBe(429)

    let answers: Got[] = []
    let took = 0
    const sent = await statements(async () => {
      took = await seconds(async () => {
        answers = await flood(2_000, (gateway) => calls(gateway, key))
      })
    })
    expect(sent, 'statements').toBeLessThanOrEqual(lookUps(took))
    const waits = answers.map(({ headers }) => Number(headers.get('Retry-After')))
    for (const [i, { status, body, headers }] of answers.entries()) {
      expect([status, body['error']]).toEqual([429, 'rate_limited'])
      expect(headers.get('RateLimit')).toBe(`"calls";r=0;t=${waits[i]}`)
      expect(headers.get('RateLimit-Policy')).toBe('"calls";q=60;w=60')
    }
    const { rows } = await one.ctx.db.query<{ left: number }>(
      `SELECT extract(epoch FROM hits[1] + interval '60 seconds' - clock_timestamp())::double precision AS left
       FROM rate_limits WHERE bucket LIKE 'calls:%'`,
    )
    expect(Math.min(...waits), 'every Retry-After was long enough').toBeGreaterThanOrEqual(rows[0]?.left ?? Infinity)
    expect(Math.max(...waits)).toBeLessThanOrEqual(60)
  })

  it('of one limit leaves the others of the same key alone', async () => {
    const { key } = await one.newKey()
    await flood(100, (gateway) => calls(gateway, key))
    for (const gateway of [one, other]) {
      const answer = await ask(`${gateway.url}/calls`, { key })
      expect([answer.status, (await calls(gateway, key)).status]).toEqual([200, 429])
    }
  })

  it('does not keep a revoked key alive: 403 within a second or so, and never let in', async () => {
    const { id, key } = await one.newKey()
    await flood(100, (gateway) => calls(gateway, key))
    expect(await revokeKey(one.ctx, one.owner, id)).toBe(true)
    const after: number[] = []
    const end = performance.now() + 1_500
    // From many addresses, for refused as bad the key would soon fill the limit of one.
    while (performance.now() < end)
      for (const gateway of [one, other]) after.push((await calls(gateway, key, newAddress())).status)
    // Refused as a flood while it is remembered, which may be over by now.
    for (const status of after) expect([429, 403]).toContain(status)
    expect(after.slice(-2)).toEqual([403, 403])
    // Another limit of the key is not full, so it is looked up, and found revoked, at once.
    const records = await Promise.all([one, other].map(({ url }) => ask(`${url}/calls`, { key })))
    expect(records.map(({ status }) => status)).toEqual([403, 403])
  })

  it('of made-up keys is limited by address, costs few look-ups, and holds up no valid key from there', async () => {
    const address = newAddress()
    const tried = await flood(200, (gateway) => calls(gateway, madeUpKey(), address))
    expect(tried.filter(({ status }) => status === 403)).toHaveLength(120)
    expect(tried.find(({ status }) => status === 429)?.headers.get('RateLimit')).toBeNull()

    const { key } = await one.newKey()
    const valid: number[] = []
    let took = 0
    const sent = await statements(async () => {
      took = await seconds(() =>
        Promise.all([
          flood(2_000, (gateway) => calls(gateway, madeUpKey(), address)),
          // Never seen by either before.
          calls(one, key, address).then(({ status }) => valid.push(status)),
          calls(other, key, address).then(({ status }) => valid.push(status)),
        ]),
      )
    })
    expect(valid).toEqual([404, 404])
    expect(sent, 'twenty look-ups a second and process, and the valid requests').toBeLessThanOrEqual(
      2 * 20 * Math.ceil(took) + 10,
    )
    expect((await calls(one, madeUpKey(), newAddress())).status, 'another address').toBe(403)
  })

  it('of one made-up key costs next to nothing', async () => {
    const address = newAddress()
    const key = madeUpKey()
    await flood(200, (gateway) => calls(gateway, key, address))
    let took = 0
    const sent = await statements(async () => {
      took = await seconds(() => flood(1_000, (gateway) => calls(gateway, key, address)))
    })
    expect(sent).toBeLessThanOrEqual(lookUps(took))
  })

  it('of discovery costs no SQL at all', async () => {
    const address = newAddress()
    const apps = (gateway: Gateway) => ask(`${gateway.url}/apps`, { headers: { 'X-Forwarded-For': address } })
    await flood(200, apps)
    // What the floods before left for the security log is written by then.
    await pause(2_500)
    const sent = await statements(async () => {
      for (const { status } of await flood(1_000, apps)) expect(status).toBe(429)
    })
    expect(sent).toBe(0)
  })
})
