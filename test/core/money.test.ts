import { expect, test } from 'vitest'
import { moneyKey } from '../../connectors/kit/declared.ts'
import { isAbove } from '../../core/approvals/amounts.ts'

const inCurrency = { unit: 'minor', currency: { field: 'currency' } }
const amounts = (money: unknown) => ({
  type: 'object',
  properties: { list: { type: 'array', items: { properties: { sum: { [moneyKey]: money } } } } },
})
const given = (...sums: readonly unknown[]) => ({ list: sums.map((sum) => ({ sum, currency: 'eur' })) })

test.each([
  ['is what its parts make, to the last digit', given('0.1', 0.2), { unit: 'major', currency: 'EUR' }, '0.3', false],
  ['counts cents of a known currency', given(2_000, 999), inCurrency, '29.99', false],
  ['a cent above the limit is above it', given(2_000, 1_000), inCurrency, '29.99', true],
  ['counts what is taken back, too', given(-2_000, 1_000), inCurrency, '29.99', true],
  [
    'beyond what a number can hold',
    given('90071992547409930.01'),
    { unit: 'major', currency: null },
    '90071992547409930',
    true,
  ],
  ['with an amount that is no number', given('1', 'a lot'), inCurrency, '100', true],
  ['of none', given(), inCurrency, '100', true],
] as const)('a sum %s', (_, input, money, limit, expected) => {
  expect(isAbove(input, amounts(money), limit)).toBe(expected)
})
