import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { setPassword, takesPasswords, verifyPassword } from '../../core/users/rows.ts'
import { makeOwner, startTestSite } from './site.ts'
import type { Owner, TestSite } from './site.ts'
import { Visitor, visitorOf } from './visitor.ts'

let site: TestSite
let owner: Owner

beforeAll(async () => {
  site = await startTestSite()
})
beforeEach(async () => {
  await site.ctx.db.query('DELETE FROM rate_limits')
  owner = await makeOwner(site.ctx)
})
afterAll(() => site.stop())

test('an account that takes no passwords is opened by none, told like a wrong one, and none can be set', async () => {
  const before = await visitorOf(site, owner)
  expect(await takesPasswords(site.ctx.db, owner.id)).toBe(true)
  await site.ctx.db.query('UPDATE users SET passwords_allowed = false WHERE id = $1', [owner.id])
  expect(await takesPasswords(site.ctx.db, owner.id)).toBe(false)
  expect(await takesPasswords(site.ctx.db, 'user_of_nobody')).toBe(false)

  const answer = await new Visitor(site).signIn(owner)
  const wrong = await new Visitor(site).signIn({ email: owner.email, password: 'not this one' })
  const visible = ({ text }: { text: string }): string => text.replaceAll(/name="csrf" value="[^"]*"/g, '')
  expect([answer.status, visible(answer)]).toEqual([422, visible(wrong)])
  expect(await verifyPassword(site.ctx, owner.email, owner.password)).toBeUndefined()

  await site.ctx.db.query(
    `UPDATE web_sessions SET created_at = now() - interval '1 hour', proved_at = NULL WHERE owner = $1`,
    [owner.id],
  )
  const csrf = await before.csrf('/account')
  const key = { csrf, name: 'A key', days: '', all: 'yes', again_password: owner.password }
  expect((await before.post('/keys', key)).status).toBe(422)
  const chosen = {
    csrf,
    action: 'password',
    current: owner.password,
    new: 'four words of it',
    again: 'four words of it',
  }
  expect((await before.post('/account', chosen)).status).toBe(409)
  expect(await setPassword(site.ctx, owner.id, 'four words of it')).toBe(false)
  const { rows } = await site.ctx.db.query<{ sessions: number }>(
    'SELECT count(*)::integer AS sessions FROM web_sessions WHERE owner = $1',
    [owner.id],
  )
  expect(rows, 'nothing was done, so nobody is signed out').toEqual([{ sessions: 1 }])
  await site.ctx.db.query('UPDATE users SET passwords_allowed = true WHERE id = $1', [owner.id])
  expect((await new Visitor(site).signIn(owner)).status).toBe(303)
})
