import { describe, expect, test } from 'vitest'
import { fromLocal, toLocal } from '../../connectors/salon-booking/times.ts'
import { decimal } from '../../connectors/salon-booking/shared.ts'

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
