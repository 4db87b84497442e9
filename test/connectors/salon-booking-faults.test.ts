import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fromLocal, toLocal } from '../../connectors/salon-booking/times.ts'
import { decimal } from '../../connectors/salon-booking/words.ts'
import type { FaultKind } from '../support/sandbox.ts'
import { exchanged } from './local-app.ts'
import { Salon, dayAt, dries } from './salon-booking-calls.ts'

let salon: Salon
beforeAll(async () => {
  salon = await Salon.open()
})
beforeEach(() => salon.sandbox.reset())
afterAll(() => salon.sandbox.close())

describe('each fault', () => {
  const read = ['list_appointments', { from: dayAt(0) }] as const
  const write = ['add_client_note', { client_id: dries, text: 'Hello' }] as const
  const cases: [FaultKind, object, number][] = [
    ['block', { kind: 'blocked' }, 0],
    ['expire', { kind: 'auth_expired' }, 0],
    ['captcha', { kind: 'captcha' }, 0],
    ['mfa', { kind: 'mfa' }, 0],
    ['rate_limit', { kind: 'rate_limited', retryAfterMs: 7000 }, 0],
    ['error', { kind: 'app_error', status: 500 }, 0],
    ['drop_before', { kind: 'lost' }, 0],
    ['drop_after', { kind: 'lost' }, 1],
    ['garbage', { kind: 'changed' }, 1],
    ['huge', { kind: 'changed' }, 1],
    ['slow', { kind: 'timeout' }, 1],
  ]
  for (const [kind, outcome, effects] of cases)
    test.each([read, write])(`${kind} is told by its outcome: %s`, async (name, input) => {
      const options = kind === 'slow' ? { ms: 1400 } : kind === 'rate_limit' ? { retry_after: 7 } : {}
      await salon.control.fault(kind, options)
      const timeout = kind === 'slow' ? 1000 : 15_000
      const result = await exchanged(salon.sandbox, salon.app, name, input, 'demo', timeout)
      expect(result.outcome).toEqual(outcome)
      const early = ['block', 'expire', 'captcha', 'mfa'].includes(kind)
      // A write meets these where it asks for its token: the action was never sent.
      expect(result.sent).toBe(!(early && name === 'add_client_note'))
      await salon.control.clearFaults()
      await salon.call(...read)
      if (kind === 'slow') await new Promise((resolve) => setTimeout(resolve, 500))
      const done = name === 'add_client_note' ? effects : 0
      await expect.poll(async () => (await salon.control.effects()).length, { timeout: 3000 }).toBe(done)
    })
})

describe('times and amounts', () => {
  test.each([
    ['2026/07/01 09:30', 'Europe/Lisbon', '2026-07-01T09:30:00+01:00'],
    ['2026/01/01 09:30', 'Europe/Lisbon', '2026-01-01T09:30:00+00:00'],
    ['2026/10/25 01:30', 'Europe/Lisbon', '2026-10-25T01:30:00+01:00'],
    ['2026/10/25 02:00', 'Europe/Lisbon', '2026-10-25T02:00:00+00:00'],
    ['2026/03/29 02:00', 'Europe/Lisbon', '2026-03-29T02:00:00+01:00'],
    ['2026/01/01 00:00', 'Asia/Kathmandu', '2026-01-01T00:00:00+05:45'],
    ['2026/01/01 00:00', 'Etc/UTC', '2026-01-01T00:00:00+00:00'],
  ])('%s in %s is %s', (local, zone, moment) => expect(fromLocal(local, zone)).toBe(moment))

  test.each([
    ['2026/03/29 01:30', 'Europe/Lisbon'],
    ['2026/03/29 09:30', 'Europe/Nowhere'],
    ['29/03/2026 09:30', 'Europe/Lisbon'],
  ])('%s in %s is no time', (local, zone) => expect(() => fromLocal(local, zone)).toThrow())

  test('are sent in UTC, and never rounded to another minute', () => {
    expect(toLocal('2026-01-01T00:30:00+02:00')).toEqual({ local: '2025/12/31 22:30', zone: 'Etc/UTC' })
    expect(toLocal('2026-01-01T00:30:15Z').local).not.toMatch(/^\d{4}\/\d\d\/\d\d \d\d:\d\d$/)
  })

  test.each([
    [4250, 2, '42.50'],
    [5, 2, '0.05'],
    [0, 0, '0'],
    [4250, 0, '4250'],
    [-4250, 3, '-4.250'],
  ])('%d with %d decimals is %s', (minor, exponent, text) =>
    expect(decimal({ minor, currency: { code: 'X', exponent } })).toBe(text),
  )
})
