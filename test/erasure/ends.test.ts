import { afterAll, beforeAll, expect, it } from 'vitest'
import { addWebhook, deleteTarget } from '../../core/notices/targets.ts'
import { forgetEnded } from '../../core/personal-data/ends.ts'
import { invite, revokeInvitation } from '../../core/users/invitations.ts'
import { startGateway } from '../api/http/gateway.ts'
import type { Gateway } from '../api/http/gateway.ts'
import { makeWholeLife } from './whole-life.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

it('what has ended is forgotten after its days, and what has not is kept', async () => {
  const { ctx } = gateway
  const { owner } = await makeWholeLife(ctx, 'xenia')
  const sql = async (text: string, values: readonly unknown[] = []): Promise<readonly unknown[]> =>
    (await ctx.db.query<Record<string, unknown>>(text, [...values])).rows
  const of = async (ago: string, email: string): Promise<string> => {
    const made = await invite(ctx, { email, by: owner, mayInvite: false })
    const id = made?.id ?? ''
    await revokeInvitation(ctx, { id, by: owner })
    await sql('UPDATE invitations SET revoked_at = now() - $2::interval WHERE id = $1', [id, ago])
    return id
  }
  await of('91 days', 'long-ago@example.com')
  const lately = await of('89 days', 'lately@example.com')
  const open = await sql(`SELECT id FROM invitations WHERE email = 'friend-of-xenia@example.com'`)
  const hook = await addWebhook(ctx, owner, 'https://hooks.example.com/removed', ['call.final'])
  if (hook === 'full') throw new Error('no webhook')
  await deleteTarget(ctx, owner, hook.id)
  const kept = await sql('SELECT id, url FROM notice_targets WHERE owner = $1 AND deleted_at IS NULL ORDER BY id', [
    owner,
  ])
  await forgetEnded(ctx)

  expect(await sql('SELECT id FROM invitations WHERE revoked_at IS NOT NULL')).toEqual([{ id: lately }])
  expect(await sql(`SELECT id FROM invitations WHERE email = 'friend-of-xenia@example.com'`)).toEqual(open)
  expect(await sql(`SELECT FROM audit_log WHERE detail::text LIKE '%long-ago@%'`)).toEqual([])
  expect(await sql(`SELECT FROM audit_log WHERE detail::text LIKE '%lately@%'`)).toHaveLength(2)
  expect(await sql('SELECT url FROM notice_targets WHERE id = $1', [hook.id])).toEqual([{ url: '' }])
  expect(
    await sql('SELECT id, url FROM notice_targets WHERE owner = $1 AND deleted_at IS NULL ORDER BY id', [owner]),
  ).toEqual(kept)
  expect(await sql('SELECT FROM watches WHERE owner = $1', [owner])).toHaveLength(1)

  await sql('DELETE FROM notices WHERE target = $1', [hook.id])
  await sql(`UPDATE notice_targets SET deleted_at = now() - interval '91 days' WHERE id = $1`, [hook.id])
  await sql(`UPDATE watches SET ended_at = now() - interval '91 days', ended_by = owner WHERE owner = $1`, [owner])
  const standing = `SELECT id FROM standing_approvals WHERE owner = $1`
  const [approved] = (await sql(`${standing} AND revoked_at IS NULL`, [owner])) as { readonly id: string }[]
  const decide = `UPDATE calls SET decided_by = $2, status = $3 WHERE id = (SELECT min(id) FROM calls WHERE owner = $1)`
  await sql(`UPDATE standing_approvals SET until = now() - interval '89 days' WHERE id = $1`, [approved?.id])
  await forgetEnded(ctx)
  expect(await sql(standing, [owner])).toContainEqual(approved)
  await sql(`UPDATE standing_approvals SET until = now() - interval '91 days' WHERE id = $1`, [approved?.id])
  await sql(decide, [owner, approved?.id, 'running'])
  await forgetEnded(ctx)
  expect(await sql(standing, [owner])).toContainEqual(approved)
  await sql(decide, [owner, approved?.id, 'executed'])
  await forgetEnded(ctx)
  expect(await sql(standing, [owner])).not.toContainEqual(approved)
  expect(await sql('SELECT FROM notice_targets WHERE id = $1', [hook.id])).toEqual([])
  expect(await sql('SELECT FROM watches WHERE owner = $1', [owner])).toEqual([])
})
