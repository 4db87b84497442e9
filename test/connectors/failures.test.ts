import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Failure } from '../../connectors/kit/failures.ts'
import { loadApps } from '../../connectors/registry.ts'
import { read } from '../../connectors/runtime/answer.ts'
import { apps } from '../../sandbox/apps.ts'
import { startSandbox } from '../../sandbox/server.ts'
import type { Sandbox } from '../../sandbox/server.ts'

/** What each app's rules make of what the running app answers to scripts, of a page, and to a form. */

let sandbox: Sandbox
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'failures-test-'))
  sandbox = await startSandbox({ port: 0, host: '127.0.0.1', dataDir })
})
afterAll(async () => {
  await sandbox.close()
  await rm(dataDir, { recursive: true, force: true })
})

const situations = [
  ['block', { kind: 'blocked' }, ['json', 'page', 'form']],
  ['captcha', { kind: 'captcha' }, ['json', 'page', 'form']],
  ['mfa', { kind: 'mfa' }, ['json', 'page', 'form']],
  ['rate_limit', { kind: 'rate_limited', retryAfterMs: expect.any(Number) }, ['json', 'form']],
  ['error', { kind: 'app_error', status: 500 }, ['json', 'form']],
] as const

describe.each(apps)('$slug', (app) => {
  const control = (method: string, at: string, body?: unknown): Promise<Response> =>
    fetch(`${sandbox.url}/_sandbox/${app.slug}/${at}`, { method, ...(body ? { body: JSON.stringify(body) } : {}) })
  const route = (answers: string, action: boolean, method: string) =>
    app.routes.find((one) => one.answers === answers && one.action === action && one.method === method && !one.open)
  const json = route('json', true, 'GET') ?? route('json', true, 'POST') ?? expect.unreachable('no JSON route')
  const form = route('page', true, 'POST') ?? expect.unreachable('no form')
  let cookie = ''
  let csrf = ''

  async function told(at: string, init: RequestInit = {}): Promise<Failure | undefined> {
    const root = `${sandbox.url}/${app.slug}/`
    const url = new URL(`.${at.replaceAll(/\{\w+\}/g, '1')}`, root)
    const headers = { cookie, ...(init.headers as Record<string, string>) }
    const response = await fetch(url, { redirect: 'manual', ...init, headers })
    const raw = { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
    const answer = read({ ...raw, setCookies: [] }, url, root)
    const [endpoint] = loadApps({ sandboxUrl: sandbox.url }).get(app.slug)!.endpoints.values()
    return endpoint!.failure(answer)
  }
  const script = (more = '', token = csrf) =>
    json.method === 'GET'
      ? told(json.path + more)
      : told(json.path, {
          method: 'POST',
          headers: { [app.csrf.header]: token, 'content-type': 'application/json' },
          body: '{}',
        })
  const submit = (token = csrf) =>
    told(form.path, { method: 'POST', body: new URLSearchParams({ [app.csrf.field]: token }) })
  const ask = { json: () => script(), page: () => told(app.paths.home), form: () => submit() }

  async function signIn(): Promise<void> {
    const answer = await control('POST', 'accounts', { kind: app.kinds[0], count: 1 })
    const { accounts } = (await answer.json()) as {
      accounts: { session: { cookies: { name: string; value: string }[] } }[]
    }
    const session = accounts[0]?.session.cookies[0]
    cookie = `${session?.name}=${session?.value}`
    const home = await (await fetch(`${sandbox.url}/${app.slug}${app.paths.home}`, { headers: { cookie } })).text()
    csrf = new RegExp(`name="${app.csrf.field}" value="([^"]+)"`).exec(home)?.[1] ?? expect.unreachable('no token')
  }
  beforeAll(signIn)

  test.each(situations)('%s is told, by whatever way it is met', async (kind, failure, ways) => {
    for (const way of ways) {
      await control('POST', 'faults', { kind })
      expect(await ask[way](), way).toEqual(failure)
      await control('DELETE', 'faults')
    }
  })

  test('how long to wait is told in seconds or as a date', async () => {
    await control('POST', 'faults', { kind: 'rate_limit', retry_after: 7 })
    const failure = await submit()
    await control('DELETE', 'faults')
    const wait = failure?.kind === 'rate_limited' ? failure.retryAfterMs : 0
    expect([wait > 4000, wait <= 8000]).toEqual([true, true])
  })

  test('refusals are told by the codes of the app, in one spelling', async () => {
    const refused = (appCode: unknown) => ({
      kind: 'rejected',
      appCode,
      appMessage: expect.stringMatching(/./),
    })
    expect(await told('/no/such/page')).toEqual(refused('PAGE_NOT_FOUND'))
    expect(await submit()).toEqual(refused(expect.stringMatching(/^[A-Z]+(?:_[A-Z]+)+$/)))
    expect(await submit('x')).toEqual(refused('TOKEN_INVALID'))
    const writes = app.routes.filter((one) => one.answers === 'json' && one.method !== 'GET' && !one.open)
    for (const { method, path: at } of writes.slice(0, 3)) {
      const headers = { [app.csrf.header]: csrf, 'content-type': 'application/json' }
      const body = '{"nonsense":1}'
      expect(await told(at, { method, headers, body })).toEqual(refused(expect.stringMatching(/^[A-Z]+(?:_[A-Z]+)+$/)))
      expect(await told(at, { method, headers: { ...headers, [app.csrf.header]: 'x' }, body })).toEqual(
        refused('TOKEN_INVALID'),
      )
    }
  })

  test('what works is no failure', async () => {
    expect(await told(app.paths.home)).toBeUndefined()
    const free = route('json', false, 'GET')
    if (free && !free.path.includes('{')) expect(await told(free.path)).toBeUndefined()
  })

  test('the end of the session is told, by whatever way it is met', async () => {
    cookie = 'none=1'
    for (const one of Object.values(ask)) expect(await one()).toEqual({ kind: 'auth_expired' })
    await signIn()
  })
})
