import { describe, expect, test } from 'vitest'
import {
  fromClock,
  fromDollars,
  fromShare,
  fromUs,
  reference,
  toDollars,
  toUs,
} from '../../connectors/teacher-marketplace/shared.ts'

describe('what the marketplace writes', () => {
  test('is put in the words of the gateway', () => {
    expect(fromUs('02/28/2026')).toBe('2026-02-28')
    expect(toUs('2026-02-28')).toBe('02/28/2026')
    expect(toUs(undefined)).toBeUndefined()
    expect(reference(100001)).toBe('100001')
    expect([fromShare('6.94%'), fromShare('0.00%'), fromShare('150.00%')]).toEqual([0.0694, 0, 1.5])
  })

  test.each([
    ['02/28/2026 3:05 PM -0700', '2026-02-28T22:05:00Z'],
    ['02/28/2026 12:05 AM -0700', '2026-02-28T07:05:00Z'],
    ['02/28/2026 12:05 PM -0700', '2026-02-28T19:05:00Z'],
    ['01/01/2026 4:00 AM +0530', '2025-12-31T22:30:00Z'],
    ['07/01/2026 11:59 PM -0230', '2026-07-02T02:29:00Z'],
    ['03/29/2026 9:00 AM +0000', '2026-03-29T09:00:00Z'],
  ])('as a moment, %s, is %s', (written, moment) => {
    expect(fromClock(written)).toBe(moment)
  })

  test.each([
    ['$0.00', 0],
    ['$0.95', 95],
    ['$12.50', 1250],
    ['$1,234.50', 123_450],
    ['$1,234,567.89', 123_456_789],
  ])('as an amount, %s, is %d cents, and the other way round', (written, cents) => {
    expect(fromDollars(written)).toBe(cents)
    expect(toDollars(cents)).toBe(written.replaceAll(',', ''))
  })

  test.each([
    () => fromUs('2026-02-28'),
    () => fromClock('02/28/2026 15:05 -0700'),
    () => fromClock('02/28/2026 3:05 PM'),
    () => fromClock('13/28/2026 3:05 PM -0700'),
    () => fromDollars('12.50'),
    () => fromDollars('$12.5'),
    () => fromDollars('-$12.50'),
    () => fromShare('0.07'),
    () => reference('100001'),
  ])('in another shape is not understood: %s', (read) => {
    expect(read).toThrow()
  })
})
