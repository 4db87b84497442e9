import { afterAll, beforeAll, expect, test } from 'vitest'
import { sealCursor } from '../../connectors/runtime/cursor.ts'
import { askForWatch } from '../../core/watch/watches.ts'
import { derivedKey } from '../../core/secrets/crypto.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { send2025 } from '../mcp/raw.ts'
import type { TestUser } from '../support/user.ts'

const app = 'property-advertising'
let stack: Stack
let user: TestUser
let stranger: TestUser
beforeAll(async () => {
  stack = await startStack()
  user = await stack.user({ accounts: ['agency', 'agency'] })
  stranger = await stack.user()
})
afterAll(() => stack.stop())

const of = (index: number) => ({ 'X-Callgate-Account': user.accounts[index]!.id })

async function cursorOf(index: number): Promise<string> {
  const { status, body } = await user.call('list_listings', { limit: 1 }, of(index))
  expect([status, body['next_cursor']]).toEqual([200, expect.stringMatching(/^cur_/)])
  return String(body['next_cursor'])
}

const refused = { error: 'invalid_input', details: [expect.objectContaining({ path: 'cursor' })] }

test('a cursor goes on with the list of its account', async () => {
  const cursor = await cursorOf(0)
  const next = await user.call('list_listings', { limit: 1, cursor }, of(0))
  expect([next.status, next.body]).toEqual([200, expect.objectContaining({ listings: [expect.anything()] })])
})

test('a cursor of another account or another owner is refused over HTTP and MCP', async () => {
  const cursor = await cursorOf(0)
  const query = `/${app}/list_listings?limit=1&cursor=${cursor}`
  const answers = [
    await user.call('list_listings', { limit: 1, cursor }, of(1)),
    await user.send('GET', query, undefined, of(1)),
    await stranger.call('list_listings', { limit: 1, cursor }),
    await stranger.send('GET', query),
  ]
  for (const { status, body } of answers) expect([status, body]).toEqual([400, expect.objectContaining(refused)])
  const input = { app, action: 'list_listings', input: { limit: 1, cursor } }
  const { result } = await send2025(`${stack.publicUrl}/mcp`, stranger.key, 'tools/call', {
    name: 'read_action',
    arguments: input,
  })
  expect(result).toMatchObject({ isError: true, structuredContent: refused })
})

test('which account is meant is asked before whose cursor it is', async () => {
  const cursor = await cursorOf(0)
  expect((await user.call('list_listings', { cursor })).body['error']).toBe('account_required')
  expect((await user.call('list_listings', { cursor: 'cur_made-up' })).body).toMatchObject(refused)
})

test('a cursor of the release before is good for a day after the migration', async () => {
  const { ctx } = stack
  const migratedBefore = (hours: number) =>
    ctx.db.query(
      `UPDATE migrations SET run_on = clock_timestamp() - make_interval(hours => $1) WHERE name = '0145_bind_cursors'`,
      [hours],
    )
  const key = derivedKey(ctx.secrets, 'cursor')
  const cursor = sealCursor(key, `${app}.list_listings`, { anchor: '2', input: {} })
  await migratedBefore(23)
  expect((await stranger.call('list_listings', { limit: 1, cursor })).body).not.toMatchObject(refused)
  await migratedBefore(25)
  expect((await stranger.call('list_listings', { limit: 1, cursor })).body).toMatchObject(refused)
})

test('a canary takes cursors of its own account only', async () => {
  const cursor = await cursorOf(0)
  const ask = (account: string) =>
    askForWatch(stack.ctx, { app, endpoint: 'list_listings', account, input: { limit: 1, cursor } }, 'op')
  await expect(ask(user.accounts[1]!.id)).rejects.toMatchObject({ code: 'invalid_input' })
  expect(await ask(user.accounts[0]!.id)).toMatchObject({ agreed: false })
})

test.each(['calls', 'usage'])(
  'cursors of /%s are good for their owner and list, in the form they were given in',
  async (list) => {
    await stranger.call('list_listings', { limit: 1 })
    await stranger.call('list_listings', { limit: 1 })
    const cursor = String((await stranger.send('GET', `/${list}?limit=1`)).body['next_cursor'])
    const other = list === 'calls' ? 'usage' : 'calls'
    const ask = async (who: TestUser, which: string, text: string) =>
      (await who.send('GET', `/${which}?limit=1&cursor=${encodeURIComponent(text)}`)).status
    expect(await ask(stranger, list, cursor)).toBe(200)
    expect(await ask(user, list, cursor)).toBe(400)
    expect(await ask(stranger, other, cursor)).toBe(400)
    for (const text of [`${cursor}=`, `${cursor.slice(0, 9)}.${cursor.slice(9)}`, cursor.slice(4), `cur_${cursor}`])
      expect(await ask(stranger, list, text), text).toBe(400)
  },
)
