import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hidden } from '../../scripts/browsing.ts'
import { acceptInvitation, invite } from '../../core/users/invitations.ts'
import { createUser } from '../../core/users/rows.ts'
import { startMailingSite } from './mailing.ts'
import type { MailingSite } from './mailing.ts'
import { makeOwner } from './site.ts'
import type { Owner } from './site.ts'
import { Visitor, visitorOf } from './visitor.ts'
import type { Page } from './visitor.ts'

let mailing: MailingSite
let owner: Owner
let visitor: Visitor
let next: string

beforeAll(async () => {
  mailing = await startMailingSite()
})
beforeEach(async () => {
  await mailing.empty()
  owner = await makeOwner(mailing.site.ctx)
  visitor = await visitorOf(mailing.site, owner)
  next = `new-${owner.email}`
})
afterAll(() => mailing.stop())

const query = async <T extends object>(text: string, values: readonly unknown[]): Promise<T[]> =>
  (await mailing.site.ctx.db.query<T>(text, [...values])).rows
const emailOf = async ({ id }: Owner = owner): Promise<string> =>
  (await query<{ email: string }>('SELECT email FROM users WHERE id = $1', [id]))[0]?.email ?? ''
async function ask(email = next, who = visitor): Promise<Page> {
  return who.post('/account/email', { csrf: await who.csrf('/account/email'), action: 'change', email })
}
/** The path of the link in the newest mail to that address. */
async function linkTo(address: string): Promise<string> {
  const mail = (await mailing.mails()).findLast(({ to }) => to.toLowerCase() === address.toLowerCase())
  return /(?<=http:\/\/gate\.example)\/(?:account\/)?email\/[\w-]{43}/.exec(mail?.text ?? '')?.[0] ?? ''
}
const confirm = async (link: string, who = visitor): Promise<Page> =>
  who.post(link, { csrf: await who.csrf('/account/email') })
async function change(email = next, who = visitor): Promise<void> {
  expect((await ask(email, who)).headers.get('location')).toBe('/account/email?said=mailed')
  expect((await confirm(await linkTo(email), who)).headers.get('location')).toBe('/account?said=email')
}
async function undo(link: string, who = new Visitor(mailing.site)): Promise<Page> {
  const page = await who.get(link)
  return page.status === 200 ? who.post(link, { csrf: hidden(page.text, 'csrf') }) : page
}
const signsIn = async (email: string, password = owner.password): Promise<boolean> =>
  (await new Visitor(mailing.site).signIn({ email, password })).status === 303

describe('another email address', () => {
  test('counts once its mailbox has confirmed it, signed in, and the old one is told', async () => {
    await ask()
    const link = await linkTo(next)
    expect((await visitor.get('/account/email')).text).toContain(next)
    for (let n = 0; n < 2; n++) expect((await visitor.get(link)).text).toContain(next)
    expect((await new Visitor(mailing.site).get(link)).headers.get('location')).toBe(
      `/login?return_to=${encodeURIComponent(link)}`,
    )
    expect(await emailOf()).toBe(owner.email)
    const stranger = await visitorOf(mailing.site, await makeOwner(mailing.site.ctx))
    expect([(await stranger.get(link)).status, (await confirm(link, stranger)).status]).toEqual([404, 404])

    expect((await confirm(link)).status).toBe(303)
    expect([await emailOf(), await signsIn(next), await signsIn(owner.email)]).toEqual([next, true, false])
    expect((await confirm(link)).status, 'a second time').toBe(404)
    const told = (await mailing.mails()).find(({ to }) => to === owner.email)
    expect(told?.text).toContain(`has another email address: ${next}`)
    const { text } = await visitor.get('/account?said=email')
    for (const words of [
      'Asked for another email address',
      'Changed the email address',
      'can be taken back for 7 days',
    ])
      expect(text).toContain(words)
  })

  test('wants a sign-in of just now, and is no address that is none or the same', async () => {
    for (const wrong of ['nobody', 'a@b\r\nBcc: eve@example.com', owner.email])
      expect((await ask(wrong)).status).toBe(422)
    await query(`UPDATE web_sessions SET created_at = now() - interval '11 minutes' WHERE owner = $1`, [owner.id])
    const asked = await ask()
    expect([asked.status, asked.text.includes('Is it you?')]).toEqual([403, true])
    expect(await mailing.mails()).toEqual([])
  })

  test('is void when it is a day old, taken back, or another is asked for; and few can be asked for', async () => {
    await ask()
    const first = await linkTo(next)
    await ask(`second-${next}`)
    const second = await linkTo(`second-${next}`)
    expect((await confirm(first)).status).toBe(404)
    await visitor.post('/account/email', { csrf: await visitor.csrf('/account/email'), action: 'cancel' })
    expect((await confirm(second)).status).toBe(404)
    await ask()
    const [{ hours } = { hours: 0 }] = await query<{ hours: number }>(
      `SELECT round(extract(epoch FROM confirm_until - now()) / 3600)::integer AS hours FROM email_changes WHERE owner = $1`,
      [owner.id],
    )
    expect(hours).toBe(24)
    await query('UPDATE email_changes SET confirm_until = now() WHERE owner = $1', [owner.id])
    expect((await confirm(await linkTo(next))).status).toBe(404)
    expect(await emailOf()).toBe(owner.email)
    expect([(await ask()).status, (await ask()).status, (await ask()).status]).toEqual([303, 303, 429])
  })

  test('that somebody has looks like any other until its mailbox confirms, and is not given', async () => {
    const other = await makeOwner(mailing.site.ctx)
    const taken = await ask(other.email.toUpperCase())
    const free = await ask()
    expect([taken.status, taken.headers.get('location'), taken.text]).toEqual([
      free.status,
      free.headers.get('location'),
      free.text,
    ])
    await ask(other.email.toUpperCase())
    const answer = await confirm(await linkTo(other.email.toUpperCase()))
    expect([answer.status, await emailOf()]).toEqual([409, owner.email])
  })

  test('that several people confirm at once goes to one of them, an invited one included', async () => {
    const { ctx } = mailing.site
    const people = await Promise.all(Array.from({ length: 4 }, () => makeOwner(ctx)))
    const tries: (() => Promise<boolean>)[] = []
    for (const person of people) {
      const who = await visitorOf(mailing.site, person)
      await ask(next, who)
      const [link, csrf] = [await linkTo(next), await who.csrf('/account/email')]
      tries.push(async () => (await who.post(link, { csrf })).status === 303)
    }
    const made = await invite(ctx, { email: next.toUpperCase(), by: owner.id, mayInvite: false })
    const token = made?.link.split('/').at(-1) ?? ''
    tries.push(async () => (await acceptInvitation(ctx, token, 'quite a long password')) !== undefined)
    const won = await Promise.all(tries.map((take) => take()))
    expect(won.filter(Boolean)).toHaveLength(1)
    expect(await query('SELECT FROM users WHERE lower(email) = lower($1)', [next])).toHaveLength(1)
  })
})

describe('the old address', () => {
  test('takes it back within a week, signs everybody out and sets a new password', async () => {
    await change()
    const link = await linkTo(owner.email)
    const [{ days } = { days: 0 }] = await query<{ days: number }>(
      `SELECT round(extract(epoch FROM undo_until - now()) / 86400)::integer AS days FROM email_changes WHERE owner = $1`,
      [owner.id],
    )
    expect(days).toBe(7)
    const who = new Visitor(mailing.site)
    for (let n = 0; n < 2; n++) expect((await who.get(link)).text).toContain(next)
    expect((await who.post(link, { csrf: 'x' })).status).toBe(403)
    expect(await emailOf()).toBe(next)

    const answer = await undo(link, who)
    expect([answer.status, await emailOf()]).toEqual([303, owner.email])
    expect((await visitor.get('/account')).status, 'signed out').toBe(303)
    const reset = answer.headers.get('location') ?? ''
    const page = await who.get(reset)
    expect(page.text).toContain('The old email address is back')
    const fields = {
      csrf: hidden(page.text, 'csrf'),
      new: 'seven-brave-otters-paint',
      again: 'seven-brave-otters-paint',
    }
    expect((await who.post(reset.split('?')[0] ?? '', fields)).status).toBe(303)
    expect([await signsIn(owner.email, 'seven-brave-otters-paint'), await signsIn(owner.email)]).toEqual([true, false])
    expect((await undo(link)).status, 'a second time').toBe(410)
    const entries = await query<{ action: string }>(
      `SELECT action FROM audit_log WHERE actor = $1 AND action LIKE 'email.%' ORDER BY id`,
      [owner.id],
    )
    expect(entries.map(({ action }) => action)).toEqual(['email.asked', 'email.changed', 'email.undone'])
  })

  test('wins over whatever its account was changed to since, and what was mailed there is void', async () => {
    const third = `third-${owner.email}`
    await change()
    const first = await linkTo(owner.email)
    await change(third)
    const second = await linkTo(next)
    await ask(`fourth-${owner.email}`)
    const fourth = await linkTo(`fourth-${owner.email}`)
    const thief = new Visitor(mailing.site)
    await thief.post('/forgot', { csrf: await thief.csrf('/forgot'), email: third })
    const mail = (await mailing.mails()).findLast(({ to }) => to === third)
    const reset = /\/forgot\/[\w-]{43}/.exec(mail?.text ?? '')?.[0] ?? ''
    expect((await thief.get(reset)).status).toBe(200)

    expect((await undo(first)).status).toBe(303)
    expect(await emailOf()).toBe(owner.email)
    expect([(await thief.get(reset)).status, (await undo(second)).status]).toEqual([410, 410])
    const again = await visitorOf(mailing.site, owner)
    expect((await confirm(fourth, again)).status).toBe(404)
    expect(await emailOf()).toBe(owner.email)
  })

  test('goes to nobody else meanwhile, and is free afterwards', async () => {
    await change()
    const link = await linkTo(owner.email)
    const { ctx } = mailing.site
    const account = { email: owner.email.toUpperCase(), password: 'quite a long password', plan: 'small' } as const
    await expect(createUser(ctx, account)).rejects.toThrow('there is a user')
    const other = await makeOwner(ctx)
    const others = await visitorOf(mailing.site, other)
    await ask(owner.email, others)
    expect((await confirm(await linkTo(owner.email), others)).status).toBe(409)
    await query('UPDATE email_changes SET undo_until = now() WHERE owner = $1', [owner.id])
    await createUser(ctx, account)
    expect([(await undo(link)).status, await emailOf()]).toEqual([410, next])
  })
})

test('links stand nowhere in the database, and are told to no other site', async () => {
  await ask()
  const asked = await linkTo(next)
  expect((await visitor.get(asked)).headers.get('referrer-policy')).toBe('strict-origin')
  await confirm(asked)
  const undone = await linkTo(owner.email)
  expect((await new Visitor(mailing.site).get(undone)).headers.get('referrer-policy')).toBe('strict-origin')
  const rows = await query<{ text: string }>('SELECT e::text AS text FROM email_changes e', [])
  for (const link of [asked, undone]) {
    const token = link.split('/').at(-1) ?? ''
    for (const form of [token, Buffer.from(token).toString('hex'), Buffer.from(token, 'base64url').toString('hex')])
      expect(rows.some(({ text }) => text.includes(form))).toBe(false)
  }
})

test('without a mail server the page says so, and nothing is changed', async () => {
  const { silent } = mailing
  const who = await visitorOf(silent, owner)
  expect((await who.get('/account/email')).text).toContain('This gateway sends no mail')
  expect((await ask(next, who)).status).toBe(422)
  expect(await query('SELECT FROM email_changes WHERE owner = $1', [owner.id])).toEqual([])
})
