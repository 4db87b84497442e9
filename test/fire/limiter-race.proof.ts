import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestUser } from '../support/user.ts'
import { startGateway } from './gateway.ts'
import type { Gateway } from './gateway.ts'

/** By hand: FIRE_LIMITER_SECONDS=180. */
const seconds = Number(process.env['FIRE_LIMITER_SECONDS'] ?? 70)
const limit = 60
const windowMs = 60_000

interface Try {
  readonly sent: number
  readonly answered: number
  readonly admitted: boolean
  readonly retryAfter: number
}

/** Limiter promise: exact over all processes, and fair to whoever stays under it. */
describe('the limiter over two API processes', () => {
  let gateway: Gateway
  let urls: readonly string[]
  beforeAll(async () => {
    gateway = await startGateway()
    const [, other] = await Promise.all([gateway.startApi(), gateway.anotherApi()])
    urls = [gateway.publicUrl, other]
  })
  afterAll(() => gateway.stop())

  let turns = 0
  /** Counts, although the endpoint does not exist; the processes take turns. */
  async function ask(user: TestUser): Promise<Try> {
    const sent = performance.now()
    const answer = await fetch(`${urls[turns++ % 2]}/api/v1/property-advertising/no_such_endpoint`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${user.key}`, 'Content-Type': 'application/json' },
      body: '{}',
    })
    const { error } = (await answer.json()) as { error: string }
    expect(['unknown_endpoint', 'rate_limited']).toContain(error)
    const retryAfter = Number(answer.headers.get('Retry-After') ?? 0)
    return { sent, answered: performance.now(), admitted: answer.status === 404, retryAfter }
  }

  /** The most that were certainly admitted within any 60 s: sent after its beginning and answered before its end. */
  function mostInAWindow(tries: readonly Try[]): number {
    const admitted = tries.filter((one) => one.admitted)
    const inside = (begin: number) =>
      admitted.filter(({ sent, answered }) => sent >= begin && answered <= begin + windowMs).length
    return Math.max(0, ...admitted.map(({ sent }) => inside(sent)))
  }

  it(
    `admits ${limit} in any 60 s, and refuses nobody who stays under it, for ${seconds} s`,
    { timeout: (seconds + 60) * 1_000 },
    async () => {
      const [greedy, obedient, bursts, steady] = await Promise.all([
        gateway.user(),
        gateway.user(),
        gateway.user(),
        gateway.user(),
      ])
      const end = performance.now() + seconds * 1_000
      const running = () => performance.now() < end

      const asGreedy = async (): Promise<Try[]> => {
        const tries: Try[] = []
        while (running())
          tries.push(...(await Promise.all([ask(greedy), ask(greedy), ask(greedy)])), ...(await waited(600)))
        return tries
      }
      /** As fast as it may, and after each refusal exactly as long as Retry-After says. */
      const asObedient = async (): Promise<Try[]> => {
        const tries: Try[] = []
        while (running()) {
          const one = await ask(obedient)
          tries.push(one)
          if (!one.admitted) {
            if (performance.now() + one.retryAfter * 1_000 > end) break
            await sleep(one.retryAfter * 1_000)
            const next = await ask(obedient)
            expect(next.admitted).toBe(true)
            tries.push(next)
          }
        }
        return tries
      }
      /** All of the minute's requests at once, again and again. */
      const asBursts = async (): Promise<Try[]> => {
        const tries: Try[] = []
        while (running()) {
          tries.push(...(await Promise.all(Array.from({ length: limit }, () => ask(bursts)))))
          if (performance.now() + windowMs > end) break
          await sleep(windowMs + 5)
        }
        return tries
      }
      const asSteady = async (): Promise<Try[]> => {
        const tries: Try[] = []
        while (running()) tries.push(await ask(steady), ...(await waited(windowMs / limit + 2)))
        return tries
      }
      const [all, told, bursty, even] = await Promise.all([asGreedy(), asObedient(), asBursts(), asSteady()])
      expect(mostInAWindow(all)).toBe(limit)
      expect(mostInAWindow(told)).toBeLessThanOrEqual(limit)
      expect(told.filter(({ admitted }) => admitted).length).toBeGreaterThan(limit)
      expect(bursty.length).toBeGreaterThanOrEqual(2 * limit)
      for (const { admitted } of [...bursty, ...even]) expect(admitted).toBe(true)
      expect(all.some(({ admitted }) => !admitted)).toBe(true)
    },
  )
})

async function waited(ms: number): Promise<[]> {
  await sleep(ms)
  return []
}
