import { describe, expect, test } from 'vitest'
import { tooLong } from '../../connectors/pet-salon/lists.ts'
import { fromClocks, toClocks } from '../../connectors/pet-salon/times.ts'
import { fromPence, toPence } from '../../connectors/pet-salon/shared.ts'

describe('times, prices and long lists', () => {
  test.each([
    ['2026-07-01T14:30:00Z', 'America/New_York', '01/07/2026', '10:30', '2026-07-01T10:30:00-04:00'],
    ['2026-01-31T23:30:00+01:00', 'Asia/Kolkata', '01/02/2026', '04:00', '2026-02-01T04:00:00+05:30'],
    ['2026-12-31T18:00:00+00:00', 'Atlantic/St_Helena', '31/12/2026', '18:00', '2026-12-31T18:00:00+00:00'],
    ['2026-10-25T00:30:00Z', 'Europe/Lisbon', '25/10/2026', '01:30', '2026-10-25T01:30:00+01:00'],
  ])('%s in %s is %s %s', (moment, zone, d, t, shown) => {
    expect(toClocks(moment, zone)).toEqual({ d, t })
    expect(fromClocks(d, t, zone)).toBe(shown)
  })

  test.each(['2026-10-25T01:30:00Z', '2026-05-01T09:30:30Z', '2026-05-01T09:30:00.5Z', '2026-12-31T23:59:60Z'])(
    '%s cannot be told on the clocks of Lisbon and is refused',
    (moment) => expect(() => toClocks(moment, 'Europe/Lisbon')).toThrow(/is no time/),
  )

  test.each([
    [19.99, 1999],
    [0, 0],
    [0.07, 7],
    [1.1, 110],
    [100_000, 10_000_000],
  ])('%d is %d pence and back', (price, pence) => {
    expect(toPence(price)).toBe(pence)
    expect(fromPence(pence)).toBe(price)
  })

  test('a price with parts of a penny is refused, never rounded', () => {
    for (const price of [19.999, 0.001, 12.3456]) expect(() => toPence(price)).toThrow(/more than two decimals/)
    expect(() => fromPence(12.5)).toThrow('not an amount in pence')
  })

  test('a whole list that the app cuts is refused', () => {
    const list = { status: 200, headers: {}, text: '', location: null, elsewhere: null }
    const rows = Array.from({ length: 1000 }, () => ({}))
    expect(tooLong({ ...list, json: { tot: 1001, lim: 1000, rows } })).toMatchObject({ appCode: 'LIST_TOO_LONG' })
    expect(tooLong({ ...list, json: { tot: 1000, lim: 1000, rows } })).toBeUndefined()
    expect(tooLong({ ...list, json: { tot: 70, lim: 10, rows: rows.slice(0, 10) } })).toBeUndefined()
  })
})
