import { describe, expect, test } from 'vitest'
import { decimal, fromLocal, fromLocalToUtc, toFigure, toUtc } from '../../connectors/field-service/figures.ts'

describe('times and figures', () => {
  test.each([
    ['01.07.2026 09:30', 'Europe/Berlin', '2026-07-01T09:30:00+02:00'],
    ['01.01.2026 09:30', 'Europe/Berlin', '2026-01-01T09:30:00+01:00'],
    ['25.10.2026 02:30', 'Europe/Berlin', '2026-10-25T02:30:00+02:00'],
    ['25.10.2026 03:00', 'Europe/Berlin', '2026-10-25T03:00:00+01:00'],
    ['29.03.2026 03:00', 'Europe/Berlin', '2026-03-29T03:00:00+02:00'],
    ['01.01.2026 00:00', 'America/St_Johns', '2026-01-01T00:00:00-03:30'],
    ['01.01.2026 00:00', 'Etc/UTC', '2026-01-01T00:00:00+00:00'],
  ])('%s in %s is %s', (local, zone, moment) => expect(fromLocal(local, zone)).toBe(moment))

  test.each([
    ['29.03.2026 02:30', 'Europe/Berlin'],
    ['29.03.2026 09:30', 'Europe/Nowhere'],
    ['2026-03-29 09:30', 'Europe/Berlin'],
    ['29.03.2026', 'Europe/Berlin'],
    ['29.03.2026 09:30 10:00', 'Europe/Berlin'],
  ])('%s in %s is no time', (local, zone) => expect(() => fromLocal(local, zone)).toThrow())

  test('what was written down is told in UTC, or not at all', () => {
    expect(fromLocalToUtc('01.01.2026 00:30', 'Europe/Berlin')).toBe('2025-12-31T23:30:00Z')
    expect(fromLocalToUtc(null, 'Europe/Berlin')).toBe(null)
  })

  test('moments are sent in UTC, and never rounded to another minute', () => {
    expect(toUtc('2026-01-01T00:30:00+02:00')).toBe('31.12.2025 22:30')
    expect(toUtc('2026-01-01T00:30:15Z')).not.toMatch(/^\d\d\.\d\d\.\d{4} \d\d:\d\d$/)
  })

  test.each([
    ['0,00', '0.00'],
    ['999,05', '999.05'],
    ['1.234,50', '1234.50'],
    ['-12.345.678,90', '-12345678.90'],
  ])('%s is %s', (theirs, ours) => expect(decimal(theirs)).toBe(ours))

  test.each(['1234,50', '1.234', '1,5', '1.23,45', '1234.50', ''])('%s is no figure', (value) =>
    expect(() => decimal(value)).toThrow(),
  )

  test('figures are sent as they are, never rounded', () => {
    expect(['49.00', 1.5, 10_000, 0.125, undefined].map(toFigure)).toEqual([
      '49,00',
      '1,5',
      '10000',
      '0,125',
      undefined,
    ])
  })
})
