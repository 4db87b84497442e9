import { expect, test } from 'vitest'
import { nextLink } from '../../connectors/kit/links.ts'
import { localDate, localNumber, localTime } from '../../connectors/kit/locales.ts'

test.each([
  ['1.234', 'de', 1234],
  ['1.234,50 €', 'de', 1234.5],
  ['-1.234', 'de', -1234],
  ['$1,234', 'en-US', 1234],
  ['(1,234.00)', 'en-US', -1234],
  ['1\u202f234,5 €', 'fr', 1234.5],
  ['CHF 1’234.50', 'de-CH', 1234.5],
  ['12,34,567', 'en-IN', 1_234_567],
])('%s in %s is a number', (value, locale, number) => {
  expect(localNumber(value, locale)).toBe(number)
})

test.each([
  ['1.23', 'de'],
  ['1,5', 'en'],
  ['3 of 4', 'en'],
  ['1234.567', 'de'],
  ['', 'de'],
])('%j in %s is none', (value, locale) => {
  expect(() => localNumber(value, locale)).toThrow('not a number')
})

test.each([
  ['31.12.2026', 'de', '2026-12-31'],
  ['12/31/2026', 'en-US', '2026-12-31'],
  ['3/4/2026, 2:05 pm', 'en-US', '2026-03-04T14:05:00Z'],
  ['3/4/2026', 'en-GB', '2026-04-03'],
  ['1. März 2026 um 9:30', 'de', '2026-03-01T09:30:00Z'],
  ['1er mai 2026', 'fr', '2026-05-01'],
])('%s in %s is a date', (value, locale, date) => {
  expect(localDate(value, locale)).toBe(date)
})

test.each(['29.2.2026', '31.12.26', '31.12.2026 25:00'])('%s is no date', (value) => {
  expect(() => localDate(value, 'de')).toThrow()
})

test('a time of day is told by twelve hours, too', () => {
  expect(['2:05 pm', '12:00 am', '14.05 Uhr'].map(localTime)).toEqual(['14:05:00', '00:00:00', '14:05:00'])
  for (const time of ['24:00', '13:00 pm', '9']) expect(() => localTime(time)).toThrow('not a time')
})

test('the next page is in the header Link', () => {
  const link = '<https://a/x?page=2>; title="a, b; c"; rel="prev next", <https://a/x?page=9>; rel="last"'
  expect([nextLink({ link }, 'page'), nextLink({}, 'page')]).toEqual(['2', null])
  expect(() => nextLink({ link }, 'cursor')).toThrow('without')
})
