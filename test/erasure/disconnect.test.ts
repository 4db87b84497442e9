import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, disconnect } from '../../core/accounts/sessions.ts'
import { openWithAny, unwrapDataKeys, wrapDataKey } from '../../core/secrets/crypto.ts'
import { renewDataKeys } from '../../core/secrets/data-keys.ts'
import { rewrapDataKeys } from '../../core/secrets/rotation.ts'
import { prune } from '../../core/sweep/prune.ts'
import { purge } from '../../core/sweep/purge.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { standingFor } from '../support/standing.ts'
import type { TestUser } from '../support/user.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack.stop())

const sql = async (text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]> =>
  (await stack.ctx.db.query<Record<string, unknown>>(text, values && [...values])).rows

/** The account's row as text: whatever column a name may stand in. */
const rowOf = async (id: string): Promise<string> =>
  JSON.stringify(await sql('SELECT * FROM accounts WHERE id = $1', [id]))

const keysOf = async (id: string): Promise<readonly Buffer[]> => {
  const [row] = await sql('SELECT data_key FROM accounts WHERE id = $1', [id])
  return unwrapDataKeys(stack.ctx.secrets, id, row?.['data_key'] as Buffer)
}

function again(user: TestUser): Promise<string> {
  const { account: externalId, label, session } = user.account.seeded
  return connect(stack.ctx, { owner: user.id, app: stack.sandbox.slug, externalId, label, session })
}

describe('an account that is disconnected', () => {
  it('is forgotten with its key at once where nothing was said with it; connected again, it is another one', async () => {
    const user = await stack.user()
    const { id, seeded } = user.account
    expect(await rowOf(id)).toContain(seeded.label)
    expect(await keysOf(id)).toHaveLength(1)
    expect(await disconnect(stack.ctx, user.id, id)).toBe(true)
    const left = await rowOf(id)
    expect(left).not.toContain(seeded.label)
    expect(left).not.toContain(`"${seeded.account}"`)
    expect(await keysOf(id)).toEqual([])
    // Neither of those who renew keys gives it one.
    await renewDataKeys(stack.ctx, new Date(Date.now() + 60_000))
    await rewrapDataKeys(stack.ctx)
    expect(await keysOf(id)).toEqual([])

    const other = await again(user)
    expect(other).not.toBe(id)
    expect((await user.call('list_listings', { limit: 1 }, { 'X-Callgate-Account': other })).status).toBe(200)
  })

  it('leaves what its calls said readable for their days, and the key goes with the last of it', async () => {
    const user = await stack.user()
    const { id } = user.account
    const answer = await user.call('list_listings', { limit: 1 })
    const callId = answer.headers.get('x-request-id')
    await disconnect(stack.ctx, user.id, id)
    await prune(stack.ctx)
    expect(await user.record(callId)).toMatchObject({ status: 'executed', output: answer.body })

    const keys = await keysOf(id)
    const [call] = await sql('SELECT input FROM calls WHERE id = $1', [callId])
    const sealed = call?.['input'] as Buffer
    const about = `call:${callId}:input:${user.id}:${id}`
    expect(openWithAny(keys, about, sealed).toString()).toContain('limit')
    await sql(
      `UPDATE calls SET created_at = now() - interval '31 days', updated_at = now() - interval '31 days' WHERE id = $1`,
      [callId],
    )
    await purge(stack.ctx)
    await prune(stack.ctx)
    const left = await keysOf(id)
    expect(left).toEqual([])
    expect(() => openWithAny(left, about, sealed)).toThrow()
    expect(await user.record(callId)).toMatchObject({ status: 'executed' })
    expect((await (await user.person()).get(`/calls/${callId}`)).status).toBe(200)
  })

  it('ends what was approved of it in advance, and its daily looks', async () => {
    const user = await stack.user()
    const { id } = user.account
    const standing = await standingFor(stack.ctx, user)
    await sql(
      `INSERT INTO watches (id, owner, app, endpoint, account, input, asked_by, agreed_at, next_at)
       VALUES ('watch_1', $1, $2, 'list_listings', $3, '{}', 'operator', now(), now() + interval '1 day')`,
      [user.id, stack.sandbox.slug, id],
    )
    await disconnect(stack.ctx, user.id, id)
    expect(await sql(`SELECT next_at FROM watches WHERE id = 'watch_1' AND ended_at IS NOT NULL`)).toEqual([
      { next_at: null },
    ])
    const page = await (await user.person()).get(`/standing/${standing}`)
    expect(await page.text()).toContain('It ended with the account, which was disconnected.')
  })

  it('is forgotten by the housekeeping where an earlier release only took its session', async () => {
    const user = await stack.user()
    const { id, seeded } = user.account
    await sql(`UPDATE accounts SET state = 'disconnected', session = NULL WHERE id = $1`, [id])
    await prune(stack.ctx)
    expect(await rowOf(id)).not.toContain(seeded.label)
    expect(await keysOf(id)).toEqual([])
    // What stands there instead is wrapped with the newest key, as all are.
    const [row] = await sql('SELECT data_key FROM accounts WHERE id = $1', [id])
    const kept = row?.['data_key'] as Buffer
    expect(kept).toHaveLength(wrapDataKey(stack.ctx.secrets, id, Buffer.alloc(0)).length)
  })
})
