import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createToolsets } from '../../api/mcp/toolsets.ts'
import { loadApps } from '../../connectors/registry.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { send, send2025 } from './raw.ts'
import { faultsOf } from './schema-lint.ts'

const apps = loadApps({ sandboxUrl: 'http://localhost:8090' }).all
const { general, ofApp } = createToolsets({ all: apps })

describe('the linter of tool schemas', () => {
  it.each([
    ['an enum without a type', { enum: ['a'] }],
    ['a const', { const: 'a' }],
    ['an empty word', { type: 'string', enum: ['', 'a'] }],
    ['an object without properties', { type: 'object', properties: {} }],
    ['a list without items', { type: 'array' }],
    ['a format beyond date-time', { type: 'string', format: 'uuid' }],
    ['additionalProperties', { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false }],
    ['patternProperties', { type: 'object', patternProperties: { '^a$': { type: 'string' } } }],
    ['a list of types', { type: ['string', 'null'] }],
    ['no type at all', { description: 'Anything.' }],
    ['a reference', { $ref: '#/$defs/a' }],
  ])('finds %s', (_, input) => {
    expect(faultsOf({ type: 'object', properties: { input } })).not.toEqual([])
  })

  it.each(['anyOf', 'oneOf', 'allOf', 'if', 'not', 'minProperties'])('finds %s at the top', (keyword) => {
    expect(faultsOf({ type: 'object', properties: { a: { type: 'string' } }, [keyword]: 1 })).not.toEqual([])
  })

  it('finds nothing wrong in a plain schema', () => {
    const items = { type: 'object', properties: { day: { type: 'string', format: 'date-time' } }, required: ['day'] }
    expect(faultsOf({ type: 'object', properties: { items: { type: 'array', items } } })).toEqual([])
  })
})

it.each([['/mcp', general] as const, ...apps.map((one) => [`/mcp/${one.slug}`, ofApp(one)] as const)])(
  'every provider takes the schemas of %s',
  (_, { definitions }) => {
    const faults = definitions.flatMap(({ name, inputSchema }) =>
      faultsOf(inputSchema).map((fault) => `${name}: ${fault}`),
    )
    expect(faults).toEqual([])
  },
)

describe('as they come over the wire', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack({ worker: false })
  })
  afterAll(() => stack.stop())

  it('the list of /mcp has at most 7,500 characters, that of each app 17,000', async () => {
    const { key } = await stack.user({ accounts: [] })
    const long: string[] = []
    for (const slug of ['', ...apps.map((app) => `/${app.slug}`)]) {
      const url = `${stack.publicUrl}/mcp${slug}`
      for (const { result } of [
        await send(url, key, { method: 'tools/list' }),
        await send2025(url, key, 'tools/list'),
      ]) {
        const size = JSON.stringify(result).length
        if (size > (slug === '' ? 7_500 : 17_000)) long.push(`${slug} ${size} ${JSON.stringify(result).slice(0, 900)}`)
      }
    }
    expect(long).toEqual([])
  })
})
