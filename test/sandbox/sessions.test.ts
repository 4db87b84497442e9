import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeOf, hidden, started, Visitor, type SeededAccount, type Started } from './visitor.ts'

let run: Started
beforeAll(async () => {
  run = await started()
})
afterAll(() => run[Symbol.asyncDispose]())

async function seeded(user: string): Promise<SeededAccount> {
  const found = (await run.control.accounts()).find((account) => account.user === user)
  if (!found) throw new Error(`No account for ${user}.`)
  return found
}

test('the named accounts come with live sessions, two_accounts with a private and an agency one', async () => {
  const accounts = await run.control.accounts()
  expect(accounts.map(({ user }) => user)).toEqual([
    'demo',
    'stranger',
    'poor',
    'narrow',
    'revoked',
    'two_accounts',
    'two_accounts',
  ])
  expect(
    accounts
      .filter(({ user }) => user === 'two_accounts')
      .map(({ kind }) => kind)
      .toSorted(),
  ).toEqual(['agency', 'private'])
  expect(accounts.find(({ user }) => user === 'demo')?.kind).toBe('agency')
  for (const account of accounts) {
    const session = await new Visitor(run.sandbox.url, account).json<{ advertiser: { no: string } }>('/api/session')
    expect(session.advertiser.no).toBe(account.account)
  }
})

test('without a session a page leads to sign-in and JSON says 401 with the way there', async () => {
  const nobody = new Visitor(run.sandbox.url)
  const page = await nobody.get('/my/ads')
  expect(page.status).toBe(302)
  expect(page.headers.get('location')).toMatch(/^\/property-advertising\/sign-in\?continue=/)
  const json = await nobody.get('/api/ads')
  expect(json.status).toBe(401)
  expect(await codeOf(json)).toBe('CREDENTIALS_MISSING')
})

test('a person signs in on the page and comes back to where they wanted to go', async () => {
  const demo = await seeded('demo')
  const person = new Visitor(run.sandbox.url)
  const page = '/sign-in?continue=%2Fproperty-advertising%2Finbox'
  const wrong = await person.fill(page, { email: demo.email, password: 'guess' })
  expect([wrong.status, await codeOf(wrong)]).toEqual([422, 'SIGN_IN_WRONG'])
  const right = await person.fill(page, { email: demo.email, password: demo.password })
  expect([right.status, right.headers.get('location')]).toEqual([303, '/property-advertising/inbox'])
  expect(right.headers.getSetCookie()[0]).toMatch(
    /^casavia_sid=[^;]+; Path=\/property-advertising; HttpOnly; SameSite=Lax/,
  )
  expect((await person.get('/inbox')).status).toBe(200)
})

test('sign-in never leads to another site and needs its own token', async () => {
  const demo = await seeded('demo')
  for (const back of ['https://evil.example/', '//evil.example', '/property-advertising//evil.example', '/other/']) {
    const person = new Visitor(run.sandbox.url)
    const answer = await person.fill(`/sign-in?continue=${encodeURIComponent(back)}`, {
      email: demo.email,
      password: demo.password,
    })
    expect(answer.headers.get('location')).toBe('/property-advertising/my/ads')
  }
  const body = new URLSearchParams({ email: demo.email, password: demo.password, authenticity: 'made-up' }).toString()
  const person = new Visitor(run.sandbox.url)
  const answer = await person.send('POST', '/sign-in', { 'content-type': 'application/x-www-form-urlencoded' }, body)
  expect([answer.status, await codeOf(answer)]).toEqual([403, 'TOKEN_INVALID'])
})

test('a write without the right token is refused and leaves no effect', async () => {
  const visitor = await run.control.newcomer()
  const { ads } = await visitor.json<{ ads: { ref: string }[] }>('/api/ads?phase=online&per_page=1')
  const before = await run.control.effects()
  const form = await visitor.form(`/my/ads/${ads[0]?.ref}/offline`, { authenticity: 'made-up' })
  expect([form.status, await codeOf(form)]).toEqual([403, 'XSRF_TOKEN_INVALID'])
  const other = await (await run.control.newcomer()).token()
  const headers = { 'content-type': 'application/json', 'x-casavia-token': other }
  const patch = await visitor.send('PATCH', `/api/ads/${ads[0]?.ref}`, headers, '{"blurb":"x"}')
  expect([patch.status, await codeOf(patch)]).toEqual([403, 'XSRF_TOKEN_INVALID'])
  expect(await run.control.effects()).toEqual(before)
})

test('an expired session stays dead until the person signs in or the faults are cleared', async () => {
  const poor = await seeded('poor')
  const visitor = new Visitor(run.sandbox.url, poor)
  await run.control.arm({ kind: 'expire' })
  expect((await visitor.get('/api/ads')).status).toBe(401)
  expect((await seeded('poor')).session).toEqual(poor.session)
  expect((await visitor.get('/api/ads')).status).toBe(401)

  const person = new Visitor(run.sandbox.url)
  await person.fill('/sign-in', { email: poor.email, password: poor.password })
  expect((await visitor.get('/api/ads')).status).toBe(401)
  const shown = await seeded('poor')
  expect(shown.session.cookies[0]?.value).toBe(person.cookies.get('casavia_sid'))
  expect((await new Visitor(run.sandbox.url, shown).get('/api/ads')).status).toBe(200)

  await run.control.clear()
  expect((await visitor.get('/api/ads')).status).toBe(200)
})

test('a CAPTCHA is demanded everywhere until its sum is answered', async () => {
  const visitor = new Visitor(run.sandbox.url, await seeded('narrow'))
  await run.control.arm({ kind: 'captcha' })
  const page = await visitor.get('/my/ads')
  expect([page.status, await page.text()]).toEqual([
    403,
    expect.stringContaining('action="/property-advertising/security/human?continue='),
  ])
  const json = await visitor.get('/api/ads')
  expect([json.status, await json.json()]).toEqual([
    403,
    expect.objectContaining({
      blockScript: expect.stringContaining('captcha.js?a=c&'),
      captchaUrl: '/property-advertising/security/human',
    }),
  ])
  const wrong = await visitor.fill('/security/human', { answer: '0' })
  expect([wrong.status, await codeOf(wrong)]).toEqual([422, 'ANSWER_WRONG'])
  const question = await (await visitor.get('/security/human')).text()
  const [, a, b] = /<b>(\d) \+ (\d)<\/b>/.exec(question) ?? []
  const right = await visitor.fill('/security/human', { answer: String(Number(a) + Number(b)) })
  expect(right.status).toBe(303)
  expect((await visitor.get('/api/ads')).status).toBe(200)
})

test('a demanded second factor also stands before someone who signs in anew, and finishing it frees the old session too', async () => {
  const account = await seeded('revoked')
  const old = new Visitor(run.sandbox.url, account)
  await run.control.arm({ kind: 'mfa' })
  const refused = await old.get('/api/ads')
  expect([refused.status, await codeOf(refused)]).toEqual([403, 'STEP_UP_NEEDED'])
  const person = new Visitor(run.sandbox.url)
  await person.fill('/sign-in', { email: account.email, password: account.password })
  expect((await person.get('/my/ads')).headers.get('location')).toMatch(/security\/code/)
  const page = await (await person.get('/security/code')).text()
  const code = /data-code-hint>(\d{6})</.exec(page)?.[1] ?? ''
  expect((await person.fill('/security/code', { answer: code === '111111' ? '222222' : '111111' })).status).toBe(422)
  expect((await old.get('/api/ads')).status).toBe(403)
  expect((await person.fill('/security/code', { answer: code })).status).toBe(303)
  expect((await old.get('/api/ads')).status).toBe(200)
})

test('signing out ends the session, asking for the accounts does not renew it', async () => {
  const [, , , , , , account] = await run.control.accounts()
  const visitor = new Visitor(run.sandbox.url, account)
  const page = await (await visitor.get('/my/ads')).text()
  const cookie = visitor.cookies.get('casavia_sid') ?? ''
  expect((await visitor.form('/sign-out', { authenticity: hidden(page) })).status).toBe(303)
  visitor.cookies.set('casavia_sid', cookie)
  expect((await visitor.get('/api/ads')).status).toBe(401)
  await run.control.accounts()
  expect((await visitor.get('/api/ads')).status).toBe(401)
  await run.control.call('POST', 'reset')
  expect((await visitor.get('/api/ads')).status).toBe(200)
})

test('a page of another origin cannot drive the control routes', async () => {
  const answer = await fetch(`${run.sandbox.url}/_sandbox/reset`, {
    method: 'POST',
    headers: { origin: 'https://evil.example' },
  })
  expect(answer.status).toBe(403)
})
