import { describe, expect, test } from 'vitest'
import { spanOf, todayIn } from '../../connectors/tour-activity/spans.ts'
import { amount, fromMoment, fromPanelDay, fromPanelMonth } from '../../connectors/tour-activity/shared.ts'

describe('spans', () => {
  test.each([
    [{}, '2026-03-25', '2026-04-01'],
    [{ from: '2026-01-01' }, '2026-01-01', '2026-04-01'],
    [{ from: '2026-04-01' }, '2026-04-01', '2026-04-01'],
    [{ from: '2026-04-02' }, '2026-04-02', '2026-04-09'],
    [{ from: '9999-12-28' }, '9999-12-28', '9999-12-31'],
    [{ to: '2026-03-26' }, '2026-03-25', '2026-03-26'],
    [{ from: '2026-01-01', to: '2025-01-01' }, '2026-01-01', '2025-01-01'],
  ])('of %j on 25 March are from %s to %s', (given, from, to) => {
    expect(spanOf(given, '2026-03-25', 7)).toEqual({ from, to })
  })

  test.each([
    ['Pacific/Auckland', '2026-11-22'],
    ['America/Sao_Paulo', '2026-11-21'],
    ['Etc/UTC', '2026-11-21'],
  ])('begin today, which in %s is %s', (zone, day) => {
    expect(todayIn(zone, new Date('2026-11-21T13:00:00Z'))).toBe(day)
  })
})

describe('what the panel writes', () => {
  test('is put in the words of the gateway', () => {
    expect(fromPanelDay('28-02-2026')).toBe('2026-02-28')
    expect(fromPanelMonth('02-2026')).toBe('2026-02')
    expect(fromMoment({ day: '01-01-2026', hour: '00:30', off: '+05:45' })).toBe('2025-12-31T18:45:00Z')
    expect(amount({ value: '12.500', cur: 'TND' })).toEqual({ value: '12.500', currency: 'TND' })
  })

  test('in another shape is not understood', () => {
    expect(() => fromPanelDay('2026-02-28')).toThrow()
    expect(() => fromPanelDay('02-2026')).toThrow()
    expect(() => fromPanelMonth('28-02-2026')).toThrow()
    expect(() => fromMoment({ day: '28-02-2026', hour: '9', off: '+01:00' })).toThrow()
    expect(() => amount('12.50 EUR')).toThrow()
  })
})
