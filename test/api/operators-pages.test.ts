import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { operatorToken } from '../../core/operators/credentials.ts'
import { setAppPaused, setEndpointPaused } from '../../core/operators/pauses.ts'
import { hidden } from '../../scripts/browsing.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { askAsOperator } from '../support/operator.ts'
import { historyText } from '../support/history.ts'
import { Person } from '../support/person.ts'
import { queueRates } from '../support/rates.ts'
import type { TestUser } from '../support/user.ts'

const app = 'property-advertising'
const made = 'call_0123456789ABCDEFGHJKMNPQRS'
let stack: Stack
let user: TestUser
let operator: Person
/** What is said of answers that were not understood. */
const logged: string[] = []
beforeAll(async () => {
  stack = await startStack({ logTo: { write: (line) => void (line.includes('"rule"') && logged.push(line)) } })
  operator = await signIn()
})
beforeEach(async () => {
  user = await stack.user()
})
afterAll(() => stack.stop())

async function signIn(name = 'ann'): Promise<Person> {
  const person = new Person(stack.adminUrl)
  const answer = await person.post('/login', { name, token: operatorToken(stack.ctx.secrets), return_to: '/log' })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/log'])
  return person
}

const textOf = async (path: string, person = operator): Promise<string> => (await person.get(path)).text()

/** Sends a form of a page, with what is hidden in it, and reads the page that it leads to. */
async function send(path: string, form: Record<string, string>): Promise<string> {
  const answer = await operator.post(path, { csrf: hidden(await textOf(path), 'csrf'), ...form })
  const next = answer.headers.get('location')
  expect([answer.status, await answer.clone().text()]).toEqual([303, expect.anything()])
  return textOf(next ?? '')
}

async function waitsUnknown(): Promise<string> {
  const { listings } = (await user.call('list_listings', { limit: 1 })).body as { listings: { listing_id: string }[] }
  await stack.sandbox.fault('garbage')
  const asked = await user.call('deactivate_listing', { listing_id: listings[0]?.listing_id })
  await stack.sandbox.clearFaults()
  expect(asked.body['status']).toBe('unknown')
  return String(asked.body['call_id'])
}

describe('signing in', () => {
  test('takes the operator token and a name; the cookie stays with this site and out of scripts', async () => {
    const person = new Person(stack.adminUrl)
    const token = operatorToken(stack.ctx.secrets)
    const answer = await person.post('/login', { name: 'bob', token, return_to: '//elsewhere.example' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/'])
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^callgate-operator=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/),
    ])
    expect(await textOf('/', person)).toContain('operator:bob')
    const page = await person.get('/')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const { rows } = await stack.ctx.db.query<{ hash: Buffer }>('SELECT hash FROM operator_sessions')
    for (const { hash } of rows) expect(person.cookies[0]).not.toContain(hash.toString('base64url'))
  })

  test('refuses what is no token or no name, and keeps what was typed', async () => {
    const person = new Person(stack.adminUrl)
    for (const token of ['', 'wrong', user.key]) {
      const answer = await person.post('/login', { name: 'carol', token, return_to: '/log' })
      expect(answer.status).toBe(422)
      const page = await answer.text()
      expect(page).toContain('not the operator token')
      expect([hidden(page, 'return_to'), page]).toEqual(['/log', expect.stringContaining('value="carol"')])
      if (token !== '') expect(page).not.toContain(token === 'wrong' ? 'value="wrong"' : token)
    }
    const nameless = await person.post('/login', { name: '<b>', token: operatorToken(stack.ctx.secrets) })
    expect(nameless.status).toBe(422)
    expect(await nameless.text()).toContain('1 to 60 letters')
    expect(person.cookies).toEqual([])
  })

  test('is needed for every page, and its end ends the session everywhere', async () => {
    const stranger = new Person(stack.adminUrl)
    for (const path of ['/', '/apps/crm', '/calls', `/calls/${made}?said=recorded`, '/log']) {
      const answer = await stranger.get(path)
      expect([answer.status, answer.headers.get('location')], path).toEqual([
        303,
        `/login?return_to=${encodeURIComponent(path)}`,
      ])
    }
    for (const path of [`/apps/${app}`, `/calls/${made}`, '/logout'])
      expect((await stranger.post(path, { action: 'pause' })).status, path).toBe(403)
    // Neither a user's session nor their key is worth anything here.
    const owner = (await user.person()).at(stack.adminUrl)
    expect((await owner.get('/')).status).toBe(303)
    const keyed = await fetch(`${stack.adminUrl}/`, {
      headers: { Authorization: `Bearer ${user.key}` },
      redirect: 'manual',
    })
    expect(keyed.status).toBe(303)

    const person = await signIn('dora')
    const copy = person.at(stack.adminUrl)
    await person.post('/logout', { csrf: hidden(await textOf('/', person), 'csrf') })
    expect((await copy.get('/')).status).toBe(303)
  })

  test('is over after its time', async () => {
    const person = await signIn('eve')
    await stack.ctx.db.query(`UPDATE operator_sessions SET expires_at = now() WHERE name = 'eve'`)
    expect((await person.get('/')).status).toBe(303)
  })

  test('counts wrong tokens: the eleventh in a quarter of an hour is not looked at', async () => {
    const person = new Person(stack.adminUrl)
    await stack.ctx.db.query(`DELETE FROM rate_limits WHERE bucket LIKE 'operator-ip:%'`)
    const statuses = []
    for (let i = 0; i < 11; i++) statuses.push((await person.post('/login', { name: 'x', token: 'wrong' })).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429])
    const right = await person.post('/login', { name: 'x', token: operatorToken(stack.ctx.secrets) })
    expect(right.status).toBe(429)
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0)
    await stack.ctx.db.query(`DELETE FROM rate_limits WHERE bucket LIKE 'operator-ip:%'`)
  })
})

test('a form counts only with its token and from these pages', async () => {
  const csrf = hidden(await textOf(`/apps/${app}`), 'csrf')
  const other = await signIn('frank')
  for (const form of [{}, { csrf: 'wrong' }, { csrf: hidden(await textOf('/', other), 'csrf') }])
    expect((await operator.post(`/apps/${app}`, { ...form, action: 'pause' })).status).toBe(403)
  const elsewhere = await fetch(`${stack.adminUrl}/apps/${app}`, {
    method: 'POST',
    headers: { cookie: operator.cookieHeader, 'Sec-Fetch-Site': 'cross-site' },
    body: new URLSearchParams({ csrf, action: 'pause' }),
  })
  expect(elsewhere.status).toBe(403)
  const { rows } = await stack.ctx.db.query('SELECT FROM app_controls WHERE app = $1 AND paused', [app])
  expect(rows).toEqual([])
})

test('what is not there is a page that says so', async () => {
  for (const path of ['/nothing', '/apps/nothing', `/calls/${made}`, '/calls/nonsense', '/assets/nothing.css']) {
    const answer = await operator.get(path)
    expect([answer.status, answer.headers.get('content-type')], path).toEqual([404, 'text/html; charset=utf-8'])
  }
  expect((await operator.post('/log', {})).status).toBe(405)
  expect((await fetch(`${stack.adminUrl}/operator`, { redirect: 'manual' })).headers.get('location')).toBe('/')
  expect((await fetch(`${stack.adminUrl}/assets/style.css`)).status).toBe(200)
})

test('the overview says what the engine has not taken, and what is to be done daily and was not', async () => {
  const said = [/has not taken the pause or the rates of crm for more/, /Old calls were last emptied 1 day 6 hours ago/]
  const { db } = stack.ctx
  for (const words of said) expect(await textOf('/')).not.toMatch(words)
  await db.query(`UPDATE chores SET done_at = clock_timestamp() - interval '30 hours' WHERE name = 'purge'`)
  await db.query(
    `INSERT INTO app_controls (app, pacing_due_since) VALUES ('crm', clock_timestamp() - interval '2 minutes')
     ON CONFLICT (app) DO UPDATE SET pacing_due_since = excluded.pacing_due_since`,
  )
  for (const words of said) expect(await textOf('/')).toMatch(words)
  expect(await textOf('/')).not.toContain('Apps were last asked')
  expect((await askAsOperator(stack, 'POST', '/backups', {})).body).toEqual({ noted: true })
  expect(await textOf('/')).not.toContain('A backup was')
  await db.query(`UPDATE chores SET done_at = clock_timestamp() - interval '29 hours' WHERE name = 'backup'`)
  expect(await textOf('/')).toContain('A backup was last noted 1 day 5 hours ago, and should be once a day.')
  await db.query('UPDATE chores SET done_at = clock_timestamp()')
  await db.query(`UPDATE app_controls SET pacing_due_since = NULL WHERE app = 'crm'`)
})

test('the overview shows every app, what is held in its queue, and what needs a look', async () => {
  const unknown = await waitsUnknown()
  await setAppPaused(stack.ctx, app, true, 'operator:ann')
  try {
    const waiting = await Promise.all(
      [1, 2, 3].map((limit) => user.call('list_listings', { limit }, { Prefer: 'wait=0' })),
    )
    await expect.poll(() => textOf('/')).toMatch(/data-label="Queue">3</)
    const page = await textOf('/')
    for (const { slug } of stack.ctx.apps.all) expect(page).toContain(`href="/apps/${slug}"`)
    expect(page).toContain('ended unknown')
    expect(page).toContain('The engine and the database answer.')
    expect(await textOf('/calls?look=unresolved')).toContain(unknown)
    const held = await textOf(`/calls/${String(waiting[0]?.body['call_id'])}`)
    expect(held).toContain(`An operator has paused ${app}.`)
  } finally {
    await setAppPaused(stack.ctx, app, false, 'operator:ann')
  }
})

test('a call that runs for long without a known reason is stuck; one that waits for something is not', async () => {
  await setEndpointPaused(stack.ctx, { app, endpoint: 'list_listings', paused: true }, 'operator:ann')
  const { body } = await user.call('list_listings', { limit: 1 }, { Prefer: 'wait=0' })
  const id = String(body['call_id'])
  await stack.ctx.db.query(`UPDATE calls SET created_at = now() - interval '11 minutes' WHERE id = $1`, [id])
  expect(await textOf('/calls?look=stuck')).not.toContain(id)
  await stack.stopWorker()
  try {
    await setEndpointPaused(stack.ctx, { app, endpoint: 'list_listings', paused: false }, 'operator:ann')
    expect(await textOf('/calls?look=stuck')).toContain(id)
    expect(await textOf('/')).toContain('for more than ten minutes without a known reason')
    await expect
      .poll(() => textOf(`/calls/${id}`))
      .toMatch(/It has waited for its turn for \d+ minutes: \d sends? in|No worker asks/)
  } finally {
    await stack.startWorker()
  }
  expect(await user.record(id, 20)).toMatchObject({ status: 'executed' })
})

describe('the page of an app', () => {
  const path = `/apps/${app}`

  test('pauses and resumes it and each of its endpoints, under the name of who did', async () => {
    expect(await send(path, { action: 'pause' })).toContain('The app is paused')
    await expect.poll(() => queueRates(stack.ctx)).toMatchObject({ perApp: 0 })
    expect(await send(path, { action: 'resume' })).toContain('The app is resumed')
    expect(await send(path, { action: 'pause-endpoint', endpoint: 'list_listings' })).toContain(
      'The endpoint is paused',
    )
    const { body } = await user.call('list_listings', { limit: 1 }, { Prefer: 'wait=0' })
    expect(await textOf(`/calls/${String(body['call_id'])}`)).toContain(`An operator has paused ${app}.list_listings.`)
    expect(await textOf('/')).toContain('1 endpoint paused')
    expect(await send(path, { action: 'resume-endpoint', endpoint: 'list_listings' })).toContain('is resumed')
    expect(await user.record(body['call_id'], 20)).toMatchObject({ status: 'executed' })
    const log = await textOf('/log')
    expect(log).toContain('endpoint.paused')
    expect(log).toContain('operator:ann')
  })

  test('sets rates, gives them back, and keeps what was typed when it is none', async () => {
    expect(await send(path, { action: 'rates', app_rate: '12.5', account_rate: '' })).toContain('value="12.5"')
    await expect.poll(() => queueRates(stack.ctx)).toEqual({ perApp: 12.5, perAccount: 2 })
    expect(await send(path, { action: 'rates', app_rate: '', account_rate: '' })).toMatch(
      /The rates are in effect|It takes effect when/,
    )
    await expect.poll(() => queueRates(stack.ctx)).toEqual({ perApp: 20, perAccount: 2 })
    for (const wrong of ['0', '-1', '1,5', 'many', '1001', '1e3', 'Infinity']) {
      const csrf = hidden(await textOf(path), 'csrf')
      const answer = await operator.post(path, { csrf, action: 'rates', app_rate: wrong, account_rate: '3' })
      const page = await answer.text()
      expect([answer.status, page], wrong).toEqual([422, expect.stringContaining(`value="${wrong}"`)])
      expect(page).toContain('value="3"')
      expect(page.match(/A number above 0/g)).toHaveLength(1)
    }
    await expect.poll(() => queueRates(stack.ctx)).toEqual({ perApp: 20, perAccount: 2 })
  })

  test('shows a block with its step of the ladder, and lifts it', async () => {
    await stack.sandbox.fault('block', { times: 4, path: '/api/threads' })
    await user.call('list_contacts')
    const page = await textOf(path)
    expect(page).toContain(user.account.id)
    expect(page).toMatch(/step of 1 minute/)
    const form = { action: 'lift', account: user.account.id, endpoint: 'list_contacts' }
    expect(await send(path, form)).toContain('The block is lifted')
    expect(await send(path, form)).toContain('over already')
    expect((await user.call('list_contacts')).status).toBe(200)
  })

  test('does nothing that it does not know', async () => {
    const csrf = hidden(await textOf(path), 'csrf')
    for (const form of [{}, { action: 'drop' }, { action: 'pause-endpoint', endpoint: 'nothing' }])
      expect((await operator.post(path, { csrf, ...form })).status).toBe(422)
  })
})

describe('the page of a call', () => {
  test('tells what is known without what it says, and leads to its run and back', async () => {
    const contact = await firstContact(user)
    const asked = await user.call('reply_to_contact', { contact_id: contact, message: 'A secret text' })
    const id = String(asked.body['call_id'])
    const page = await textOf(`/calls/${id}`)
    for (const told of ['Nobody has decided yet.', user.email, user.account.id, '3 credits set aside'])
      expect(page).toContain(told)
    for (const secret of ['A secret text', contact]) expect(page).not.toContain(secret)
    const { temporalUiUrl, temporalNamespace, adminUrl } = stack.ctx.config
    expect(page).toContain(`href="${temporalUiUrl}/namespaces/${temporalNamespace}/workflows/${id}"`)
    const run = await stack.ctx.temporal.workflow.getHandle(id).describe()
    expect(await run.staticDetails()).toContain(`(${adminUrl}/calls/${id})`)
    for (const query of [`call_id=%20${id}`, `owner=${user.email}`, `app=${app}&owner=${user.id}`])
      expect(await textOf(`/calls?${query}`), query).toContain(`href="/calls/${id}"`)
    expect(await textOf(`/calls?owner=${user.email}&status=executed&app=${app}`)).not.toContain(`href="/calls/${id}"`)
  })

  test('records once what became of one that ended unknown', async () => {
    const id = await waitsUnknown()
    const path = `/calls/${id}`
    expect(await send(path, { action: 'did-not-happen' })).toContain('Recorded. The status stays.')
    expect(await send(path, { action: 'happened' })).toContain('Nothing was done')
    expect(await user.record(id)).toMatchObject({ resolution: { happened: false, by: 'operator:ann' } })
    const page = await textOf(path)
    expect(page).toContain('call.resolved by operator:ann')
    expect(page).not.toContain('Did it happen in the app?')
  })

  test('ends one that was not sent, with a reason, and offers that no more afterwards', async () => {
    const asked = await user.call('reply_to_contact', { contact_id: await firstContact(user), message: 'Not sent' })
    const path = `/calls/${String(asked.body['call_id'])}`
    const csrf = hidden(await textOf(path), 'csrf')
    expect((await operator.post(path, { csrf, action: 'cancel', reason: 'x' })).status).toBe(422)
    const form = { action: 'cancel', reason: 'Asked for <b>twice</b>.' }
    const page = await send(path, form)
    for (const told of ['Nothing was sent; its owner sees that', 'Asked for &lt;b>twice&lt;/b>.'])
      expect(page).toContain(told)
    expect(page).not.toContain('Cancel this call')
    expect(await send(path, form)).toContain('Nothing was done: its sending has begun')
  })

  test('says which rule an answer broke, as do the page of its app, the metrics and the log; nobody else hears of it', async () => {
    await stack.sandbox.fault('garbage')
    const asked = await user.call('list_listings', { limit: 1 })
    expect([asked.status, asked.body['error']]).toEqual([502, 'app_changed'])
    const id = String(asked.body['request_id'])
    const rule = 'json expected, 200 came with text/html'
    const page = await textOf(`/calls/${id}`)
    expect([page, page.includes(rule)]).toEqual([expect.stringContaining('Not understood'), true])
    const listed = await textOf(`/apps/${app}`)
    expect(listed.slice(listed.indexOf('Answers that were not understood'))).toMatch(
      new RegExp(`href="/calls/${id}"[^]*list_listings[^]*${rule}`),
    )
    expect(await (await fetch(`${stack.adminUrl}/metrics`)).text()).toContain(
      `callgate_app_changed_of_a_day{app="${app}",endpoint="list_listings"} 1`,
    )
    expect(logged.filter((line) => line.includes(rule)).map((line) => JSON.parse(line) as object)).toMatchObject([
      { call: id, app, endpoint: 'list_listings', rule },
    ])
    const history = await historyText(stack.ctx, id)
    expect(history).toContain(id)
    for (const told of [history, JSON.stringify(asked.body), JSON.stringify(await user.record(id))])
      expect(told).not.toContain('json expected')
  })

  test('refunds once, with a reason; one that is too short is asked for again', async () => {
    const made = await user.call('list_listings', { limit: 1 })
    const path = `/calls/${made.headers.get('x-request-id') ?? ''}`
    const csrf = hidden(await textOf(path), 'csrf')
    const short = await operator.post(path, { csrf, action: 'refund', reason: '"a' })
    expect([short.status, await short.text()]).toEqual([422, expect.stringContaining('value="&quot;a"')])
    const form = { action: 'refund', reason: 'It was <b>wrong</b>.' }
    const refunded = await send(path, form)
    expect(refunded).toContain('Refunded. Its owner sees that')
    expect(refunded).toContain('It was &lt;b>wrong&lt;/b>.')
    expect(await send(path, form)).toContain('was refunded before')
    expect((await user.send('GET', '/usage')).body).toMatchObject({ totals: { refunded: 1 } })
  })
})

describe('a token of their own', () => {
  const asked = (token: string, method: string, route: string, body?: object) =>
    fetch(`${stack.adminUrl}/operator${route}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'X-Operator': 'mallory', 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  const tokenOn = (page: string): string => /cgo_[\w-]{43}/.exec(page)?.[0] ?? ''

  test('ends the shared one, names who acts, and is taken back with all that it opened', async () => {
    const shared = operatorToken(stack.ctx.secrets)
    const add = async (name: string, person: Person): Promise<string> => {
      const csrf = hidden(await textOf('/operators', person), 'csrf')
      return (await person.post('/operators', { csrf, action: 'add', name })).text()
    }
    expect(await add('<b>', operator)).toContain('1 to 60 letters')
    const gina = tokenOn(await add('gina', operator))

    // Who came with the shared token is signed out, and it opens nothing, wherever it is shown.
    expect((await operator.get('/operators')).status).toBe(303)
    const refused = await asked(shared, 'GET', '/log')
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('tokens of their own')])
    const late = await new Person(stack.adminUrl).post('/login', { name: 'ann', token: shared })
    expect([late.status, await late.text()]).toEqual([422, expect.stringContaining('tokens of their own')])

    // The name is the token's, whatever is said beside it.
    const hers = new Person(stack.adminUrl)
    expect((await hers.post('/login', { name: 'mallory', token: gina })).status).toBe(303)
    expect(await textOf('/', hers)).toContain('operator:gina')
    expect(await add('gina', hers)).toContain('taken')
    const made = await asked(gina, 'POST', '/operators', { name: 'hugo' })
    const hugo = tokenOn(await made.text())
    const own = (await (await asked(hugo, 'GET', '/operators')).json()) as { operators: object[] }
    expect(own.operators).toEqual([
      { name: 'gina', created_at: expect.any(String), created_by: 'operator:ann', used_at: expect.any(String) },
      { name: 'hugo', created_at: expect.any(String), created_by: 'operator:gina', used_at: expect.any(String) },
    ])
    expect(JSON.stringify(own)).not.toContain('cgo_')

    // Revoked: the token, and where it had signed in.
    expect((await asked(hugo, 'POST', '/operators/gina/revoke')).status).toBe(200)
    expect((await asked(gina, 'GET', '/log')).status).toBe(403)
    expect((await hers.get('/')).status).toBe(303)
    expect((await asked(hugo, 'POST', '/operators/gina/revoke')).status).toBe(404)
    const log = (await (await asked(hugo, 'GET', '/log?limit=3')).json()) as { log: object[] }
    expect(log.log).toMatchObject([
      { actor: 'operator:hugo', action: 'operator.revoked', detail: { name: 'gina' } },
      { actor: 'operator:gina', action: 'operator.added', detail: { name: 'hugo' } },
      { actor: 'operator:ann', action: 'operator.added', detail: { name: 'gina' } },
    ])

    // With the last one gone, the shared one opens again.
    expect((await asked(hugo, 'POST', '/operators/hugo/revoke')).status).toBe(200)
    expect((await asked(shared, 'GET', '/log')).status).toBe(200)
    expect(await textOf('/operators')).toContain('Nobody has a token of their own')
  })
})
