import { expect, test } from 'vitest'
import { differences, jsonPath } from '../../core/approvals/differences.ts'

const paths = (before: unknown, after: unknown): string[] =>
  differences(before, after).map(({ place }) => jsonPath(place))

test.each<[string, unknown, unknown, string[]]>([
  ['the same', { a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 }, []],
  ['a text', { message: 'Yes' }, { message: 'No' }, ['$.message']],
  [
    'a field of an object',
    { to: { course_id: 'c_1', all: true } },
    { to: { course_id: 'c_2', all: true } },
    ['$.to.course_id'],
  ],
  [
    'a field of an entry',
    { items: [{ price: 1 }, { price: 2 }] },
    { items: [{ price: 1 }, { price: 3 }] },
    ['$.items[1].price'],
  ],
  ['an added and a removed field', { a: 1 }, { b: null }, ['$.a', '$.b']],
  ['a list that grew', { tags: ['x'] }, { tags: ['x', 'y'] }, ['$.tags[1]']],
  ['another kind of value', { a: [1] }, { a: { 0: 1 } }, ['$.a']],
  ['a number and its text', { a: 1 }, { a: '1' }, ['$.a']],
  [
    'a name with a dash, and one with a quote',
    { 'a-b': 1, "it's": 1 },
    { 'a-b': 2, "it's": 2 },
    ["$['a-b']", "$['it\\'s']"],
  ],
])('%s', (_what, before, after, expected) => {
  expect(paths(before, after)).toEqual(expected)
})
