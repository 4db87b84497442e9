import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { audit } from '../../core/audit.ts'
import { connect, disconnect, noteSessionState } from '../../core/accounts/sessions.ts'
import { hidden } from '../../scripts/browsing.ts'
import { askFor, makeOwner, startTestSite } from './site.ts'
import type { Owner, TestSite } from './site.ts'
import { Visitor, visitorOf } from './visitor.ts'

let site: TestSite
let owner: Owner
let visitor: Visitor

beforeAll(async () => {
  site = await startTestSite()
  owner = await makeOwner(site.ctx)
  visitor = await visitorOf(site, owner)
})
afterAll(() => site.stop())

test('pages allow nothing from elsewhere, no inline code and no framing', async () => {
  for (const path of ['/docs', '/login', '/connect/letters', '/connect/none', '/nowhere']) {
    const { headers } = await visitor.get(path)
    expect(headers.get('content-security-policy')).toContain(`default-src 'none'; style-src 'self'; script-src 'self'`)
    expect(headers.get('content-security-policy')).toContain(`frame-ancestors 'none'`)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('same-origin')
  }
})

test('the start page says what this is and leads to the documentation, which anyone may read', async () => {
  const anyone = new Visitor(site)
  const start = await anyone.get('/')
  expect(start.status).toBe(200)
  expect(start.text).toContain('href="/docs"')
  const apps = await anyone.get('/docs')
  expect(apps.status).toBe(200)
  expect(apps.text).toContain('href="/docs/letters"')
  const app = await anyone.get('/docs/letters')
  for (const words of [
    'club secretary',
    'write_letter',
    'waits for approval',
    '3 credits',
    'text, 1 to 200 characters',
    'one of draft, sent',
    'Rings the bell on their phones.',
    // Within the items of a list, and of an output.
    'As they will see it.',
    'How many members got it.',
  ])
    expect(app.text).toContain(words)
  expect((await anyone.get('/docs/none')).status).toBe(404)
  expect((await anyone.send('HEAD', '/docs')).status).toBe(200)
  expect((await anyone.post('/docs', {})).status).toBe(405)
})

test.for([
  ['br, gzip', 'br'],
  ['gzip;q=1, br;q=0', 'gzip'],
  ['identity', null],
  ['*;q=0', null],
] as const)(
  'of %s a style comes packed by %s, the docs of a stranger too, and a page of a person only where nobody else had it asked for',
  async ([accepted, by]) => {
    const headers = { 'Accept-Encoding': accepted }
    const plain = (await visitor.get('/docs')).text
    const path = /href="(\/assets\/style[^"]+)"/.exec(plain)?.[1] ?? ''
    const style = await visitor.send('GET', path, { headers })
    expect(style.headers.get('content-encoding')).toBe(by)
    expect(style.headers.get('vary')).toContain('Accept-Encoding')
    expect(style.text).toBe((await visitor.send('GET', path, { headers: { 'Accept-Encoding': 'identity' } })).text)
    const etag = style.headers.get('etag') ?? ''
    expect(etag.startsWith('W/')).toBe(by !== null)
    const same = { ...headers, 'If-None-Match': etag, 'Cache-Control': 'max-age=0' }
    expect((await visitor.send('GET', path, { headers: same })).status).toBe(304)
    const anyone = await new Visitor(site).send('GET', '/docs/letters', { headers })
    expect(anyone.headers.get('content-encoding')).toBe(by)
    expect(anyone.text).toContain('Send a letter to some of your members.')
    const packed = async (method: string, page: string, more: Record<string, string>) => {
      const answer = await visitor.send(method, page, { headers: { ...headers, ...more } })
      expect(answer.headers.get('vary') ?? '', page).toContain(method === 'GET' ? 'Accept-Encoding' : '')
      return [page, answer.headers.get('content-encoding')]
    }
    const own = { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Dest': 'document' }
    for (const page of ['/', '/waiting', '/docs', '/account'])
      expect(await packed('GET', page, own)).toEqual([page, by])
    const foreign = [
      {},
      { ...own, 'Sec-Fetch-Site': 'cross-site' },
      { ...own, 'Sec-Fetch-Site': 'same-site' },
      // A script of ours that asks again and again.
      { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Dest': 'empty' },
    ]
    for (const more of foreign) expect(await packed('GET', '/waiting', more)).toEqual(['/waiting', null])
    const csrf = await visitor.csrf('/keys')
    const key = { name: 'packed', days: '', all: 'yes', csrf }
    const made = await visitor.send('POST', '/keys', { form: key, headers: { ...headers, ...own } })
    expect([made.status, made.headers.get('content-encoding')]).toEqual([200, null])
  },
)

test('style and scripts come from here and may be kept by the browser', async () => {
  const page = (await visitor.get('/docs')).text
  const found = [...page.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map((match) => match[1] ?? '')
  expect(found).toHaveLength(5)
  for (const path of found) {
    const asset = await visitor.get(path)
    expect([asset.status, asset.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
    const again = await visitor.send('GET', path, {
      headers: { 'If-None-Match': asset.headers.get('etag') ?? '', 'Cache-Control': 'max-age=0' },
    })
    expect([again.status, again.text]).toEqual([304, ''])
  }
  expect((await visitor.get('/assets/..%2f..%2fpackage.json')).status).toBe(404)
})

test.each(['/docs', '/docs/letters', '/docs/start', '/docs/mcp', '/docs/errors', '/docs/errors/SCOPE_DENIED'])(
  '%s is sent again only when it has changed',
  async (path) => {
    const anyone = new Visitor(site)
    const page = await anyone.get(path)
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-cache'])
    const etag = page.headers.get('etag') ?? ''
    const ask = (known: string) =>
      anyone.send('GET', path, { headers: { 'If-None-Match': known, 'Cache-Control': 'max-age=0' } })
    const same = await ask(etag)
    expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', etag])
    const other = await ask('"another"')
    expect([other.status, other.text]).toEqual([200, page.text])
  },
)

test.each(['/docs', '/docs/letters', '/docs/start', '/docs/mcp', '/docs/errors', '/docs/errors/SCOPE_DENIED'])(
  '%s has the menu of who is signed in, which no cache keeps and no sign-out leaves behind',
  async (path) => {
    const person = await visitorOf(site, owner)
    const anyone = await new Visitor(site).get(path)
    expect(anyone.headers.get('vary')).toContain('Cookie')
    expect(anyone.text).not.toContain('Sign out')
    const ask = () =>
      person.send('GET', path, {
        headers: { 'If-None-Match': anyone.headers.get('etag') ?? '', 'Cache-Control': 'max-age=0' },
      })

    const signedIn = await ask()
    expect([signedIn.status, signedIn.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(signedIn.headers.get('vary')).toContain('Cookie')
    expect(signedIn.headers.get('etag')).toBeNull()
    for (const words of [owner.email, 'Sign out', 'href="/waiting"']) expect(signedIn.text).toContain(words)

    await person.post('/logout', { csrf: hidden(signedIn.text, 'csrf') })
    const after = await ask()
    expect([after.status, after.text]).toEqual([304, ''])
    expect((await person.get(path)).text).toBe(anyone.text)
  },
)

test.each(['/nowhere', '/docs/none', '/calls/none', '/connect/none'])(
  'the error page %s keeps the menu of who is signed in, and of nobody else',
  async (path) => {
    const page = await visitor.get(path)
    expect([page.status, page.headers.get('cache-control')]).toEqual([404, 'no-store'])
    for (const words of [owner.email, 'Sign out', 'href="/waiting"']) expect(page.text).toContain(words)
    const anyone = await new Visitor(site).get(path)
    expect(anyone.text).not.toContain('Sign out')
  },
)

test('a page for everybody asks the database only about a session, and is shown without it', async () => {
  const asked = vi.spyOn(site.ctx.db, 'query')
  /** Of the counting of requests nobody is told. */
  const about = () => asked.mock.calls.filter(([query]) => !JSON.stringify(query).includes('admit(')).length
  try {
    for (const path of ['/docs', '/nowhere', '/docs/none']) await new Visitor(site).get(path)
    expect(about()).toBe(0)
    for (const path of ['/docs', '/nowhere', '/docs/none']) await visitor.get(path)
    expect(about()).toBe(3)
    asked.mockImplementation(() => {
      throw new Error('Connection terminated unexpectedly')
    })
    const docs = await visitor.get('/docs')
    expect([docs.status, docs.text.includes('Sign out')]).toEqual([200, false])
    expect((await visitor.get('/nowhere')).status).toBe(404)
    expect((await visitor.get('/keys')).status).toBe(503)
    asked.mockImplementation(() => new Promise(() => undefined) as never)
    const [began, silent] = [performance.now(), await visitor.get('/keys?said=apps')]
    expect([silent.status, performance.now() - began < 10_000]).toEqual([503, true])
    // Who is signed in is not known, so nobody is told that they are not.
    expect(silent.text).not.toContain('href="/login"')
    expect(silent.text).toMatch(/<a class="button primary" href="\/keys\?said=apps">.*Try again/s)
  } finally {
    asked.mockRestore()
  }
})

test('the connect page asks for the account that is missing', async () => {
  const other = await makeOwner(site.ctx)
  await site.ctx.db.query('DELETE FROM accounts WHERE owner = $1', [other.id])
  const page = await (await visitorOf(site, other)).get('/connect/letters')
  expect(page.status).toBe(200)
  expect(page.text).toContain('Connect your account of Letters')
  expect(page.text).toContain('club secretary')
  expect(page.text).toContain('Sign in to Letters')
})

test.for([
  ['AUTH_EXPIRED', 'expired', 'The app ended the sign-in'],
  ['CAPTCHA_REQUIRED', 'needs_check', 'CAPTCHA'],
  ['MFA_REQUIRED', 'needs_check', 'second factor'],
] as const)('the connect page says why an account must be renewed: %s', async ([reason, state, words]) => {
  const other = await makeOwner(site.ctx)
  const call = await askFor(site.ctx, other)
  await site.ctx.db.query('UPDATE accounts SET reason = $2, state = $3 WHERE owner = $1', [other.id, reason, state])
  await site.ctx.db.query(
    `UPDATE calls SET status = 'running', waiting_for = 'reconnect', decision = 'approved', decided_at = now() WHERE id = $1`,
    [call],
  )
  const person = await visitorOf(site, other)
  const path = `/connect/letters?account=${other.account}`
  const page = await person.get(path)
  expect(page.text).toContain(words)
  expect(page.text.replaceAll(/<[^>]*>/g, '')).toContain('1 approved call waits for this')
  expect(page.text).toContain(`<a href="/calls/${call}">Write a letter</a>`)

  await site.ctx.db.query(`UPDATE calls SET held_for = 'person', held_since = now() WHERE id = $1`, [call])
  await site.ctx.db.query(`UPDATE accounts SET reason = NULL, state = 'connected' WHERE owner = $1`, [other.id])
  await audit(site.ctx.db, other.id, 'account.connected', { account: other.account, app: 'letters' })
  const after = (await person.get(`${path}&done=same`)).text
  expect(after.replaceAll(/<[^>]*>/g, '')).toContain('1 approved call waited for this and goes on now:Write a letter')
  expect(after).not.toContain('waits for this')
  const story = (await person.get(`/calls/${call}`)).text.replaceAll(/<[^>]*>/g, '')
  expect(story).toMatch(/Letters wanted you to sign in again.*You signed in to Letters again/s)
})

test('the connect page knows no other apps, and no accounts of others', async () => {
  const other = await makeOwner(site.ctx)
  expect((await visitor.get('/connect/none')).status).toBe(404)
  expect((await visitor.get(`/connect/letters?account=${owner.account}`)).status).toBe(200)
  for (const id of [other.account, 'acct_01JZX3T5N8Q4V7W9Y2B6C1D0EF', '%00', '']) {
    const { status, headers } = await visitor.get(`/connect/letters?account=${id}`)
    expect([id, status, headers.get('location')]).toEqual([id, 303, '/connect/letters'])
  }
})

test('a link to an account that was disconnected since leads to where it is connected again', async () => {
  const other = await makeOwner(site.ctx)
  const person = await visitorOf(site, other)
  await disconnect(site.ctx, other.id, other.account)
  const { status, headers } = await person.get(`/connect/letters?account=${other.account}`)
  expect([status, headers.get('location')]).toEqual([303, '/connect/letters'])
  expect((await person.get('/connect/letters')).text).toContain('Connect your account of Letters')
})

test('an account is renewed on the connect page only while it has to be', async () => {
  const other = await makeOwner(site.ctx)
  const person = await visitorOf(site, other)
  const page = async () => (await person.get(`/connect/letters?account=${other.account}&done=same`)).text
  expect(await page()).toContain('Connect another account')
  expect(await page()).not.toContain('data-account')
  await noteSessionState(site.ctx.db, other.account, 'AUTH_EXPIRED')
  expect(await page()).toContain(`data-account="${other.account}"`)
})

test('who came from a page of a call to connect again is led back there, and nowhere else', async () => {
  const other = await makeOwner(site.ctx)
  const [call, strange] = [await askFor(site.ctx, other), await askFor(site.ctx, owner)]
  const person = await visitorOf(site, other)
  const query = { account: other.account, call }
  const page = async (more: object) =>
    (await person.get(`/connect/letters?${new URLSearchParams({ ...query, ...more }).toString()}`)).text
  await noteSessionState(site.ctx.db, other.account, 'AUTH_EXPIRED')
  expect(await page({})).not.toContain('Back to your approval')
  // Who signs in there comes back with it.
  expect(await page({})).toContain(`data-call="${call}"`)
  await noteSessionState(site.ctx.db, other.account, null)
  expect(await page({ done: 'same' })).toContain(`<a href="/confirm/${call}">Back to your approval</a>`)
  for (const wrong of [
    strange,
    '//evil.example',
    `/confirm/${call}`,
    `${call}/../../x`,
    'call_01JZX3T5N8Q4V7W9Y2B6C1D0EF',
  ])
    expect(await page({ done: 'same', call: wrong })).not.toMatch(/Back to|data-call|evil/)
  await site.ctx.db.query(
    `UPDATE calls SET status = 'running', waiting_for = 'reconnect', decision = 'approved', decided_at = now() WHERE id = $1`,
    [call],
  )
  expect(await page({ done: 'same' })).toContain(`<a href="/confirm/${call}">Back to the call</a>`)
})

test('who signed in to another account than the one to renew is shown both, and led back', async () => {
  const other = await makeOwner(site.ctx, { label: 'first@club.example' })
  const session = { cookies: [], user_agent: null }
  const second = { owner: other.id, app: 'letters', externalId: 'second', label: 'second@club.example', session }
  await connect(site.ctx, second)
  await noteSessionState(site.ctx.db, other.account, 'AUTH_EXPIRED')
  const person = await visitorOf(site, other)
  const { text } = await person.get(`/connect/letters?account=${other.account}&done=other`)
  expect(text).toMatch(/<p class="notice warn" role="status">This is another account[^]*first@club\.example[^]*<\/p>/)
  expect(text).toContain('second@club.example')
  expect(text).toContain('<h1>Sign in to the app again</h1>')
  expect(text.match(/<a href="\/connect\/letters\?account=[^"]*">Sign in again<\/a>/g)).toEqual([
    `<a href="/connect/letters?account=${other.account}">Sign in again</a>`,
  ])
  expect(text).toContain(`data-account="${other.account}"`)
})

test('the owner of a key grants it an app, with the form only, and it is written down', async () => {
  const other = await makeOwner(site.ctx)
  await site.ctx.db.query(`UPDATE api_keys SET apps = '{}' WHERE id = $1`, [other.keyId])
  const person = await visitorOf(site, other)
  const path = `/access/letters?key=${other.keyId}`
  const page = await person.get(path)
  expect(page.text).toContain('Let this key use Letters?')
  const csrf = hidden(page.text, 'csrf')

  expect((await new Visitor(site).get(path)).status).toBe(303)
  expect((await new Visitor(site).post('/access/letters', { csrf, key: other.keyId })).status).toBe(403)
  expect((await person.post('/access/letters', { csrf: 'x', key: other.keyId })).status).toBe(403)
  expect((await visitor.get(path)).status).toBe(404)
  expect((await person.get('/access/letters')).status).toBe(404)
  expect((await person.get(`/access/none?key=${other.keyId}`)).status).toBe(404)
  expect(await appsOf(other)).toEqual([])

  const answer = await person.post('/access/letters', { csrf, key: other.keyId })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, path])
  await person.post('/access/letters', { csrf, key: other.keyId })
  expect(await appsOf(other)).toEqual(['letters'])
  expect((await person.get(path)).text).toContain('This key may use Letters')
  const { rows } = await site.ctx.db.query(
    `SELECT action, detail FROM audit_log WHERE actor = $1 AND action LIKE 'key.%'`,
    [other.id],
  )
  expect(rows).toEqual([{ action: 'key.app_granted', detail: { key: other.keyId, app: 'letters' } }])
})

test('an error page puts the code in words, escapes what was typed and quotes the request', async () => {
  const nowhere = await visitor.get('/nowhere')
  expect(nowhere.text).toContain('<h1>Not found</h1>')
  expect(nowhere.text).toContain(`<code>${nowhere.headers.get('x-request-id')}</code>`)
  const refused = await visitor.post('/notices', { csrf: 'made up', url: '<b>gone</b>' })
  expect(refused.status).toBe(403)
  expect(refused.text).toContain('&lt;b>gone&lt;/b>')
})

async function appsOf(who: Owner): Promise<unknown> {
  const { rows } = await site.ctx.db.query<{ apps: string[] | null }>('SELECT apps FROM api_keys WHERE id = $1', [
    who.keyId,
  ])
  return rows[0]?.apps
}
