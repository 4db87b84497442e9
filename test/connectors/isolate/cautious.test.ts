import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { cautious } from '../../../connectors/isolate/cautious.ts'
import { endpoint } from '../../../connectors/kit/define.ts'
import type { ConnectorSpec, EndpointDefinition } from '../../../connectors/kit/define.ts'

const words = { summary: 'It does.', label: 'Do it', brief: [], input: {}, output: { a: Type.String() } } as const
const read = (more: object = {}) => endpoint({ ...words, access: 'read', request: 'GET /a', ...more })
const search = (more: object = {}) => endpoint({ ...words, access: 'read', request: 'POST /search', ...more })
const write = (more: object = {}) =>
  endpoint({ ...words, access: 'write', effect: 'adds', shownBy: [], request: 'POST /a', ...more })

function specOf(endpoints: Readonly<Record<string, EndpointDefinition>>, more: Partial<ConnectorSpec> = {}) {
  return {
    name: 'Shop',
    description: 'A shop.',
    role: 'owner',
    origin: 'https://shop.example/',
    signIn: { page: 'in', who: { page: 'me', account: () => null } },
    things: {},
    failure: () => undefined,
    endpoints: [endpoints],
    ...more,
  } satisfies ConnectorSpec
}

it.each([
  ['a GET', read(), [], { access: 'read', confirm: false, effect: null }],
  ['a write', write(), [], { access: 'write', confirm: true, effect: 'adds' }],
  ['a DELETE', write({ request: 'DELETE /a' }), [], { access: 'write', confirm: true }],
  ['a write that asks anyway', write({ confirm: true }), ['it'], { access: 'write', confirm: true }],
  ['a trusted write', write(), ['it'], { access: 'write', confirm: false }],
  ['a write beside a trusted one', write(), ['other'], { access: 'write', confirm: true }],
  ['a write that calls itself a read', search(), [], { access: 'write', confirm: true, effect: 'changes' }],
  ['a trusted read with POST', search(), ['it'], { access: 'read', confirm: false, effect: null }],
])('%s', (_, it, trusted, expected) => {
  expect(cautious(specOf({ it }), trusted).endpoints[0]?.['it']).toMatchObject(expected)
})

it.each([
  ['a preview', { it: write({ preview: [{ of: 'a', read: 'search', shows: ['a'], matters: [] }] }) }],
  [
    'a preview that goes on',
    {
      fine: read(),
      it: write({
        preview: [
          { of: 'a', read: 'fine', shows: ['a'], matters: [], goesOnTo: [{ of: 'a', read: 'search', by: 'a' }] },
        ],
      }),
    },
  ],
  ['a look at what happened', { it: write({ verify: { read: 'search', same: { a: 'a' } } }) }],
  ['what shows it', { it: write({ shownBy: [{ read: 'search' }] }) }],
])('%s is a GET, trusted or not', (_, endpoints) => {
  const spec = specOf({ ...endpoints, search: search() })
  expect(() => cautious(spec, ['search', 'it'])).toThrow('it looks up search, which is not read with GET')
})

it('what tells of a thing is a GET that is there', () => {
  const toldBy = (name: string) => ({
    client: { label: 'client', toldBy: [{ read: name, id: 'a' }], title: [], facts: [] },
  })
  expect(() => cautious(specOf({ search: search() }, { things: toldBy('search') }))).toThrow('not read with GET')
  expect(() => cautious(specOf({ search: search() }, { things: toldBy('none') }))).toThrow('which is not there')
})

it('the page after an action is a GET', () => {
  const it = { ...write(), after: { method: 'POST', path: '/b', names: [], optional: [] } } as const
  expect(() => cautious(specOf({ it }))).toThrow('it has a page after it that is no GET')
})

it('the pages before a request are GETs', () => {
  const before = (request: 'GET /c' | 'POST /c') => ({
    it: { ...write(), before: { c: { request, harmless: true as const } } },
  })
  expect(() => cautious(specOf(before('POST /c')), ['it'])).toThrow('it has a page before it that is no GET')
  expect(() => cautious(specOf(before('GET /c')))).not.toThrow()
})
