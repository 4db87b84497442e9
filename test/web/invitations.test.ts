import { execFile } from 'node:child_process'
import type { Server } from 'node:http'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createUser } from '../../core/users/rows.ts'
import { beginTotp, totpSince } from '../../core/users/totp.ts'
import { operatorToken } from '../../core/operators/credentials.ts'
import { createAdminApp } from '../../server/admin.ts'
import { serverOf } from '../../api/http/serve.ts'
import { createApi } from '../../core/http/api.ts'
import { hidden } from '../../scripts/browsing.ts'
import { listen } from '../support/listen.ts'
import { askAsOperator } from '../support/operator.ts'
import type { Told } from '../support/operator.ts'
import { makeOwner, startTestSite } from './site.ts'
import type { Owner, TestSite } from './site.ts'
import { Visitor, visitorOf } from './visitor.ts'
import type { Page } from './visitor.ts'

const password = 'a long enough password'
let site: TestSite
let first: Owner
let visitor: Visitor
let email: string
let people = 0

beforeAll(async () => {
  site = await startTestSite()
  first = await makeOwner(site.ctx)
})
beforeEach(async () => {
  visitor = await visitorOf(site, first)
  email = `invited-${people++}@example.test`
})
afterAll(() => site.stop())

async function submit(who: Visitor, path: string, fields: Record<string, string>): Promise<Page> {
  return who.post(path, { csrf: await who.csrf('/people'), ...fields })
}

const linkIn = (page: Page): string => /\/invitation\/[\w-]{43}/.exec(page.text)?.[0] ?? ''
const invite = async (address = email): Promise<string> => linkIn(await submit(visitor, '/people', { email: address }))

/** Opens the link in a browser of its own and sends the form. */
async function accept(link: string, fields: Record<string, string> = {}, who = new Visitor(site)): Promise<Page> {
  const page = await who.get(link)
  if (page.status !== 200) return page
  return who.post(link, { csrf: hidden(page.text, 'csrf'), new: password, again: password, ...fields })
}

const usersOf = async (address: string): Promise<{ id: string; plan: string; may_invite: boolean }[]> => {
  const { rows } = await site.ctx.db.query<{ id: string; plan: string; may_invite: boolean }>(
    'SELECT id, plan, may_invite FROM users WHERE lower(email) = lower($1)',
    [address],
  )
  return rows
}

const idOf = async (address: string): Promise<string> => {
  const { rows } = await site.ctx.db.query<{ id: string }>('SELECT id FROM invitations WHERE email = $1', [address])
  return rows[0]?.id ?? ''
}

describe('an invitation', () => {
  test('leads to an account, signed in, whose overview says what to do first', async () => {
    const made = await submit(visitor, '/people', { email })
    const link = linkIn(made)
    expect(made.text).toContain(`${site.ctx.config.publicUrl}${link}`)
    expect((await visitor.get('/people')).text).not.toContain(link)

    const who = new Visitor(site)
    expect((await who.get(link)).text).toContain(email)
    const answer = await accept(link, {}, who)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/'])
    const home = (await who.get('/')).text
    for (const told of [email, 'Connect an app', 'make a key']) expect(home).toContain(told)
    expect(await usersOf(email)).toMatchObject([{ plan: 'small', may_invite: false }])
    expect((await who.get('/credits')).text).toContain('1,000 credits left this month')
    expect((await new Visitor(site).signIn({ email, password })).status).toBe(303)
    expect((await visitor.get('/people')).text).toContain('used')
    for (const one of [visitor, who]) expect((await one.get('/account')).text).toContain('Took an invitation')
  })

  test('is used up by an account, not by being looked at', async () => {
    const link = await invite()
    for (let i = 0; i < 3; i++) expect((await new Visitor(site).get(link)).status).toBe(200)
    expect((await new Visitor(site).send('HEAD', link)).status).toBe(200)
    expect((await accept(link)).status).toBe(303)
    const again = await accept(link)
    expect([again.status, again.text.includes('sign in')]).toEqual([410, true])
    expect(await usersOf(email)).toHaveLength(1)
  })

  test('that two open at once makes one account', async () => {
    const link = await invite()
    const guests = await Promise.all(
      Array.from({ length: 8 }, async (_, i) => {
        const who = new Visitor(site)
        return { who, csrf: await who.csrf(link), mine: `a password of guest ${i}` }
      }),
    )
    const answers = await Promise.all(
      guests.map(({ who, csrf, mine }) => who.post(link, { csrf, new: mine, again: mine })),
    )
    for (const [status, times] of [
      [303, 1],
      [410, 7],
    ])
      expect(answers.filter((answer) => answer.status === status)).toHaveLength(times ?? 0)
    const winner = guests[answers.findIndex(({ status }) => status === 303)]
    expect(await usersOf(email)).toHaveLength(1)
    expect((await new Visitor(site).signIn({ email, password: winner?.mine ?? '' })).status).toBe(303)
  })

  test('that is revoked, expired or made up makes no account', async () => {
    const revoked = await invite()
    const address = `/people/${await idOf(email)}`
    expect((await submit(visitor, address, { action: 'forget' })).status).toBe(422)
    expect((await submit(visitor, address, { action: 'revoke' })).headers.get('location')).toBe('/people?said=revoked')
    expect((await submit(visitor, address, { action: 'revoke' })).status).toBe(404)
    expect((await accept(revoked)).status).toBe(410)

    const late = `late-${email}`
    const expired = await invite(late)
    const who = new Visitor(site)
    const csrf = await who.csrf(expired)
    await site.ctx.db.query('UPDATE invitations SET expires_at = now() WHERE email = $1', [late])
    expect((await who.post(expired, { csrf, new: password, again: password })).status).toBe(410)
    for (const madeUp of [`/invitation/${'a'.repeat(43)}`, '/invitation/x', '/invitation/%00'])
      expect((await who.get(madeUp)).status, madeUp).toBe(404)
    expect([...(await usersOf(email)), ...(await usersOf(late))]).toEqual([])
    const { text } = await visitor.get('/people')
    for (const state of ['revoked', 'expired']) expect(text).toContain(state)
  })

  test('keeps its link out of what browsers say to others', async () => {
    expect((await new Visitor(site).get(await invite())).headers.get('referrer-policy')).toBe('strict-origin')
  })

  test('lasts seven days, and only a hash of its token is kept', async () => {
    const link = await invite()
    const { rows } = await site.ctx.db.query<{ days: number; all: string }>(
      `SELECT round(extract(epoch FROM expires_at - now()) / 86400)::integer AS days, i::text AS all
       FROM invitations i WHERE email = $1`,
      [email],
    )
    expect(rows[0]?.days).toBe(7)
    const token = link.split('/').at(-1) ?? ''
    expect(rows[0]?.all).not.toContain(token)
    expect(rows[0]?.all).not.toContain(Buffer.from(token).toString('hex'))
  })

  test('for an address with an account looks like any other, and changes nothing', async () => {
    const known = await makeOwner(site.ctx)
    const [toKnown, toNew] = [
      await submit(visitor, '/people', { email: known.email.toUpperCase() }),
      await submit(visitor, '/people', { email }),
    ]
    const plain = (page: Page, address: string): string =>
      page.text
        .replaceAll(address, '')
        .replaceAll(/invitation\/[\w-]{43}|<time.*?<\/time>|name="csrf" value="[^"]*"/g, '')
    expect(plain(toKnown, known.email.toUpperCase())).toBe(plain(toNew, email))
    const [opened, other] = [await new Visitor(site).get(linkIn(toKnown)), await new Visitor(site).get(linkIn(toNew))]
    expect(plain(opened, known.email.toUpperCase())).toBe(plain(other, email))

    const refused = await accept(linkIn(toKnown))
    expect([refused.status, refused.text.includes('sign in')]).toEqual([410, true])
    expect((await visitor.get('/people')).text.match(/class="tag warn">open/g)?.length).toBeGreaterThanOrEqual(2)
    expect((await new Visitor(site).signIn(known)).status).toBe(303)
    expect((await new Visitor(site).signIn({ email: known.email, password })).status).toBe(422)
  })

  test('wants a good password twice, says what is wrong, and stays usable', async () => {
    const link = await invite()
    const short = await accept(link, { new: 'eleven char', again: 'eleven char' })
    expect([short.status, short.text.includes('12 to 200 characters')]).toEqual([422, true])
    for (const fields of [{ again: `${password}!` }, { new: `${password}\0`, again: `${password}\0` }])
      expect((await accept(link, fields)).status).toBe(422)
    expect((await accept(link)).status).toBe(303)
  })

  test('needs the token of its form, from our own page', async () => {
    const link = await invite()
    for (const csrf of ['', 'made up']) expect((await accept(link, { csrf })).status).toBe(403)
    const who = new Visitor(site)
    const fields = { csrf: await who.csrf(link), new: password, again: password }
    expect((await who.post(link, fields, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
    expect((await new Visitor(site).post(link, fields)).status).toBe(403)
    expect(await usersOf(email)).toEqual([])
    expect((await who.post(link, fields)).status).toBe(303)
  })

  test('opened where somebody is signed in says so, and signs them out there', async () => {
    const link = await invite()
    expect((await visitor.get(link)).text).toContain(first.email)
    expect((await accept(link, {}, visitor)).status).toBe(303)
    expect((await visitor.get('/account')).text).toContain(email)
  })
})

describe('the page of people', () => {
  test('is there for whoever came first, and for nobody else', async () => {
    const later = await makeOwner(site.ctx)
    const who = await visitorOf(site, later)
    expect((await who.get('/people')).status).toBe(404)
    expect((await who.get('/account')).text).not.toContain('/people')
    expect((await visitor.get('/account')).text).toContain('/people')
    const csrf = await who.csrf('/account')
    await invite()
    expect((await who.post('/people', { csrf, email: 'x@example.test' })).status).toBe(404)
    expect((await who.post(`/people/${await idOf(email)}`, { csrf, action: 'revoke' })).status).toBe(404)
    expect((await new Visitor(site).get('/people')).headers.get('location')).toBe('/login?return_to=%2Fpeople')
    expect((await new Visitor(site).post('/people', { email })).status).toBe(403)
    expect((await visitor.post('/people', { email, csrf: 'made up' })).status).toBe(403)
  })

  test('shows each person their own invitations only', async () => {
    await invite()
    const second = await makeOwner(site.ctx)
    await site.ctx.db.query('UPDATE users SET may_invite = true WHERE id = $1', [second.id])
    const who = await visitorOf(site, second)
    expect((await who.get('/people')).text).not.toContain(email)
    expect((await submit(who, `/people/${await idOf(email)}`, { action: 'revoke' })).status).toBe(404)
  })

  test.for([
    '',
    'nobody',
    'a@b@c',
    'a b@example.test',
    '"><b>@example.test',
    `a\0@example.test`,
    `${'a'.repeat(260)}@b.c`,
  ])('takes no %j for an address, and keeps what was typed', async (typed) => {
    const answer = await submit(visitor, '/people', { email: typed })
    expect([answer.status, answer.text.includes('not an email address')]).toEqual([422, true])
    if (typed === 'nobody') expect(answer.text).toContain('value="nobody"')
    expect(answer.text).not.toContain('<b>@')
  })

  test('lets fifty be open at once, and no more', async () => {
    const second = await makeOwner(site.ctx)
    await site.ctx.db.query('UPDATE users SET may_invite = true WHERE id = $1', [second.id])
    await site.ctx.db.query(
      `INSERT INTO invitations (id, hash, email, invited_by, expires_at)
       SELECT 'inv_' || n, decode(lpad(n::text, 8, '0'), 'hex'), n || '@example.test', $1, now() + interval '1 day' FROM generate_series(1, 50) n`,
      [second.id],
    )
    const who = await visitorOf(site, second)
    const answer = await submit(who, '/people', { email })
    expect([answer.status, answer.text.includes('Revoke some first')]).toEqual([422, true])
    await submit(who, '/people/inv_7', { action: 'revoke' })
    expect((await submit(who, '/people', { email })).status).toBe(200)
  })
})

describe('a gateway without users', () => {
  let empty: TestSite
  let admin: Server
  let adminUrl: string

  beforeAll(async () => {
    empty = await startTestSite()
    admin = serverOf(createAdminApp(createApi(empty.ctx)))
    adminUrl = `http://127.0.0.1:${await listen(admin)}`
  })
  afterAll(async () => {
    admin.closeAllConnections()
    admin.close()
    await empty.stop()
  })

  const operator = (route: string, body?: object): Promise<Told> =>
    askAsOperator({ ...empty, adminUrl }, 'POST', route, body)

  test('gets its first one by a link that an operator makes, who may then invite others', async () => {
    for (const wrong of [{}, { email: 'nobody' }, { email, may_invite: 'yes' }])
      expect((await operator('/users', wrong)).body['error']).toBe('invalid_input')
    const { body } = await operator('/users', { email })
    const link = linkIn({ text: String(body['link']), status: 200, headers: new Headers() })
    const who = new Visitor(empty)
    const page = await who.get(link)
    const csrf = hidden(page.text, 'csrf')
    expect((await who.post(link, { csrf, new: password, again: password })).status).toBe(303)
    expect((await who.get('/people')).status).toBe(200)
    expect((await operator('/users', { email: email.toUpperCase() })).body['details']).toMatchObject([
      { path: 'email' },
    ])

    const next = await operator('/users', { email: 'next@example.test' })
    const revoke = `/invitations/${String(next.body['invitation'])}/revoke`
    expect((await operator(revoke)).status).toBe(200)
    expect((await operator(revoke)).status).toBe(404)
    const { rows } = await empty.ctx.db.query<{ action: string }>(
      `SELECT action FROM audit_log WHERE actor = 'operator:ann' ORDER BY id`,
    )
    expect(rows.map(({ action }) => action)).toEqual(['invitation.made', 'invitation.made', 'invitation.revoked'])
  })

  test('is told of a user from a shell', async () => {
    const admin = async (...args: string[]): Promise<{ code: number; text: string }> => {
      const env = {
        ...process.env,
        CALLGATE_ADMIN_URL: adminUrl,
        CALLGATE_OPERATOR_TOKEN: operatorToken(empty.ctx.secrets),
      }
      const script = path.join(import.meta.dirname, '../../scripts/admin.ts')
      return promisify(execFile)(process.execPath, [script, ...args], { env }).then(
        ({ stdout }) => ({ code: 0, text: stdout }),
        (error: { code: number; stdout: string; stderr: string }) => ({ code: error.code, text: error.stderr }),
      )
    }
    const made = await admin('user', 'add', 'shell@example.test', '--may-invite')
    const told = JSON.parse(made.text) as { invitation: string; link: string }
    const link = new URL(told.link).pathname
    const who = new Visitor(empty)
    const csrf = await who.csrf(link)
    expect((await who.post(link, { csrf, new: password, again: password })).status).toBe(303)
    expect((await who.get('/people')).status).toBe(200)
    expect((await admin('user', 'revoke', told.invitation)).code).toBe(1)
    expect((await admin('user', 'add', 'nobody')).text).toContain('must be an email address')
    expect((await admin('user')).code).toBe(2)
    const reset = JSON.parse((await admin('user', 'password-link', 'Shell@example.test')).text) as { link: string }
    expect((await who.get(new URL(reset.link).pathname)).text).toContain('shell@example.test')
    expect((await admin('user', 'password-link', 'nobody@example.test')).text).toContain('is that of no user who')
    const [shell] = (
      await empty.ctx.db.query<{ id: string }>(`SELECT id FROM users WHERE email = 'shell@example.test'`)
    ).rows
    const off = () => admin('user', 'second-step-off', 'shell@example.test')
    expect((await off()).text).toContain('is that of no user who is asked for codes')
    await beginTotp(empty.ctx, shell?.id ?? '')
    await empty.ctx.db.query('UPDATE totp SET confirmed_at = now() WHERE owner = $1', [shell?.id])
    expect(JSON.parse((await off()).text)).toEqual({ email: 'shell@example.test', removed: true })
    expect(await totpSince(empty.ctx.db, shell?.id ?? '')).toBeUndefined()
  })

  test('has one first user, however many come at once', async () => {
    const another = await startTestSite()
    try {
      await Promise.all(
        Array.from({ length: 6 }, (_, i) =>
          createUser(another.ctx, { email: `u${i}@example.test`, password, plan: 'small' }),
        ),
      )
      const { rows } = await another.ctx.db.query('SELECT FROM users WHERE may_invite')
      expect(rows).toHaveLength(1)
      await expect(createUser(another.ctx, { email: 'U0@example.test', password, plan: 'small' })).rejects.toThrow(
        'there is a user with this email',
      )
    } finally {
      await another.stop()
    }
  })
})
