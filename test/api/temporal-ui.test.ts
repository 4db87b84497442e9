import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operatorToken } from '../../core/operators/credentials.ts'
import { createTemporalUi } from '../../api/temporal-ui/server.ts'
import { freePort } from '../../local-services/dev-server.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { desk, openPage, shoot, startBrowser } from '../support/chromium.ts'
import { firstContact } from '../support/contacts.ts'
import { startFoundation } from '../support/foundation.ts'
import type { Foundation } from '../support/foundation.ts'
import { listen } from '../support/listen.ts'
import { Person } from '../support/person.ts'
import type { TestUser } from '../support/user.ts'

let foundation: Foundation
let stack: Stack
let user: TestUser
let ui: string
/** Of runs in the UI's API. */
let runs: string
beforeAll(async () => {
  foundation = await startFoundation({ ui: true })
  const port = await freePort()
  const settings = { TEMPORAL_UI_UPSTREAM: foundation.temporalUi ?? '', TEMPORAL_UI_PORT: String(port) }
  stack = await startStack({ foundation, settings })
  ui = `http://127.0.0.1:${port}`
  runs = `/api/v1/namespaces/${foundation.namespace}/workflows`
  user = await stack.user()
})
afterAll(() => stack.stop())

interface Told {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** What the UI's port tells a request that is sent just so. */
async function ask(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  { at = ui, body = '' } = {},
): Promise<Told> {
  const { hostname, port } = new URL(at)
  const asked = request({ host: hostname, port, method, path, headers }).end(body)
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) }
}

interface IdleRun {
  readonly id: string
  /** In the UI's API. */
  readonly path: string
  readonly isRunning: () => Promise<boolean>
  readonly isAskedToEnd: () => Promise<boolean>
}

/** A run that nobody works on and that is no call, so that nothing else ends it. */
async function idleRun(): Promise<IdleRun> {
  const id = `idle-${await freePort()}`
  const handle = await stack.ctx.temporal.workflow.start('nothing', { workflowId: id, taskQueue: 'nobody' })
  return {
    id,
    path: `${runs}/${id}`,
    isRunning: async () => (await handle.describe()).status.name === 'RUNNING',
    isAskedToEnd: async () => {
      const { events } = await handle.fetchHistory()
      return events?.some((event) => event.workflowExecutionCancelRequestedEventAttributes != null) === true
    },
  }
}

/** An operator's browser, as it would talk to the UI: with its cookie, and with the UI's own CSRF token. */
async function operatorHeaders(): Promise<{ readonly person: Person; readonly headers: Record<string, string> }> {
  const person = new Person(stack.adminUrl)
  await person.post('/login', { name: 'ann', token: operatorToken(stack.ctx.secrets) })
  const csrf = /_csrf=([^;]+)/.exec((await ask('GET', '/')).headers['set-cookie']?.join() ?? '')?.[1] ?? ''
  expect(csrf).not.toBe('')
  return { person, headers: { Cookie: `${person.cookieHeader}; _csrf=${csrf}`, 'X-CSRF-Token': csrf } }
}

test('it answers to no name that somebody may have pointed here', async () => {
  const { path, isRunning } = await idleRun()
  const { headers } = await operatorHeaders()
  for (const host of ['attacker.example', 'attacker.example:8233', '127.0.0.1.attacker.example', '@']) {
    for (const read of ['/', '/api/v1/namespaces', runs])
      expect(await ask('GET', read, { Host: host }), `${host} ${read}`).toMatchObject({
        status: 421,
        body: expect.stringContaining('TEMPORAL_UI_URL'),
      })
    expect((await ask('POST', `${path}/terminate`, { ...headers, Host: host })).status, host).toBe(421)
  }
  for (const host of ['127.0.0.1', '[::1]:8233', 'localhost:8233', 'ui.localhost', new URL(ui).host])
    expect((await ask('GET', runs, { Host: host })).status, host).toBe(200)
  expect((await ask('GET', `http://attacker.example${runs}`)).status).toBe(421)
  expect(await isRunning()).toBe(true)
})

test('a stranger reads everything: pages, runs, a history, and what a run knows of itself', async () => {
  const { body } = await user.call('reply_to_contact', { contact_id: await firstContact(user), message: 'Hello' })
  const id = String(body['call_id'])
  const page = await ask('GET', '/')
  expect(page).toMatchObject({ status: 200, body: expect.stringContaining('<!doctype html>') })
  expect(page.headers).toMatchObject({
    'content-security-policy': "frame-ancestors 'none'",
    'x-frame-options': 'DENY',
    'cross-origin-resource-policy': 'same-origin',
  })
  expect((await ask('GET', `${runs}/${id}`)).body).toContain('"WORKFLOW_EXECUTION_STATUS_RUNNING"')
  expect((await ask('GET', `${runs}/${id}/history`)).body).toContain('EVENT_TYPE_WORKFLOW_EXECUTION_STARTED')
  const csrf = /_csrf=([^;]+)/.exec(page.headers['set-cookie']?.join() ?? '')?.[1] ?? ''
  const token = { Cookie: `_csrf=${csrf}`, 'X-CSRF-Token': csrf, Origin: ui, 'Content-Type': 'application/json' }
  const asked = await ask('POST', `${runs}/${id}/query/view`, token, { body: '{}' })
  expect(asked).toMatchObject({ status: 200, body: expect.stringContaining('queryResult') })
  // The UI shows a run's details, which may be anybody's text, in a frame of its own.
  const details = await ask('GET', '/render?content=Hello&theme=light')
  expect(details.headers).toMatchObject({
    'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'self'/),
    'x-frame-options': 'SAMEORIGIN',
  })
  expect((await ask('GET', '/', { Accept: 'text/html', Connection: 'Upgrade', Upgrade: 'websocket' })).status).toBe(200)
})

test('a stranger changes nothing, however it is asked for, and is told where to sign in', async () => {
  const { path, isRunning } = await idleRun()
  const namespace = `/api/v1/namespaces/${foundation.namespace}`
  const form = { 'Content-Type': 'application/x-www-form-urlencoded', 'X-HTTP-Method-Override': 'POST' }
  const tries: readonly (readonly [string, string, Record<string, string>?])[] = [
    ...['terminate', 'cancel', 'reset', 'signal/nudge', 'pause', 'update/x', 'update-options'].map(
      (action) => ['POST', `${path}/${action}`] as const,
    ),
    ['POST', `${runs}/new-one`],
    ['POST', `${runs}/one/signal-with-start/nudge`],
    ['DELETE', path],
    ['POST', `${namespace}/batch-operations/all`],
    ['POST', `${namespace}/schedules/callgate-housekeeping`],
    ['POST', `${namespace}/schedules/callgate-housekeeping/patch`],
    ['DELETE', `${namespace}/schedules/callgate-housekeeping`],
    ['POST', `${namespace}/update`],
    ['POST', `${namespace}/task-queues/app.crm/update-config`],
    ['POST', '/api/v1/namespaces'],
    ['PUT', `${namespace}/schedules/callgate-housekeeping`],
    ['PATCH', path],
    ['PROPFIND', path],
    ['POST', `${path}/terminate?/query/view`],
    ['POST', `${path}/query/view/../../terminate`],
    ['POST', `${path}/terminate/query/`],
    ['POST', `${path}/terminate`, { Cookie: `callgate-operator=${'A'.repeat(43)}` }],
    ['POST', `${path}/terminate`, { Authorization: `Bearer ${user.key}` }],
    ['POST', `${path}/terminate`, form],
  ]
  for (const [method, target, headers] of tries) {
    const told = await ask(method, target, headers)
    expect([told.status, JSON.parse(told.body)], `${method} ${target}`).toEqual([
      403,
      { code: 7, message: expect.stringMatching(/read-only.*sign in as an operator at http:\S+\/login/), details: [] },
    ])
  }
  // What looks like a read to us is none of the engine's changes either.
  for (const [method, target, headers] of [
    ['GET', `${path}/terminate`, { 'X-HTTP-Method-Override': 'POST' }],
    ['POST', `${path}/query/..%2f..%2fterminate`],
    ['POST', `${path}/query/view`, form],
    ['OPTIONS', `${path}/terminate`],
  ] as const)
    expect((await ask(method, target, headers)).status, target).toBeGreaterThanOrEqual(400)
  expect(await isRunning()).toBe(true)
})

test('a signed-in operator changes runs, under their name in the log; no other page does in their browser', async () => {
  const { path, isRunning } = await idleRun()
  const { person, headers } = await operatorHeaders()
  for (const other of [
    { Origin: 'http://127.0.0.1:8090' },
    { Origin: 'http://attacker.example' },
    { Origin: 'null' },
    { Origin: ui, 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'cross-site' },
  ]) {
    const told = await ask('POST', `${path}/terminate`, { ...headers, ...other }, { body: '{}' })
    expect([told.status, told.body], JSON.stringify(other)).toEqual([403, expect.stringContaining('Another page')])
  }
  expect((await ask('POST', `${path}/query/view`, { Origin: 'http://attacker.example' })).status).toBe(403)
  expect(await isRunning()).toBe(true)
  const own = { ...headers, Origin: ui, 'Sec-Fetch-Site': 'same-origin' }
  expect((await ask('POST', `${path}/terminate`, own, { body: '{}' })).status).toBe(200)
  expect(await isRunning()).toBe(false)
  const log = await (await person.get('/log')).text()
  expect(log).toContain('temporal-ui.request')
  expect(log).toContain(`${path}/terminate`)
  expect((await ask('POST', `${path}/reset`, own, { body: `"${'x'.repeat(5 * 1024 * 1024)}"` })).status).toBe(413)

  const overview = await (await person.get('/')).text()
  expect(overview).toMatch(/Temporal UI.*read-only/s)
  await person.post('/logout', { csrf: /name="csrf" value="([^"]+)"/.exec(overview)?.[1] ?? '' })
  const again = await idleRun()
  expect((await ask('POST', `${again.path}/terminate`, own, { body: '{}' })).status).toBe(403)
  expect(await again.isRunning()).toBe(true)
})

test('the UI behind it gets neither the operator’s cookie nor what is meant for one connection, and cannot plant a cookie', async () => {
  const seen: IncomingMessage[] = []
  const behind = createServer((request_: IncomingMessage, response: ServerResponse) => {
    seen.push(request_)
    const planted = 'callgate-operator=planted; Path=/'
    response.setHeader('Set-Cookie', request_.url === '/planted' ? planted : ['_csrf=abc; Path=/', planted])
    response.setHeader('Access-Control-Allow-Origin', '*')
    if (request_.url === '/cut') response.write('Half', () => response.destroy())
    else response.end('Whole')
  })
  const upstream = `http://127.0.0.1:${await listen(behind)}`
  const said: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void said.push(line) })
  const guard = createTemporalUi({ ...stack.ctx, log }, upstream)
  const at = `http://127.0.0.1:${await listen(guard.server)}`
  try {
    const cookie = `callgate-operator=${'A'.repeat(43)}; _csrf=abc; callgate-session=b`
    const told = await ask('GET', '/x?y=%2F', { Cookie: cookie, 'Keep-Alive': '5', Authorization: 'Bearer x' }, { at })
    expect(told).toMatchObject({ status: 200, body: 'Whole', headers: { 'set-cookie': ['_csrf=abc; Path=/'] } })
    expect(told.headers).not.toHaveProperty('access-control-allow-origin')
    expect((await ask('GET', '/planted', {}, { at })).headers).not.toHaveProperty('set-cookie')
    expect(seen[0]?.url).toBe('/x?y=%2F')
    expect(seen[0]?.headers).toEqual({ cookie: '_csrf=abc', host: new URL(upstream).host, connection: 'keep-alive' })
    expect(said).toEqual([])
    await expect(ask('GET', '/cut', {}, { at })).rejects.toThrow('aborted')
    await expect.poll(() => said).toEqual([expect.stringContaining('a response was not sent')])
  } finally {
    await guard.close()
    behind.closeAllConnections()
    behind.close()
  }
})

test('no other port of the engine answers to a foreign name, and its UI is where nobody guesses', async () => {
  const places = listeningAt(foundation.enginePid())
  const hidden = new URL(foundation.temporalUi ?? '')
  expect(places).toContain(hidden.host)
  expect(hidden.hostname).toMatch(/^127\.(?!0\.0\.1$)/)
  const { path, isRunning } = await idleRun()
  for (const place of places.filter((found) => found !== hidden.host)) {
    const at = `http://${place}`
    const told = await ask('POST', `${path}/terminate`, { Host: 'attacker.example' }, { at, body: '{}' }).catch(
      () => null,
    )
    expect(told?.status ?? 403, place).toBeGreaterThanOrEqual(400)
  }
  expect(await isRunning()).toBe(true)
})

test('in a browser the real UI shows runs and a history, refuses a stranger, and obeys who signs in at the admin port', async () => {
  const running = await startBrowser()
  try {
    const made = await user.call('list_listings', { limit: 1 })
    const id = made.headers.get('x-request-id') ?? ''
    const { page } = await openPage(running.browser, desk)
    const refused: string[] = []
    page.on('response', (answer) => {
      if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.request().method()}`)
    })
    await page.goto(`${ui}/namespaces/${foundation.namespace}/workflows`)
    const run = page.getByRole('link', { name: id, exact: true }).first()
    await run.waitFor()
    await shoot(page, 'temporal-ui-runs')
    await run.click()
    await page.getByText('Event History').first().click()
    await page.getByText('Workflow Execution Completed').first().waitFor()
    await shoot(page, 'temporal-ui-run')
    expect(refused).toEqual([])

    const idle = await idleRun()
    const cancel = async (): Promise<void> => {
      await page.goto(`${ui}/namespaces/${foundation.namespace}/workflows/${idle.id}`)
      await page.getByRole('button', { name: 'Request Cancellation' }).click()
      await page.getByRole('button', { name: 'Confirm' }).click()
    }
    await cancel()
    await page.getByText('sign in as an operator').first().waitFor()
    await shoot(page, 'temporal-ui-stranger')
    expect(refused).toEqual(['403 POST'])
    await page.goto(`${stack.adminUrl}/login`)
    await page.getByLabel('Your name').fill('ann')
    await page.getByLabel('Operator token').fill(operatorToken(stack.ctx.secrets))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('in it from this browser').waitFor()
    await shoot(page, 'temporal-ui-overview')
    await cancel()
    await expect.poll(idle.isAskedToEnd).toBe(true)
    expect(refused).toEqual(['403 POST'])
  } finally {
    await running.close()
  }
})

test('while the engine is away it says so, and serves again when it is back', async () => {
  await foundation.killEngine()
  expect(await ask('GET', '/')).toMatchObject({
    status: 503,
    headers: { 'retry-after': '2' },
    body: expect.stringContaining('the engine is starting, or away'),
  })
  await foundation.startEngine()
  await expect.poll(async () => (await ask('GET', runs)).status).toBe(200)
})

/** Places (`host:port`) where a process listens. Source: proc(5). */
function listeningAt(pid: number): string[] {
  const open = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap(
      (fd) => /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [],
    ),
  )
  const listening = '0A'
  return readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/)
      if (state !== listening || !open.has(inode)) return []
      const [address = '', port = ''] = local.split(':')
      const host = [...Buffer.from(address, 'hex')].toReversed().join('.')
      return [`${host === '0.0.0.0' ? '127.0.0.1' : host}:${Number.parseInt(port, 16)}`]
    })
}
