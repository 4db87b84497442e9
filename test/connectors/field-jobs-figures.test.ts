import { describe, expect, test } from 'vitest'
import { decimal } from '../../connectors/field-jobs/money.ts'
import { kind, lines, minor } from '../../connectors/field-jobs/setup.ts'

describe('amounts', () => {
  test.each([
    [4250, 2, '42.50'],
    [5, 2, '0.05'],
    [0, 2, '0.00'],
    [4250, 0, '4250'],
    [-4250, 3, '-4.250'],
  ])('%d with %d digits are %s', (units, digits, amount) => expect(decimal(units, { digits })).toBe(amount))

  test.each([
    ['42.5', 2, 4250],
    ['42', 2, 4200],
    ['42.500', 2, 4250],
    ['42', 0, 42],
    ['0.042', 3, 42],
  ])('%s with %d digits is %d', (amount, digits, units) =>
    expect(minor(amount, { company: { money: { digits } } })).toBe(units),
  )

  test.each([
    ['42.505', 2],
    ['42.5', 0],
  ])('%s has more decimals than %d and is not rounded', (amount, digits) =>
    expect(() => minor(amount, { company: { money: { digits } } })).toThrow('more decimals'),
  )
})

describe('names of the account', () => {
  const job_kinds = ['Leak', 'LEAK', 'Roof', 'Twice', 'Twice'].map((label, at) => ({ uuid: `kind ${at}`, label }))

  test.each([
    ['LEAK', 'kind 1'],
    ['roof', 'kind 2'],
  ])('%s is the job type of that name', (name, uuid) => expect(kind(name, { job_kinds })).toBe(uuid))

  test.each(['leak', 'Twice', 'Massage', ''])('%j names none, or more than one, and is refused', (name) =>
    expect(() => kind(name, { job_kinds })).toThrow('It has: "Leak", "LEAK", "Roof", "Twice", "Twice".'),
  )

  test('become the lines of the price book', () => {
    const before = { price_book: [{ uuid: 'entry 1', label: 'Labour' }] }
    expect(lines([{ name: 'labour' }, { name: 'Labour', quantity: 0.25 }], before)).toEqual([
      { entry: 'entry 1', qty: 1 },
      { entry: 'entry 1', qty: 0.25 },
    ])
    expect(lines(undefined, before)).toBeUndefined()
  })
})
