import { afterAll, beforeAll, expect, test } from 'vitest'
import { purge } from '../../core/sweep/purge.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import type { TestUser } from '../support/user.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack.stop())

const header = 'X-Callgate-Metadata'
const reads = (user: TestUser, metadata: string, more: Record<string, string> = {}) =>
  user.call('list_listings', { limit: 1 }, { [header]: metadata, ...more })

test('a call’s metadata stands in its record and in lists, which it filters', async () => {
  const user = await stack.user()
  const first = await reads(user, '{"run":"r-17","step":"Gr\\u00fc\\u00dfe \\ud83d\\ude00"}')
  const second = await reads(user, Buffer.from('{"run":"Łódź"}').toString('latin1'))
  await user.call('list_listings', { limit: 1 })
  expect([first.status, second.status]).toEqual([200, 200])
  const callId = first.headers.get('x-request-id') ?? ''
  expect(await user.record(callId)).toMatchObject({ metadata: { run: 'r-17', step: 'Grüße 😀' } })
  const listed = async (query: string) => {
    const { body } = await user.send('GET', `/calls?${query}`)
    return (body['calls'] as { call_id: string; metadata?: object }[]).map(({ metadata }) => metadata ?? null)
  }
  expect(await listed('')).toEqual([null, { run: 'Łódź' }, { run: 'r-17', step: 'Grüße 😀' }])
  expect(await listed('metadata.run=r-17')).toEqual([{ run: 'r-17', step: 'Grüße 😀' }])
  expect(await listed(`metadata.run=r-17&metadata.step=${encodeURIComponent('Grüße 😀')}`)).toHaveLength(1)
  expect(await listed('metadata.run=r-17&metadata.step=x')).toEqual([])
  const stranger = await stack.user()
  expect((await stranger.send('GET', '/calls?metadata.run=r-17')).body['calls']).toEqual([])
  for (const query of ['metadata.run=a&metadata.run=b', 'metadata.=a', 'metadata=a'])
    expect((await user.send('GET', `/calls?${query}`)).status, query).toBe(400)
})

test('metadata is no part of equality: a repeated request and an equal waiting call keep the first one’s', async () => {
  const user = await stack.user()
  const key = { 'Idempotency-Key': 'metadata-1' }
  const ids = [await reads(user, '{"run":"a"}', key), await reads(user, '{"run":"b"}', key)]
  expect(ids[1]?.headers.get('idempotent-replayed')).toBe('true')
  expect(await user.record(ids[0]?.headers.get('x-request-id') ?? '')).toMatchObject({ metadata: { run: 'a' } })

  const input = { contact_id: await firstContact(user), message: 'Hello' }
  const [one, two] = [
    await user.call('reply_to_contact', input, { [header]: '{"run":"a"}' }),
    await user.call('reply_to_contact', input, { [header]: '{"run":"b"}' }),
  ]
  expect(two.body['call_id']).toBe(one.body['call_id'])
  const callId = String(one.body['call_id'])
  expect(await user.record(callId)).toMatchObject({ metadata: { run: 'a' } })
  const page = await (await (await user.person()).get(`/confirm/${callId}`)).text()
  expect(page).toContain('Metadata from the client')
})

test.each([
  ['no JSON', 'run=17'],
  ['a list', '["a"]'],
  ['null', 'null'],
  ['a number', '{"run":17}'],
  ['nested', '{"run":{"id":"17"}}'],
  ['21 texts', JSON.stringify(Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`n${at}`, ''])))],
  ['over 2 KiB', JSON.stringify({ run: 'x'.repeat(2048) })],
  ['a name that means something', '{"__proto__":"x"}'],
  ['an empty name', '{"":"x"}'],
  ['U+0000', '{"run":"\\u0000"}'],
  ['half a character', '{"run":"\\ud800"}'],
])('%s is 400, and nothing was accepted', async (_, sent) => {
  const user = await stack.user()
  const { status, body } = await reads(user, sent)
  expect([status, body['error']]).toEqual([400, 'invalid_input'])
  expect((await user.send('GET', '/calls')).body['calls']).toEqual([])
})

test('an empty object is none, 20 texts of 2 KiB fit, and all of it is deleted with the content', async () => {
  const user = await stack.user()
  const full = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`name${at + 10}`, 'x'.repeat(89)]))
  expect(JSON.stringify(full).length).toBeLessThanOrEqual(2048)
  const answers = [await reads(user, '{}'), await reads(user, JSON.stringify(full))]
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const [none = '', all = ''] = answers.map(({ headers }) => headers.get('x-request-id') ?? '')
  expect(await user.record(none)).not.toHaveProperty('metadata')
  expect(await user.record(all)).toMatchObject({ metadata: full })
  await stack.ctx.db.query(
    `UPDATE calls SET created_at = created_at - interval '40 days', updated_at = updated_at - interval '40 days' WHERE owner = $1`,
    [user.id],
  )
  await purge(stack.ctx)
  expect(await user.record(all)).not.toHaveProperty('metadata')
})
