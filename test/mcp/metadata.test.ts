import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { send } from './raw.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack.stop())

type Result = { readonly isError?: boolean; readonly structuredContent: Readonly<Record<string, unknown>> }

function caller(key: string, path = '') {
  return async (name: string, args: object): Promise<Result> => {
    const params = { name, arguments: args }
    const { result } = await send(`${stack.publicUrl}/mcp${path}`, key, { method: 'tools/call', params })
    return result as Result
  }
}

const read = { app: 'property-advertising', action: 'list_listings', input: {} }

test('metadata of both kinds of tools stands in lists, which it filters', async () => {
  const user = await stack.user()
  const [general, ofApp] = [caller(user.key), caller(user.key, '/property-advertising')]
  await general('read_action', { ...read, metadata: { run: 'r-1' } })
  await ofApp('list_listings', { metadata: '{"run":"r-2"}' })
  await general('read_action', { ...read, metadata: null })
  const listed = async (args: object) => {
    const { structuredContent } = await general('list_calls', args)
    return (structuredContent['calls'] as { metadata?: object }[]).map(({ metadata }) => metadata ?? null)
  }
  expect(await listed({})).toEqual([null, { run: 'r-2' }, { run: 'r-1' }])
  expect(await listed({ metadata: { run: 'r-1' } })).toEqual([{ run: 'r-1' }])
  expect(await listed({ metadata: { run: 'r-1', step: 'x' } })).toEqual([])
})

test.each([
  ['a number', { run: 17 }],
  ['nested', { run: { id: '17' } }],
  ['an empty name', { '': 'x' }],
  ['over 2 KiB', { run: 'x'.repeat(2048) }],
  ['21 texts', Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`n${at}`, '']))],
])('%s is refused, and nothing was accepted', async (_, metadata) => {
  const user = await stack.user()
  const call = caller(user.key)
  for (const [name, args] of [
    ['read_action', read],
    ['list_calls', {}],
  ] as const)
    expect(await call(name, { ...args, metadata })).toMatchObject({
      isError: true,
      structuredContent: { error: 'invalid_input' },
    })
  expect((await call('list_calls', {})).structuredContent['calls']).toEqual([])
})
