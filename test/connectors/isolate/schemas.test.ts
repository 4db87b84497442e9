import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { hostSchema } from '../../../connectors/isolate/host-schema.ts'
import { patternProblem } from '../../../connectors/isolate/safe-pattern.ts'

describe('a pattern', () => {
  it.each([
    String.raw`^\d{4}-(0[1-9]|1[0-2])$`,
    String.raw`^(\d{1,3}(\.\d{1,2})?%|\d{1,6}(\.\d{1,2})?)$`,
    String.raw`\S`,
    '^[A-Za-z0-9_-]{3,40}$',
    '^[^\\s,;"]+$',
    String.raw`^(?:[a-z]{2},)*[a-z]{2}$`,
    String.raw`^\p{L}+\u0041\x41[\]\\]$`,
    String.raw`^-?\d+(\.\d+)?$`,
    '^[a-z]+(-|_)[^@]+@[^@]+$',
    '^a*b*(c|$)',
    'a|b',
    '^$',
  ])('%s is taken', (pattern) => {
    expect(patternProblem(pattern)).toBeUndefined()
  })

  it.each([
    '^(a+)+$',
    '^(a|a)*$',
    '^(a|ab)*$',
    '(x+x+)+y',
    '^a*a*$',
    '^[a-z.]+[.][a-z]+$',
    String.raw`^[a-z.]+\.[a-z]+$`,
    String.raw`^\d+(\.\d+)*$`,
    String.raw`^\d+\.?\d+$`,
    String.raw`^\d+(\.|\d)+$`,
    '^a+(b?c?)a+$',
    '^a+(b|)a+$',
    String.raw`^a+\ba+$`,
    '^a+^a+$',
    '^(a+|b)a+$',
    '^a+.+b$',
    '^\\cA+\u0001+$',
    String.raw`^\uD83D\uDE00+😀+$`,
    'a+b',
    'a|^b+',
    '^(a?){50}$',
    '^(a{0,9}){0,9}$',
    String.raw`^(a)\1$`,
    '^(?=a)b',
    '^(?<!a)b',
    '^(?<name>a)$',
    '^(a',
    '^a)',
    '^[a',
    '^*',
    'x'.repeat(501),
    '^a{2000}$',
  ])('%s is not', (pattern) => {
    expect(patternProblem(pattern)).toBeTypeOf('string')
  })

  it('that is taken is fast with what fits it least', () => {
    const began = process.cpuUsage()
    for (const pattern of [
      String.raw`^(?:[a-z]{2},)*[a-z]{2}$`,
      '^[a-z]+$',
      String.raw`\S`,
      'a{1,40}b',
      String.raw`^a+(\.a+)?$`,
    ])
      for (const text of ['a'.repeat(1e5), `${'a'.repeat(1e5)}.`.repeat(2), 'aa,'.repeat(3e4), ' '.repeat(1e5)])
        new RegExp(pattern, 'u').test(`${text}!`)
    expect(process.cpuUsage(began).user / 1_000, 'ms of a processor').toBeLessThan(5_000)
  })
})

describe('a schema', () => {
  const plain = (schema: unknown): unknown => JSON.parse(JSON.stringify(schema))

  it('checks and fills in as one of ours', () => {
    const ours = Type.Object(
      {
        name: Type.String({ minLength: 1 }),
        rest: Type.Optional(Type.Array(Type.Object({ n: Type.Optional(Type.Integer({ default: 3 })) }))),
        kind: Type.Optional(Type.Union([Type.Literal('a'), Type.Null()], { default: null })),
        email: Type.Optional(Type.String()),
      },
      { additionalProperties: false, if: { required: ['rest'] }, else: { required: ['email'] } },
    )
    const [one, other] = [Compile(ours), Compile(hostSchema(plain(ours), 'it') as unknown as typeof ours)]
    for (const value of [
      { name: 'x', rest: [{}] },
      { name: 'x' },
      { name: 'x', email: 'e' },
      { name: '' },
      { name: 'x', more: 1 },
      {},
      null,
    ]) {
      const filled = other.Default(structuredClone(value))
      expect(filled).toEqual(one.Default(structuredClone(value)))
      expect(other.Check(filled)).toBe(one.Check(filled))
    }
    expect(JSON.stringify(hostSchema(plain(ours), 'it'))).toBe(JSON.stringify(ours))
  })

  it.each([
    ['a reference', { $ref: '#/x' }],
    ['code in a condition', { if: { required: ['a'] }, else: { maxLength: '1;' } }],
    ['code for a name', { required: ['"]; evil(); //'] }],
    ['code for a bound', { type: 'number', minimum: '0) || (globalThis.x = 1' }],
    ['code for a length', { type: 'string', maxLength: '1;' }],
    ['code for a field', { type: 'object', properties: { '"]; evil(); //': {} } }],
    ['another type', { type: 'code' }],
    ['a format of its own', { type: 'string', format: 'regex' }],
    ['a mark of TypeBox', { '~kind': 'Ref' }],
    ['a slow pattern', { type: 'string', pattern: '^(a+)+$' }],
    ['a long pattern that is tried everywhere', { type: 'string', pattern: '(?:a{1000}){1000}b' }],
    ['a long pattern after what has no limit', { type: 'string', pattern: '^x*(?:a{100}){20}b' }],
    ['a slow pattern of names', { type: 'object', patternProperties: { '^(a+)+$': {} } }],
    ['a slow pattern deep down', { type: 'array', items: { anyOf: [{ pattern: '(a+)+' }] } }],
    ['no schema', 7],
    ['an empty choice', { anyOf: [] }],
    ['many schemas', { anyOf: Array.from({ length: 4000 }, () => ({})) }],
  ])('with %s is refused', (_, schema) => {
    expect(() => hostSchema({ type: 'object', properties: { it: schema } }, 'find: input')).toThrow(/^find: input/)
  })
})
