import { expect, test } from 'vitest'
import { unquoted } from '../../api/mcp/unquoted.ts'
import { loadApps } from '../../connectors/registry.ts'

const text = { type: 'string' }
const schema = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'string', minLength: 1 },
    cursor: { type: 'string', minLength: 1 },
    note: text,
    day: { type: 'string', format: 'date' },
    kind: { type: 'string', enum: ['a', 'b'] },
    gone: { anyOf: [text, { type: 'null' }] },
    limit: { type: 'integer', default: 25 },
    price: { type: 'number' },
    flag: { type: 'boolean' },
    any: {},
    code: { anyOf: [text, { type: 'integer' }] },
    items: {
      type: 'array',
      items: {
        anyOf: [
          { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] },
          { type: 'object', properties: { b: { type: 'boolean' } } },
        ],
      },
    },
  },
}

test.each([
  ['null of an optional input leaves it out', { id: 'x', cursor: null, limit: null, flag: null }, { id: 'x' }],
  ['an empty text that the schema refuses leaves it out', { cursor: '', day: '', kind: '', limit: '', flag: '' }, {}],
  ['an empty text that is a value stays', { note: '', gone: '', code: '' }, { note: '', gone: '', code: '' }],
  ['null that is a value stays', { gone: null, any: null }, { gone: null, any: null }],
  ['what is required stays, to be refused', { id: '' }, { id: '' }],
  ['null of what is required stays, to be refused', { id: null }, { id: null }],
  [
    'numbers and booleans come as text',
    { limit: '7', price: '1.50', flag: 'true' },
    { limit: 7, price: 1.5, flag: true },
  ],
  ['other texts stay, to be refused', { limit: 'x', flag: 'yes' }, { limit: 'x', flag: 'yes' }],
  ['a text where text is allowed stays', { code: '7', note: '{"a":1}' }, { code: '7', note: '{"a":1}' }],
  ['a number that would be another stays', { limit: '9007199254740993' }, { limit: '9007199254740993' }],
  ['JSON text within lists', { items: ['{"a":"1"}', { b: 'false' }] }, { items: [{ a: 1 }, { b: false }] }],
  ['a list as JSON text', { items: '[{"b":null}]' }, { items: [{}] }],
])('%s', (_, sent, meant) => {
  expect(unquoted(schema, sent)).toEqual(meant)
})

test('fields that an empty text or null clears are never taken for left out', () => {
  const apps = loadApps({ sandboxUrl: 'http://localhost:8090' }).all
  for (const endpoint of apps.flatMap(({ endpoints }) => [...endpoints.values()])) {
    const { inputSchema, app, name: action } = endpoint
    for (const name of Object.keys(inputSchema['properties'] as object))
      for (const value of ['', null]) {
        const parsed = endpoint.parseInput({ [name]: value }, { cursorKey: Buffer.alloc(32) })
        const refused = !parsed.ok && parsed.details.some(({ path }) => path === name)
        if (!refused)
          expect([app, action, unquoted(inputSchema, { [name]: value })]).toEqual([app, action, { [name]: value }])
      }
  }
})
