import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { hidden } from '../../scripts/browsing.ts'
import { startMailingSite } from './mailing.ts'
import type { MailingSite } from './mailing.ts'
import { makeOwner } from './site.ts'
import type { Owner } from './site.ts'
import { Visitor, visitorOf } from './visitor.ts'
import type { Page } from './visitor.ts'

const password = 'seven-brave-otters-paint'
let mailing: MailingSite
let inviter: Owner
let visitor: Visitor

beforeAll(async () => {
  mailing = await startMailingSite()
})
beforeEach(async () => {
  await mailing.empty()
  inviter = await makeOwner(mailing.site.ctx)
  await mailing.site.ctx.db.query('UPDATE users SET may_invite = true WHERE id = $1', [inviter.id])
  visitor = await visitorOf(mailing.site, inviter)
})
afterAll(() => mailing.stop())

const submit = async (fields: Record<string, string>, path = '/people', who = visitor): Promise<Page> =>
  who.post(path, { csrf: await who.csrf('/people'), ...fields })
const linkIn = (text: string): string => /(?<=http:\/\/gate\.example)\/invitation\/[\w-]{43}/.exec(text)?.[0] ?? ''
const idOf = async (email: string): Promise<string> => {
  const { rows } = await mailing.site.ctx.db.query<{ id: string }>('SELECT id FROM invitations WHERE email = $1', [
    email,
  ])
  return rows[0]?.id ?? ''
}

test('an invitation is mailed with the link that its page shows, and leads to an account', async () => {
  const email = `guest-${inviter.email}`
  const shown = await submit({ email, action: 'mail' })
  expect([shown.status, shown.text.includes('A mail with the link is on its way')]).toEqual([200, true])
  const [mail] = await mailing.mails()
  expect([mail?.to, mail?.text.startsWith(`${inviter.email} invites you`)]).toEqual([email, true])
  const link = linkIn(mail?.text ?? '')
  expect(linkIn(shown.text)).toBe(link)
  const guest = new Visitor(mailing.site)
  const page = await guest.get(link)
  const answer = await guest.post(link, { csrf: hidden(page.text, 'csrf'), new: password, again: password })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/'])
  expect((await visitor.get('/account')).text).toContain('By mail')
})

test('without a mail server, or when only the link is wanted, none leaves', async () => {
  await submit({ email: 'one@example.test', action: 'link' })
  const { silent } = mailing
  const who = await visitorOf(silent, inviter)
  expect((await who.get('/people')).text).not.toContain('Mail the invitation')
  const shown = await submit({ email: 'two@example.test', action: 'mail' }, '/people', who)
  expect([shown.status, shown.text.includes('on its way')]).toEqual([200, false])
  expect(await mailing.mails()).toEqual([])
})

test('twenty are mailed in a day, also where many are sent at once; links are made all the same', async () => {
  const csrf = await visitor.csrf('/people')
  const statuses = await Promise.all(
    Array.from({ length: 22 }, async (_, n) => {
      const { status } = await visitor.post('/people', { csrf, email: `guest-${n}@example.test`, action: 'mail' })
      return status
    }),
  )
  expect([200, 429].map((status) => statuses.filter((one) => one === status).length)).toEqual([20, 2])
  expect(await mailing.mails()).toHaveLength(20)
  expect((await submit({ email: 'more@example.test', action: 'link' })).status).toBe(200)
  const other = await makeOwner(mailing.site.ctx)
  await mailing.site.ctx.db.query('UPDATE users SET may_invite = true WHERE id = $1', [other.id])
  const others = await visitorOf(mailing.site, other)
  expect((await submit({ email: 'more@example.test', action: 'mail' }, '/people', others)).status).toBe(200)
  await mailing.site.ctx.db.query(
    `UPDATE invitations SET created_at = now() - interval '24 hours' WHERE invited_by = $1`,
    [inviter.id],
  )
  expect((await submit({ email: 'tomorrow@example.test', action: 'mail' })).status).toBe(200)
})

test('one that is revoked before its mail leaves is not mailed', async () => {
  const email = `guest-${inviter.email}`
  await submit({ email, action: 'mail' })
  expect((await submit({ action: 'revoke' }, `/people/${await idOf(email)}`)).status).toBe(303)
  expect(await mailing.mails()).toEqual([])
})
