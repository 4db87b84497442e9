import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sendMails } from '../../core/mails/send.ts'
import { makeResetLink } from '../../core/users/password-resets.ts'
import { setPassword } from '../../core/users/rows.ts'
import { rewrapDataKeys } from '../../core/secrets/rotation.ts'
import { hidden } from '../../scripts/browsing.ts'
import { startMailbox, textOf } from '../support/mailbox.ts'
import type { Mailbox } from '../support/mailbox.ts'
import { makeOwner, startTestSite } from './site.ts'
import type { Owner, Site, TestSite } from './site.ts'
import { Visitor, visitorOf } from './visitor.ts'
import type { Page } from './visitor.ts'

const next = 'seven-brave-otters-paint'
let site: TestSite
let mailing: Site
let mailbox: Mailbox
let owner: Owner

beforeAll(async () => {
  site = await startTestSite()
  mailbox = await startMailbox()
  mailing = await site.another('http://gate.example', {
    settings: { SMTP_URL: `${mailbox.url}?ignoreTLS=true`, SMTP_FROM: 'gate@example.com' },
  })
})
beforeEach(async () => {
  await site.ctx.db.query('DELETE FROM rate_limits')
  await site.ctx.db.query('DELETE FROM mails')
  mailbox.mails.length = 0
  owner = await makeOwner(site.ctx)
})
afterAll(async () => {
  await mailbox.close()
  await site.stop()
})

async function ask(email: string, who = new Visitor(mailing)): Promise<Page> {
  return who.post('/forgot', { csrf: await who.csrf('/forgot'), email })
}

/** The paths of the links that are in the mailbox by now. */
async function mailed(): Promise<readonly string[]> {
  while (await sendMails(mailing.ctx));
  return mailbox.mails.flatMap((mail) => /(?<=http:\/\/gate\.example)\/forgot\/[\w-]{43}/.exec(textOf(mail))?.[0] ?? [])
}

async function linkFor(email = owner.email): Promise<string> {
  await ask(email)
  return (await mailed()).at(-1) ?? ''
}

async function set(link: string, password = next, who = new Visitor(mailing)): Promise<Page> {
  const page = await who.get(link)
  if (page.status !== 200) return page
  return who.post(link, { csrf: hidden(page.text, 'csrf'), new: password, again: password })
}

const away = (): Site['ctx'] => ({
  ...mailing.ctx,
  config: { ...mailing.ctx.config, mail: { url: () => 'smtp://127.0.0.1:1', from: 'gate@example.com' } },
})
const signsIn = async (password: string): Promise<boolean> =>
  (await new Visitor(mailing).signIn({ email: owner.email, password })).status === 303
const audited = async (): Promise<readonly string[]> => {
  const { rows } = await site.ctx.db.query<{ action: string }>(
    `SELECT action FROM audit_log WHERE (actor = $1 OR detail->>'owner' = $1) AND action LIKE 'password%' ORDER BY id`,
    [owner.id],
  )
  return rows.map(({ action }) => action)
}

describe('a link to set a new password', () => {
  test('comes by mail, sets it once, signs everybody out, and says so by mail', async () => {
    const before = await visitorOf(mailing, owner)
    expect((await before.get('/login?again=yes')).text).toContain('<a href="/forgot">')
    const link = await linkFor(owner.email.toUpperCase())
    expect(mailbox.mails.map(({ to }) => to)).toEqual([[owner.email]])
    for (let n = 0; n < 3; n++) expect((await new Visitor(mailing).get(link)).text).toContain(owner.email)
    expect((await new Visitor(mailing).send('HEAD', link)).status).toBe(200)
    expect([await signsIn(owner.password), (await before.get('/account')).status]).toEqual([true, 200])

    const who = new Visitor(mailing)
    const answer = await set(link, next, who)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login?said=password'])
    expect((await who.get('/login?said=password')).text).toContain('The password is set')
    expect((await before.get('/account')).status).toBe(303)
    expect((await who.get('/account')).status, 'nobody is signed in by it').toBe(303)
    expect([await signsIn(next), await signsIn(owner.password)]).toEqual([true, false])
    expect(await audited()).toEqual(['password.link_asked', 'password.reset'])
    await mailed()
    expect(mailbox.mails.map((mail) => [mail.to, /^Subject: (.*)$/m.exec(mail.raw)?.[1]?.trim()])).toEqual([
      [[owner.email], 'Set a new password for Callgate'],
      [[owner.email], 'Your Callgate password was changed'],
    ])
    expect((await set(link)).status, 'a second time').toBe(410)
  })

  test('works for one of many who send it at once, and the password that counts is theirs', async () => {
    const link = await linkFor()
    const tries = await Promise.all(
      Array.from({ length: 6 }, async (_, n) => ({ password: `${next} ${n}`, ...(await set(link, `${next} ${n}`)) })),
    )
    const taken = tries.filter(({ status }) => status === 303)
    expect([taken.length, tries.filter(({ status }) => status === 410).length]).toEqual([1, 5])
    expect(await signsIn(taken[0]?.password ?? '')).toBe(true)
  })

  test.each([
    ['that is older than 30 minutes', `UPDATE password_resets SET expires_at = now() WHERE owner = $1`],
    ['of another password', `UPDATE users SET password_hash = password_hash || 'x' WHERE id = $1`],
  ])('%s does nothing, also where its page is open', async (_, happens) => {
    const link = await linkFor()
    const { rows } = await site.ctx.db.query<{ minutes: number }>(
      `SELECT round(extract(epoch FROM expires_at - now()) / 60)::integer AS minutes FROM password_resets WHERE owner = $1`,
      [owner.id],
    )
    expect(rows).toEqual([{ minutes: 30 }])
    const who = new Visitor(mailing)
    const csrf = await who.csrf(link)
    await site.ctx.db.query(happens, [owner.id])
    expect((await who.post(link, { csrf, new: next, again: next })).status).toBe(410)
    expect((await who.get(link)).status).toBe(410)
    expect(await audited()).toEqual(['password.link_asked'])
  })

  test('ends with the others when one is used, and when the password is changed on the account page', async () => {
    const [first, second] = [await linkFor(), await linkFor()]
    expect(first).not.toBe(second)
    expect([(await set(second)).status, (await set(first)).status]).toEqual([303, 410])
    const third = await linkFor()
    await setPassword(mailing.ctx, owner.id, 'another good password')
    expect((await set(third)).status).toBe(410)
  })

  test.each([
    ['short', '12 to 200 characters'],
    ['passwordpassword', 'tried first'],
  ])('takes no password like %s, and still works', async (password, why) => {
    const link = await linkFor()
    const refused = await set(link, password)
    expect([refused.status, refused.text.includes(why)]).toEqual([422, true])
    expect((await set(link)).status).toBe(303)
  })

  test('needs the token of its page, and its address is told to no other site', async () => {
    const link = await linkFor()
    const who = new Visitor(mailing)
    expect((await who.get(link)).headers.get('referrer-policy')).toBe('strict-origin')
    expect((await who.post(link, { csrf: 'x', new: next, again: next })).status).toBe(403)
    expect((await who.post(link, { new: next, again: next }, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
    for (const made of [`/forgot/${'a'.repeat(43)}`, '/forgot/x']) expect((await who.get(made)).status).toBe(410)
    expect(await signsIn(owner.password)).toBe(true)
  })

  test('stands nowhere in the database, neither before it is mailed nor after, and outlives a change of keys', async () => {
    await ask(owner.email)
    expect(await sendMails(away()), 'the mail server is away').toBe(false)
    const { rows } = await site.ctx.db.query<{ id: string; tries: number; sealed: boolean }>(
      `SELECT id, tries, secret IS NOT NULL AS sealed FROM mails`,
    )
    expect(rows).toMatchObject([{ tries: 1, sealed: true }])
    const ring = new Map([...site.ctx.secrets.kek, ['k2', Buffer.alloc(32, 7)]])
    await rewrapDataKeys({ ...mailing.ctx, secrets: { ...site.ctx.secrets, kek: ring } })
    const all = await site.ctx.db.query<{ text: string }>(
      `SELECT m::text AS text FROM mails m UNION ALL SELECT r::text FROM password_resets r`,
    )
    await site.ctx.db.query('UPDATE mails SET due_at = now()')
    const later = { ...mailing.ctx, secrets: { ...site.ctx.secrets, kek: ring } }
    expect(await sendMails(later)).toBe(false)
    const [link = ''] = await mailed()
    const token = link.split('/').at(-1) ?? ''
    for (const { text } of all.rows)
      for (const form of [token, Buffer.from(token).toString('hex'), Buffer.from(token, 'base64url').toString('hex')])
        expect(text.includes(form)).toBe(false)
    expect((await set(link)).status).toBe(303)
  })
})

test('an account that takes passkeys only gets no link, and one of before does nothing', async () => {
  const link = await linkFor()
  const who = new Visitor(mailing)
  const csrf = await who.csrf(link)
  await site.ctx.db.query('UPDATE users SET passwords_allowed = false WHERE id = $1', [owner.id])
  expect((await who.get(link)).status).toBe(410)
  expect((await who.post(link, { csrf, new: next, again: next })).status).toBe(410)
  expect((await ask(owner.email)).headers.get('location')).toBe('/forgot?said=sent')
  expect(await mailed()).toEqual([link])
  expect(mailbox.mails.at(-1)?.raw).toContain('Your Callgate account takes no passwords')
  expect(await makeResetLink(mailing.ctx, owner.email, 'operator:ann')).toBeUndefined()
  await site.ctx.db.query('UPDATE users SET passwords_allowed = true WHERE id = $1', [owner.id])
  expect(await signsIn(next)).toBe(false)
})

test('who asks gets one answer, whether or not there is an account, and nobody else gets a mail', async () => {
  const [known, unknown] = [await ask(owner.email), await ask('nobody@example.test')]
  const told = ({ status, headers, text }: Page): unknown => [status, headers.get('location'), text]
  expect(told(known)).toEqual(told(unknown))
  const { rows } = await site.ctx.db.query('SELECT kind, address, secret FROM mails ORDER BY id')
  expect(rows).toEqual([
    { kind: 'password.asked', address: owner.email, secret: null },
    { kind: 'password.asked', address: 'nobody@example.test', secret: null },
  ])
  expect((await new Visitor(mailing).get('/forgot?said=sent')).text).toContain('If there is an account')
  expect(await mailed()).toHaveLength(1)
  expect((await site.ctx.db.query('SELECT FROM mails')).rowCount).toBe(0)
})

test('asking is counted by address and by network, the same for addresses without an account', async () => {
  for (const email of [owner.email, 'nobody@example.test']) {
    const statuses = []
    for (let n = 0; n < 6; n++) statuses.push((await ask(email)).status)
    expect(statuses).toEqual([303, 303, 303, 303, 303, 429])
  }
  expect(await mailed()).toHaveLength(5)
  for (let n = 0; n < 8; n++) expect((await ask(`somebody-${n}@example.test`)).status).toBe(303)
  const full = await ask('one-more@example.test')
  expect([full.status, Number(full.headers.get('retry-after')) > 0]).toEqual([429, true])
  for (const bad of ['', 'a b@c', 'a@b\r\nBcc: eve@example.com'])
    expect((await ask(bad)).status, 'what is no address is not counted').toBe(422)
})

test('a mail whose process died once the server had taken it leaves once more, with the same link, by one process', async () => {
  await ask(owner.email)
  await sendMails(away())
  const rows = 'SELECT m::text AS text FROM mails m'
  const [before] = (await site.ctx.db.query<{ text: string }>(rows)).rows
  await site.ctx.db.query(`UPDATE mails SET due_at = now() + interval '1 minute'`)
  expect(await mailed(), 'while somebody is at it').toEqual([])
  await site.ctx.db.query('UPDATE mails SET due_at = now()')
  expect(await mailed()).toHaveLength(1)
  await site.ctx.db.query('INSERT INTO mails SELECT ($1::text::mails).*', [before?.text])
  await site.ctx.db.query('UPDATE mails SET due_at = now()')
  await Promise.all(Array.from({ length: 4 }, () => sendMails(mailing.ctx)))
  const links = await mailed()
  expect([links.length, new Set(links).size]).toEqual([2, 1])
})

test('without a mail server the page says so and whom to ask, and an operator hands a link over', async () => {
  const who = new Visitor(site)
  const { text } = await who.get('/forgot')
  for (const words of ['sends no mail', 'Ask the operator of this Callgate']) expect(text).toContain(words)
  expect(text).not.toContain('name="email"')
  const csrf = await who.csrf('/login')
  expect((await who.post('/forgot', { csrf, email: owner.email })).status).toBe(422)
  expect((await site.ctx.db.query('SELECT FROM mails')).rowCount).toBe(0)

  const made = await makeResetLink(site.ctx, owner.email, 'operator:ann')
  expect(await makeResetLink(site.ctx, 'nobody@example.test', 'operator:ann')).toBeUndefined()
  const link = new URL(made?.link ?? '').pathname
  expect((await set(link)).status).toBe(303)
  expect(await signsIn(next)).toBe(true)
  expect(await audited()).toEqual(['password.link_made', 'password.reset'])
})
