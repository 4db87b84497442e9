import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { operatorToken } from '../../core/operators/credentials.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { balancedLedger } from '../support/ledger.ts'
import { askAsOperator } from '../support/operator.ts'
import type { Told } from '../support/operator.ts'
import type { TestUser } from '../support/user.ts'

const app = 'property-advertising'
let stack: Stack
let user: TestUser
beforeAll(async () => {
  stack = await startStack()
})
beforeEach(async () => {
  user = await stack.user()
})
afterAll(() => stack.stop())

const operator = (method: string, route: string, body?: unknown, headers?: Record<string, string>): Promise<Told> =>
  askAsOperator(stack, method, route, body, headers)

test('only the operator token opens these routes, and what is wrong is said', async () => {
  for (const authorization of ['', 'Bearer wrong', `Bearer ${user.key}`])
    expect((await operator('GET', '/apps', undefined, { Authorization: authorization })).status).toBe(403)
  expect((await operator('GET', '/nothing')).status).toBe(404)
  for (const [method, path, allow] of [
    ['DELETE', '/operator/apps', 'GET, HEAD'],
    ['GET', `/operator/apps/${app}`, 'POST'],
    ['POST', '/metrics', 'GET, HEAD'],
    ['PUT', '/login', 'GET, HEAD, POST'],
  ] as const) {
    const headers = { Authorization: `Bearer ${operatorToken(stack.ctx.secrets)}` }
    const refused = await fetch(`${stack.adminUrl}${path}`, { method, headers })
    expect([path, refused.status, refused.headers.get('allow')]).toEqual([path, 405, allow])
  }
  expect((await operator('POST', '/apps/nothing', { paused: true })).body['error']).toBe('unknown_app')
  expect((await operator('POST', `/apps/${app}`, '{')).body['error']).toBe('invalid_json')
  for (const wrong of [{ paused: 'yes' }, { app_rate: 0 }, { app_rate: -1 }, { colour: 'red' }])
    expect((await operator('POST', `/apps/${app}`, wrong)).body['error'], JSON.stringify(wrong)).toBe('invalid_input')
  expect((await operator('POST', `/apps/${app}?paused=true`, {})).body['error']).toBe('invalid_input')
  const typed = await operator('POST', `/apps/${app}`, '{"paused":true}', { 'Content-Type': 'text/plain' })
  expect([typed.status, typed.body['error']]).toEqual([415, 'unsupported_media_type'])
  expect(typed.body['request_id']).toMatch(/^req_/)
  for (const wrong of ['?status=lost', '?limit=0', '?limit=501', '?colour=red', '?stuck=perhaps', '?app=a&app=b'])
    expect((await operator('GET', `/calls${wrong}`)).body['error'], wrong).toBe('invalid_input')
  expect((await operator('GET', '/calls/call_0123456789ABCDEFGHJKMNPQRS')).body['error']).toBe('unknown_call')
  const health = await fetch(`${stack.adminUrl}/healthz`)
  expect(health.status).toBe(200)
})

test('a paused app takes calls, which wait and go on when it is resumed', async () => {
  expect((await operator('POST', `/apps/${app}`, { paused: true })).body).toMatchObject({ app, paused: true })
  try {
    const waiting = await user.call('list_listings', { limit: 1 }, { Prefer: 'wait=1' })
    expect([waiting.status, waiting.body['status']]).toEqual([202, 'running'])
    const held = await operator('GET', `/calls?waiting_for=operator&owner=${user.email}`)
    expect(held.body['calls']).toMatchObject([
      { call_id: waiting.body['call_id'], waiting_for: 'operator', email: user.email },
    ])
    expect((await operator('GET', '/apps')).body['apps']).toContainEqual(
      expect.objectContaining({ app, paused: true, running: expect.any(Number) }),
    )
    await operator('POST', `/apps/${app}`, { paused: false })
    expect(await user.record(waiting.body['call_id'], 20)).toMatchObject({ status: 'executed' })
  } finally {
    await operator('POST', `/apps/${app}`, { paused: false })
  }
})

test('rates are set and given back to the connector', async () => {
  const set = await operator('POST', `/apps/${app}`, { app_rate: 50, account_rate: 5 })
  expect(set.body).toMatchObject({ app_rate: 50, account_rate: 5, paused: false })
  const half = await operator('POST', `/apps/${app}`, { app_rate: null })
  expect(half.body).toMatchObject({ app_rate: null, account_rate: 5 })
  const back = await operator('POST', `/apps/${app}`, { account_rate: null })
  expect(back.body).toMatchObject({ app_rate: null, account_rate: null })
})

test('a block is seen, and lifted', async () => {
  await stack.sandbox.fault('block', { times: 4 })
  expect((await user.call('list_contacts')).body).toMatchObject({ error: 'TARGET_BLOCKED' })
  const { body } = await operator('GET', '/pauses')
  const mine = (body['pauses'] as { account: string; endpoint: string; email: string }[]).filter(
    ({ email }) => email === user.email,
  )
  expect(mine).toMatchObject([{ app, endpoint: 'list_contacts', account: user.account.id }])
  await operator('POST', `/pauses/${user.account.id}/list_contacts/lift`)
  expect((await user.call('list_contacts')).status).toBe(200)
})

describe('a call', () => {
  test('is found by id, owner, app and status, without what it says', async () => {
    const asked = await user.call('reply_to_contact', {
      contact_id: await firstContact(user),
      message: 'A secret text',
    })
    const id = asked.body['call_id']
    for (const query of [
      `call_id=${String(id)}`,
      `owner=${user.id}&status=awaiting_confirmation`,
      `owner=${user.email.toUpperCase()}&app=${app}`,
    ]) {
      const { body } = await operator('GET', `/calls?${query}`)
      expect(
        (body['calls'] as { call_id: string }[]).map(({ call_id }) => call_id),
        query,
      ).toContain(id)
      expect(JSON.stringify(body)).not.toContain('A secret text')
    }
    expect((await operator('GET', `/calls/${String(id)}`)).body).toMatchObject({
      call_id: id,
      status: 'awaiting_confirmation',
    })
  })

  test('that was not sent is ended with a reason, which is logged and its owner sees; one that was sent is not', async () => {
    const contact = await firstContact(user)
    const asked = await user.call('reply_to_contact', { contact_id: contact, message: 'Better not' })
    const id = String(asked.body['call_id'])
    const sent = (await user.call('list_listings', { limit: 1 })).headers.get('x-request-id')
    expect((await operator('POST', `/calls/${id}/cancel`, {})).body['error']).toBe('invalid_input')
    const reason = { reason: 'The owner asked us to.' }
    expect((await operator('POST', `/calls/${id}/cancel`, reason)).body).toMatchObject({ status: 'cancelled' })
    for (const over of [id, sent]) {
      const again = await operator('POST', `/calls/${over}/cancel`, reason)
      expect([again.status, again.body['error']]).toEqual([409, 'not_cancellable'])
    }
    const { body } = await operator('GET', '/log?limit=5')
    const detail = { owner: user.id, call: id, ...reason }
    expect((body['log'] as object[])[0]).toMatchObject({ actor: 'operator:ann', action: 'call.cancelled', detail })
    expect(await user.record(id)).toMatchObject({ status: 'cancelled', credits_used: 0 })
    const page = await (await (await user.person()).get('/account')).text()
    for (const told of ['Cancelled a call', reason.reason]) expect(page).toContain(told)
    await stack.ctx.temporal.workflow.getHandle(id).result()
    expect((await balancedLedger(stack.ctx, user.id)).reserved).toBe(0)
  })

  test('that used credits is refunded once, with a reason that its owner sees', async () => {
    const made = await user.call('list_listings', { limit: 1 })
    const id = made.headers.get('x-request-id') ?? ''
    expect((await operator('POST', `/calls/${id}/refund`, {})).body['error']).toBe('invalid_input')
    const refund = { reason: 'The listing was wrong.' }
    expect((await operator('POST', `/calls/${id}/refund`, refund)).body).toEqual({ call_id: id, refunded: 1 })
    expect((await operator('POST', `/calls/${id}/refund`, refund)).body).toEqual({ call_id: id, refunded: 0 })
    expect(await balancedLedger(stack.ctx, user.id)).toEqual({ captured: 1, reserved: 0 })
    const usage = await user.send('GET', '/usage')
    expect(usage.body).toMatchObject({ totals: { refunded: 1, used: 1 } })
    expect((usage.body['entries'] as object[])[0]).toMatchObject({
      kind: 'refund',
      note: 'The listing was wrong.',
      call_id: id,
    })
    const page = await (await (await user.person()).get('/account')).text()
    expect(page).toContain('operator:ann')
    expect(page).toContain('Refunded a call')
  })

  test('that ended unknown is recorded by an operator, once', async () => {
    const { listings } = (await user.call('list_listings', { limit: 1 })).body as { listings: { listing_id: string }[] }
    await stack.sandbox.fault('garbage')
    const asked = await user.call('deactivate_listing', { listing_id: listings[0]?.listing_id })
    await stack.sandbox.clearFaults()
    const id = String(asked.body['call_id'])
    expect(asked.body['status']).toBe('unknown')
    expect((await operator('POST', `/calls/${id}/resolve`, {})).body['error']).toBe('invalid_input')
    const resolved = await operator('POST', `/calls/${id}/resolve`, { happened: true })
    expect(resolved.body['resolution']).toMatchObject({ happened: true, by: 'operator:ann' })
    expect((await operator('POST', `/calls/${id}/resolve`, { happened: false })).status).toBe(400)
    expect(await user.record(id)).toMatchObject({
      status: 'unknown',
      resolution: { happened: true, by: 'operator:ann', at: expect.stringMatching(/^20\d\d-.*\.\d{3}Z$/) },
    })
    const { body } = await operator('GET', '/log?limit=5')
    expect((body['log'] as object[])[0]).toMatchObject({ actor: 'operator:ann', action: 'call.resolved' })
  })
})

function admin(...args: string[]): Promise<{ code: number; text: string }> {
  const env = {
    ...process.env,
    CALLGATE_ADMIN_URL: stack.adminUrl,
    CALLGATE_OPERATOR_TOKEN: operatorToken(stack.ctx.secrets),
  }
  const script = path.join(import.meta.dirname, '../../scripts/admin.ts')
  return promisify(execFile)(process.execPath, [script, ...args], { env }).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      text: error.stdout + error.stderr,
    }),
  )
}

test('the command does the same from a shell', async () => {
  expect((await admin('help')).text).toContain('refund <call id>')
  const gone = await admin('cancel', 'call_0123456789ABCDEFGHJKMNPQRS', '--reason', 'Not there')
  expect(gone.text).toContain('unknown_call')
  expect((await admin('nothing')).code).toBe(2)
  expect(JSON.parse((await admin('apps')).text)).toMatchObject({
    apps: expect.arrayContaining([expect.objectContaining({ app })]),
  })
  expect((await admin('calls', '--owner', user.email)).text).toContain('"calls": []')
  const wrong = await admin('rates', app, '--app-rate', 'many')
  expect([wrong.code, wrong.text]).toEqual([1, expect.stringContaining('invalid_input')])
  expect((await admin('apps', '--token', 'wrong')).code).toBe(1)
  expect((await admin('apps', '--url', 'http://127.0.0.1:9')).code).toBe(6)
})

test('the command pauses and resumes one endpoint, and finds what needs a look', async () => {
  expect((await admin('calls', '--owner', user.email, '--stuck', '--unresolved')).text).toContain('"calls": []')
  const pausedEndpoints = async (...args: string[]) =>
    (JSON.parse((await admin(...args)).text) as { paused_endpoints: string[] }).paused_endpoints
  expect(await pausedEndpoints('pause', `${app}.list_demands`)).toEqual(['list_demands'])
  expect(await pausedEndpoints('resume', `${app}.list_demands`)).toEqual([])
  const unknown = await admin('pause', `${app}.nothing-such`)
  expect([unknown.code, unknown.text]).toEqual([1, expect.stringContaining('list_demands')])
})
