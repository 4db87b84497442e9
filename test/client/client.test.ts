import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, test } from 'vitest'
import type { CallRecord as Served } from '../../core/calls/record.ts'
import { addressOf } from '../../client/address.ts'
import { Callgate, CallEndedError, CallgateError, OptionError } from '../../client/index.ts'
import type { CallRecord, ErrorCode as ClientCode } from '../../client/index.ts'
import { errorCatalog } from '../../core/http/error-catalog.ts'
import type { ErrorCode as ServedCode } from '../../schemas/errors.ts'
import { builtInApps, generatedFiles } from '../../scripts/client/generate.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { listen } from '../support/listen.ts'
import type { TestUser } from '../support/user.ts'

let stack: Stack
let user: TestUser
let callgate: Callgate
beforeAll(async () => {
  stack = await startStack()
})
beforeEach(async () => {
  user = await stack.user()
  callgate = new Callgate({ apiKey: user.key, baseUrl: stack.url })
})
afterAll(() => stack.stop())

const failure = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

async function rejectBecause(callId: string, reason: string): Promise<void> {
  const person = await user.person()
  await person.post(`/confirm/${callId}`, { ...(await person.confirmForm(callId)), decision: 'reject', reason })
}

async function contact(): Promise<string> {
  const { contacts } = await callgate.run('property-advertising.list_contacts', {})
  return contacts[0]!.contact_id
}

test('its types are those of the registry', async () => {
  const folder = path.join(import.meta.dirname, '../../client')
  const files = generatedFiles(builtInApps())
  for (const [name, text] of files) expect(await readFile(path.join(folder, name), 'utf8'), name).toBe(text)
  const apps = [...files.keys()].filter((name) => name.startsWith('endpoints/')).map((name) => path.basename(name))
  expect((await readdir(path.join(folder, 'endpoints'))).toSorted()).toEqual(apps.toSorted())
})

describe('a call', () => {
  test('of a read gives its output, with what it used', async () => {
    const call = await callgate.call('property-advertising.list_listings', { limit: 2 })
    expect(call).toMatchObject({ status: 'executed', creditsUsed: 1, callId: expect.stringMatching(/^call_/) })
    if (call.status === 'executed') expect(call.output.listings.length).toBe(2)
  })

  test('that the person approves is waited for, and told where to approve', async () => {
    const asked: string[] = []
    const sent = callgate.run(
      'property-advertising.reply_to_contact',
      { contact_id: await contact(), message: 'Yes, it is.' },
      {
        onConfirm: (url, callId) => {
          asked.push(url)
          void user.approve(callId)
        },
      },
    )
    expect((await sent).message_id).not.toBe('')
    expect(asked).toEqual([expect.stringContaining(`${stack.publicUrl}/confirm/call_`)])
  })

  test('that the person rejects, or that is taken back, ends as an error that says so', async () => {
    const input = { contact_id: await contact(), message: 'No?' }
    const rejected = await failure(
      callgate.run('property-advertising.reply_to_contact', input, {
        onConfirm: (_url, callId) => void rejectBecause(callId, 'Ask Ann first.'),
      }),
    )
    expect(rejected).toBeInstanceOf(CallEndedError)
    expect(rejected).toMatchObject({ status: 'rejected', reason: 'Ask Ann first.' })
    expect((rejected as CallEndedError).message).toContain('Reason: Ask Ann first.')
    const cancelled = await failure(
      callgate.run('property-advertising.reply_to_contact', input, {
        onConfirm: (_url, callId) => void callgate.cancel(callId),
      }),
    )
    expect(cancelled).toMatchObject({ name: 'CallEndedError', status: 'cancelled' })
  })

  test('carries metadata, which is listed by, and says which fields a refusal has', async () => {
    const metadata = { run: 'Łódź 😀' }
    await callgate.run('property-advertising.list_listings', { limit: 1 }, { metadata })
    const { calls } = await callgate.listCalls({ metadata })
    expect(calls.map((one) => one.metadata)).toEqual([metadata])
    const refused = await failure(callgate.run('property-advertising.list_listings', { limit: 1000 }))
    if (!(refused instanceof CallgateError) || !refused.is('invalid_input')) throw refused
    expect(refused.body.details.map(({ path }) => path)).toEqual(['limit'])
    expect(refused.is('AUTH_EXPIRED')).toBe(false)
  })

  test('knows every code of the gateway, and each field that an error leads somewhere with', () => {
    const own = ['no_answer', 'unreadable_answer', 'wait_timed_out'] as const
    expectTypeOf<ClientCode>().toEqualTypeOf<ServedCode | (typeof own)[number]>()
    const urls = Object.values(errorCatalog).flatMap(({ fields = {} }) =>
      Object.keys(fields).filter((name) => name.endsWith('_url') && name !== 'docs_url'),
    )
    for (const name of urls) expect(new CallgateError(403, { [name]: 'https://x.example/' }).link, name).toBeDefined()
  })

  test('can be waited for by another program, for a while', async () => {
    const call = await callgate.call('property-advertising.reply_to_contact', {
      contact_id: await contact(),
      message: 'Later',
    })
    expect(call.status).toBe('awaiting_confirmation')
    const other = new Callgate({ apiKey: user.key, baseUrl: stack.url })
    const late = await failure(other.waitForApproval(call.callId, { timeoutMs: 100 }))
    expect(late).toMatchObject({ name: 'CallgateError', code: 'wait_timed_out' })
    expect((await other.listCalls({ status: 'awaiting_confirmation' })).calls.map(({ call_id }) => call_id)).toEqual([
      call.callId,
    ])
    const { expires_at } = await other.getCall(call.callId)
    expect(expires_at).toBe(call.status === 'awaiting_confirmation' && call.expiresAt)
    const waiting = other.waitForApproval(call.callId)
    await user.approve(call.callId)
    expect(await waiting).toMatchObject({ message_id: expect.any(String) })
  })

  test('has the record that the gateway gives, and is listed also where a filter is left open', async () => {
    expectTypeOf<keyof CallRecord>().toEqualTypeOf<keyof Served>()
    await callgate.run('property-advertising.list_listings', { limit: 1 })
    const page = await callgate.listCalls({ status: undefined, app: undefined, limit: 1, cursor: undefined })
    expect(page.calls).toMatchObject([{ app: 'property-advertising', status: 'executed' }])
  })

  test('is waited for as long as its caller says, from the first request on', async () => {
    await stack.sandbox.fault('slow', { ms: 12_000 })
    const began = Date.now()
    const late = await failure(callgate.run('property-advertising.list_listings', { limit: 1 }, { timeoutMs: 1_000 }))
    expect(late).toMatchObject({ name: 'CallgateError', code: 'wait_timed_out' })
    expect(Date.now() - began).toBeLessThan(11_000)
    await stack.sandbox.clearFaults()
  })

  test('with the same key is the same call', async () => {
    const input = {
      listing_id: (await callgate.run('property-advertising.list_listings', { limit: 1 })).listings[0]!.listing_id,
    }
    const options = { idempotencyKey: 'once' }
    const first = await callgate.call('property-advertising.deactivate_listing', input, options)
    const again = await callgate.call('property-advertising.deactivate_listing', input, options)
    expect(again).toEqual(first)
  })

  test('with a misspelt endpoint or field does not compile, nor would it run', async () => {
    // @ts-expect-error There is no such endpoint.
    expect(await failure(callgate.run('property-advertising.get_listng', {}))).toMatchObject({
      code: 'unknown_endpoint',
    })
    // @ts-expect-error There is no such field.
    const field = callgate.run('property-advertising.list_listings', { limt: 1 })
    expect(await failure(field)).toMatchObject({ code: 'invalid_input' })
    // @ts-expect-error An endpoint's output has its own fields only.
    expect((await callgate.run('property-advertising.list_listings', { limit: 1 })).listngs).toBeUndefined()
  })

  test.each([
    [() => callgate.run('property-advertising.get_listing', { listing_id: 'CV-0' }), 'app_rejected', 422],
    [() => callgate.run('property-advertising.list_listings', { limit: 0 }), 'invalid_input', 400],
    [() => callgate.run('crm.list_clients', {}), 'AUTH_REQUIRED', 409],
    [() => callgate.getCall('call_0123456789ABCDEFGHJKMNPQRS'), 'unknown_call', 404],
    [() => new Callgate({ apiKey: 'cg_live_wrong', baseUrl: stack.url }).connections(), 'api_key_invalid', 403],
  ] as const)('that is refused throws an error with its code: %#', async (make, code, status) => {
    const error = await failure(make())
    expect(error).toBeInstanceOf(CallgateError)
    expect(error).toMatchObject({ code, status })
    if (code === 'AUTH_REQUIRED') expect(error).toMatchObject({ link: `${stack.publicUrl}/connect/crm` })
    if (code === 'invalid_input') expect(error).toMatchObject({ body: { details: [{ path: 'limit' }] } })
  })
})

test.each(['', '/', '/api/v1', '/api/v1/', '/mcp', '/mcp/', '/mcp/crm', '/mcp?apps=crm,salon', '#top'])(
  'the address of the gateway may be given as its host and "%s"',
  async (rest) => {
    expect(addressOf(`${stack.publicUrl}${rest}`)).toBe(stack.url)
    expect(addressOf(` https://example.com/behind/a/proxy/api/v1`)).toBe('https://example.com/behind/a/proxy/api/v1')
    expect(() => addressOf(`${stack.publicUrl}/dashboard`)).toThrow(`${stack.publicUrl}/dashboard" is no address`)
    expect(() => addressOf('https://me:secret@example.com')).toThrow('"https://example.com" is no address')
  },
)

test('an address where something else answers is named', async () => {
  const other = new Callgate({ apiKey: user.key, baseUrl: stack.adminUrl })
  const error = await failure(other.connections())
  expect(error).toMatchObject({
    code: 'unreadable_answer',
    message: expect.stringContaining(`${stack.adminUrl}/api/v1 answered 4`),
  })
})

describe('an answer that does not come', () => {
  let server: Server
  let seen: { key: string | undefined; at: number }[]
  let answers: (count: number) => Said | 'hang up'
  interface Said {
    readonly status: number
    readonly headers?: Record<string, string>
    readonly body?: object
    /** What a proxy says in the gateway's place. */
    readonly page?: string
    /** The connection breaks before the end. */
    readonly half?: boolean
  }
  let baseUrl: string
  beforeEach(async () => {
    seen = []
    server = createServer((request, response) => {
      const key = request.headers['idempotency-key']
      seen.push({ key: typeof key === 'string' ? key : undefined, at: Date.now() })
      const answer = answers(seen.length)
      if (answer === 'hang up') return void request.socket.destroy()
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
      const text = answer.page ?? JSON.stringify(answer.body ?? {})
      if (answer.half) response.write(text, () => request.socket.destroy())
      else response.end(text)
    })
    const port = await listen(server)
    baseUrl = `http://127.0.0.1:${port}/api/v1`
    callgate = new Callgate({ apiKey: 'k', baseUrl })
    return () => void server.close()
  })
  const write = () => callgate.call('property-advertising.deactivate_listing', { listing_id: 'CV-1' })

  test('is asked for again, with the same key, so that nothing happens twice', async () => {
    answers = (count) =>
      count < 3 ? 'hang up' : { status: 200, headers: { 'x-request-id': 'call_1' }, body: { ok: 1 } }
    expect(await write()).toMatchObject({ status: 'executed', callId: 'call_1' })
    expect(new Set(seen.map(({ key }) => key)).size).toBe(1)
    expect(seen[0]?.key).toMatch(/^[0-9a-f-]{36}$/)
    expect(seen.length).toBe(3)
  })

  test('is asked for again when only half of it came: half an output is none', async () => {
    const half = { status: 200, headers: { 'content-length': '100' }, body: { ok: 1 }, half: true }
    answers = (count) => (count < 3 ? half : { status: 200, body: { ok: 2 } })
    expect(await write()).toMatchObject({ status: 'executed', output: { ok: 2 } })
    expect(seen.length).toBe(3)
    answers = () => half
    callgate = new Callgate({ apiKey: 'k', baseUrl, retries: 0 })
    expect(await failure(write())).toMatchObject({ code: 'no_answer', status: 0 })
  })

  const badGateway = { status: 502, headers: { 'content-type': 'text/html' }, page: '<h1>Bad Gateway</h1>' }

  test('is asked for again when a proxy answered in its place, but not when the gateway did', async () => {
    answers = (count) => (count < 2 ? badGateway : { status: 200 })
    expect(await write()).toMatchObject({ status: 'executed' })
    expect([seen.length, new Set(seen.map(({ key }) => key)).size]).toEqual([2, 1])
    answers = () => ({ status: 502, body: { error: 'app_error', message: 'No.' } })
    expect(await failure(write())).toMatchObject({ code: 'app_error' })
    answers = () => ({ ...badGateway, status: 500 })
    expect(await failure(write())).toMatchObject({ code: 'unreadable_answer', status: 500 })
    expect(seen.length).toBe(4)
  })

  test('of a call that was accepted is waited for while the gateway is away, as long as its caller waits', async () => {
    callgate = new Callgate({ apiKey: 'k', baseUrl, retries: 0 })
    const record = (status: string, more: object = {}) => ({
      status: 200,
      body: { call_id: 'call_1', status, ...more },
    })
    const away = { status: 503, headers: { 'retry-after': '1' }, body: { error: 'unavailable', message: 'Later.' } }
    const story: readonly (Said | 'hang up')[] = [record('running'), 'hang up', badGateway, away]
    answers = (count) => story[count - 1] ?? record('executed', { output: { ok: 1 } })
    expect(await callgate.waitForApproval('call_1')).toEqual({ ok: 1 })
    expect(seen.length).toBe(5)

    answers = (count) => (count === 6 ? record('running') : 'hang up')
    const began = Date.now()
    expect(await failure(callgate.waitForEnd('call_1', { timeoutMs: 1_500 }))).toMatchObject({ code: 'no_answer' })
    expect(Date.now() - began).toBeGreaterThanOrEqual(1_490)
    expect(seen.length).toBe(9)

    // One that never answered may not be there at all.
    const stranger = new Callgate({ apiKey: 'k', baseUrl, retries: 0 })
    expect(await failure(stranger.waitForEnd('call_1'))).toMatchObject({ code: 'no_answer' })
    expect(seen.length).toBe(10)
  })

  test('is not looked for where the address or a text cannot be used: that is said at once, and the key is not quoted', async () => {
    answers = () => ({ status: 200 })
    for (const address of ['127.0.0.1:8080/api/v1', 'localhost:8080/api/v1', '', 'file:///api/v1'])
      expect(() => new Callgate({ apiKey: 'k', baseUrl: address }), address).toThrow(OptionError)
    const odd = new Callgate({ apiKey: 'cg_live_\u2026secret', baseUrl })
    for (const wrong of [
      odd.connections(),
      callgate.call('property-advertising.list_listings', {}, { account: 'a\nb' }),
      callgate.call('property-advertising.list_listings', {}, { idempotencyKey: '\u{1f511}' }),
    ]) {
      const error = await failure(wrong)
      expect(error).toBeInstanceOf(OptionError)
      expect(error).toMatchObject({ message: expect.not.stringContaining('secret') as string })
    }
    expect(seen).toEqual([])
  })

  test('is an error at last, and another write has another key', async () => {
    answers = () => 'hang up'
    expect(await failure(write())).toMatchObject({ code: 'no_answer', status: 0 })
    expect(seen.length).toBe(4)
    answers = () => ({ status: 200 })
    await write()
    expect(new Set(seen.map(({ key }) => key)).size).toBe(2)
  })

  test('is taken back once: when no answer came, it may have been', async () => {
    answers = () => 'hang up'
    expect(await failure(callgate.cancel('call_1'))).toMatchObject({ code: 'no_answer', status: 0 })
    expect(seen.length).toBe(1)
  })

  test('is waited for as long as the gateway says', async () => {
    const limited = { status: 429, headers: { 'retry-after': '1' }, body: { error: 'rate_limited', message: 'Wait.' } }
    answers = (count) => (count === 1 ? limited : { status: 200 })
    await write()
    expect(seen[1]!.at - seen[0]!.at).toBeGreaterThanOrEqual(990)
    answers = () => ({ ...limited, headers: { 'retry-after': '3600' } })
    expect(await failure(write())).toMatchObject({ code: 'rate_limited', retryAfterMs: 3_600_000 })
    expect(seen.length).toBe(3)
  })

  test('is not looked for elsewhere: neither the key nor the input goes to another address', async () => {
    const elsewhere: string[] = []
    const other = createServer((request, response) => {
      elsewhere.push(request.url ?? '')
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
    const port = await listen(other)
    answers = () => ({ status: 307, headers: { location: `http://127.0.0.1:${port}/taken` } })
    expect(await failure(write())).toMatchObject({ status: 307 })
    expect(await failure(callgate.getCall('call_1'))).toMatchObject({ status: 307 })
    expect([elsewhere, seen.length]).toEqual([[], 2])
    other.close()
  })

  test('ends when its caller no longer waits', async () => {
    answers = () => 'hang up'
    const signal = AbortSignal.timeout(100)
    const error = await failure(callgate.call('property-advertising.list_listings', {}, { signal }))
    expect(error).toMatchObject({ name: 'TimeoutError' })
  })
})
