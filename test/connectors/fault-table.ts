import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FaultKind } from '../support/sandbox.ts'
import { AppCaller } from './app-caller.ts'
import { exchanged } from './local-app.ts'

type Call = readonly [endpoint: string, input: Readonly<Record<string, unknown>>]

export interface FaultCase {
  readonly slug: string
  /** A read that works on a fresh sandbox. */
  readonly read: Call
  /** Writes that do, one for each way that the app is written to (JSON, form, operation). */
  readonly writes: readonly Call[]
  /** Whose account the calls are of. Default: the demo user. */
  readonly user?: string
  /** A prefix of the path of the first write's own request, which nothing that is fetched before it has: `/api/visits`. */
  readonly submitPath: string
}

const early = ['block', 'expire', 'captcha', 'mfa'] as const

const faults: readonly (readonly [FaultKind, object, number])[] = [
  ['block', { kind: 'blocked' }, 0],
  ['expire', { kind: 'auth_expired' }, 0],
  ['captcha', { kind: 'captcha' }, 0],
  ['mfa', { kind: 'mfa' }, 0],
  ['rate_limit', { kind: 'rate_limited', retryAfterMs: expect.any(Number) }, 0],
  ['error', { kind: 'app_error', status: 500 }, 0],
  ['drop_before', { kind: 'lost' }, 0],
  ['drop_after', { kind: 'lost' }, 1],
  ['garbage', { kind: 'changed' }, 1],
  ['huge', { kind: 'changed' }, 1],
  ['slow', { kind: 'timeout' }, 1],
]

/** What the runtime alone makes of an answer, before an app's connector has a word in it: told by one app of each way to be written to. */
const ofTheRuntime: ReadonlySet<FaultKind> = new Set(['slow', 'huge', 'drop_before'])
const toldBy: ReadonlySet<string> = new Set(['field-jobs', 'property-advertising', 'salon'])

/** Apps that say how long to wait as a date. */
const dated: ReadonlySet<string> = new Set(['photo-gallery', 'salon'])

/** Every fault of the sandbox met by a read and by each kind of write of one app: what it is told as, and what was done. */
export function meetsFaults({ slug, read, writes, submitPath, user = 'demo' }: FaultCase): void {
  describe(`the faults of ${slug}`, () => {
    let app: AppCaller
    beforeAll(async () => {
      app = await AppCaller.open(slug)
    })
    // Only what was written changes what is seeded, and resetting takes longer than most of the tests.
    beforeEach(async () => {
      if ((await app.control.effects()).length > 0) await app.sandbox.reset()
    })
    afterEach(() => app.control.clearFaults())
    afterAll(() => app.sandbox.close())

    const met = (call: Call, timeoutMs?: number) => exchanged(app.sandbox, app.app, ...call, user, timeoutMs)

    const its = faults.filter(([kind]) => toldBy.has(slug) || !ofTheRuntime.has(kind))

    describe.each(its)('%s', (kind, outcome, effects) => {
      test.each([read, ...writes])('is told by its outcome: %s', async (...call) => {
        const options = kind === 'slow' ? { ms: 3_000 } : kind === 'rate_limit' ? { retry_after: 7 } : {}
        await app.control.fault(kind, options)
        const result = await met(call, kind === 'slow' ? 1_500 : 15_000)
        expect(result.outcome).toEqual(
          kind === 'garbage' || kind === 'huge' ? expect.objectContaining(outcome) : outcome,
        )
        // Some say it in seconds, others as a date of whole seconds.
        if (result.outcome.kind === 'rate_limited')
          expect(Math.abs(result.outcome.retryAfterMs - 7000)).toBeLessThan(dated.has(slug) ? 2000 : 1)
        await app.control.clearFaults()
        expect((await met(read)).outcome.kind).toBe('ok')
        const seen = async () => (await app.control.effects()).length
        await expect.poll(seen).toBe(call[0] === read[0] ? 0 : effects)
      })
    })

    test.each(early)('%s at the submit itself is no success', async (kind) => {
      const [write] = writes
      await app.control.fault(kind, { path: submitPath })
      const result = await met(write!)
      expect(result.outcome.kind).toBe(
        { block: 'blocked', expire: 'auth_expired', captcha: 'captcha', mfa: 'mfa' }[kind],
      )
      expect(result.sent).toBe(true)
      expect(await app.control.effects()).toEqual([])
    })
  })
}
