import { describe, expect, it } from 'vitest'
import { differencesOf, shapeOf } from '../../connectors/recordings/shape.ts'

const item = { id: 'a', tags: ['x'], price: 1, note: null }

describe('what has changed in the shape of an output', () => {
  it.each<[what: string, was: readonly unknown[], is: unknown, told: readonly string[]]>([
    ['nothing', [{ items: [item] }], { items: [item, { ...item, id: 'b' }] }, []],
    ['a field is gone', [{ a: 1, b: 'x' }], { a: 2 }, ['gone $.b: was text, is not there']],
    ['a field says nothing any more', [{ a: 'x' }], { a: null }, ['gone $.a: was text, is null']],
    ['a field that said nothing at times', [{ a: 'x' }, { a: null }], { a: null }, []],
    ['a field that was left out at times', [{ items: [{ a: 1 }, {}] }], { items: [{}] }, []],
    ['a field that never said anything', [{ a: null }], { a: 'x' }, []],
    ['a field that is new', [{ a: 1 }], { a: 1, b: 2 }, []],
    ['another type', [{ a: 1 }], { a: '1' }, ['type $.a: was number, is text']],
    ['one of the types that it had', [{ a: 1 }, { a: '1' }], { a: '2' }, []],
    ['a list is empty', [{ items: [item] }], { items: [] }, ['empty $.items: was list, is empty list']],
    ['a list that was empty at times', [{ items: [] }, { items: [item] }], { items: [] }, []],
    ['a list that was always empty', [{ items: [] }], { items: [item] }, []],
    ['a list that is no list', [{ items: [] }], { items: 'none' }, ['type $.items: was empty list, is text']],
    [
      'a field of all entries',
      [{ items: [item] }],
      { items: [{ ...item, price: null }] },
      ['gone $.items[*].price: was number, is null'],
    ],
    ['a field of one entry of two', [{ items: [item] }], { items: [item, { ...item, price: null }] }, []],
    [
      'lists in lists',
      [{ items: [item] }],
      { items: [{ ...item, tags: [] }] },
      ['empty $.items[*].tags: was list, is empty list'],
    ],
    ['all of an object', [{ who: { name: 'x' } }], { who: null }, ['gone $.who: was object, is null']],
    ['a name with a dot in it', [{ 'a.b': { c: 1 } }], { 'a.b': {} }, ['gone $.a.b.c: was number, is not there']],
  ])('%s', (_what, was, is, told) => {
    const found = differencesOf(shapeOf(...was), shapeOf(is))
    expect(found.map(({ kind, place, words }) => `${kind} ${place}: ${words}`)).toEqual(told)
  })

  it('says nothing of what stood there', () => {
    const shape = shapeOf({ name: 'Ada Prado', items: [{ id: 4711 }] })
    expect(JSON.stringify([...shape].map(([place, sorts]) => [place, [...sorts]]))).not.toMatch(/Ada|4711/)
  })
})
