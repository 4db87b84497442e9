import { describe, expect, it } from 'vitest'
import { parseObject } from '../../../core/http/json.ts'
import { preferredWaitMs } from '../../../core/http/wait.ts'

const nested = (depth: number): string => '{"a":'.repeat(depth - 1) + '{}' + '}'.repeat(depth - 1)
const parse = (text: string | Buffer) => () => parseObject(Buffer.from(text))
const refusal = (text: string | Buffer): unknown => {
  try {
    parse(text)()
  } catch (error) {
    return error
  }
  return undefined
}

describe('the body of a call', () => {
  it('is an empty object when there is none', () => {
    expect(parseObject(Buffer.alloc(0))).toEqual({})
  })

  it('is taken as it is when it is a JSON object, 32 levels deep at most', () => {
    expect(parseObject(Buffer.from('{"a":[1,"ü",null,{"b":true}]}'))).toEqual({ a: [1, 'ü', null, { b: true }] })
    expect(parse(nested(32))).not.toThrow()
    expect(parse(`{"a":${'['.repeat(31)}${']'.repeat(31)}}`)).not.toThrow()
  })

  it.each([
    ['text that is not JSON', '{"a":'],
    ['an array', '[]'],
    ['null', 'null'],
    ['a number', '1'],
    ['33 levels of objects', nested(33)],
    ['33 levels of arrays', `{"a":${'['.repeat(32)}${']'.repeat(32)}}`],
    ['a million brackets', '['.repeat(1_000_000)],
    ['the key __proto__', '{"__proto__":{"a":1}}'],
    ['the key __proto__, escaped', '{"a":[{"\\u005f_proto__":1}]}'],
    ['the key constructor', '{"a":{"constructor":1}}'],
    ['the key prototype', '{"a":{"b":{"prototype":1}}}'],
    ['half a surrogate pair in a text', '{"a":"\\ud800"}'],
    ['half a surrogate pair in a key', '{"\\udc00":1}'],
    ['a number beyond all bounds', '{"a":1e999}'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])('is refused when it is %s', (_, text) => {
    expect(refusal(text)).toMatchObject({ code: 'invalid_json' })
  })

  it.each(['9007199254740993', '-12345678901234567890', '0.10000000000000001', '1e-400', '123456789.123456789123'])(
    'is refused by its path where %s would become another number',
    (numeral) => {
      const error = refusal(`{"list":[1,{"amount":${numeral}}]}`)
      expect(error).toMatchObject({ code: 'invalid_json', fields: { details: [{ path: 'list.1.amount' }] } })
    },
  )

  it.each(['9007199254740992', '0.1', '1.50', '100000000000000000000', '1e2', '-0', '0.000', '1.7976931348623157e308'])(
    'is taken with %s, which stays the same',
    (numeral) => {
      expect(parseObject(Buffer.from(`{"amount":${numeral},"text":"9007199254740993"}`))).toMatchObject({
        amount: Number(numeral),
        text: '9007199254740993',
      })
    },
  )

  it('has of a key that is given twice the last value', () => {
    expect(parseObject(Buffer.from('{"a":9007199254740993,"a":1}'))).toEqual({ a: 1 })
  })

  it('is refused without quoting what was sent', () => {
    const { message } = refusal('{"password": hunter2}') as Error
    expect(message).toContain('is not JSON')
    expect(message).not.toContain('hunter2')
  })
})

describe('Prefer', () => {
  it.each([
    ['', 25_000],
    ['wait=3', 3_000],
    ['respond-async, wait=10', 10_000],
    ['WAIT = "7"; x=y', 7_000],
    ['wait=0', 0],
    ['wait=51', 50_000],
    ['wait=-1', 25_000],
    ['wait=soon', 25_000],
    ['await=5', 25_000],
  ])('%j means waiting %i ms', (prefer, ms) => {
    expect(preferredWaitMs(prefer)).toBe(ms)
  })
})
