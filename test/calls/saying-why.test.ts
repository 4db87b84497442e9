import { afterAll, beforeAll, expect, test } from 'vitest'
import { purge } from '../../core/sweep/purge.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { columns } from '../../core/calls/payload.ts'
import type { Answer, TestUser } from '../support/user.ts'
import { hidden } from '../../scripts/browsing.ts'
import { Agent } from '../mcp/agent.ts'
import { followsTasks } from '../mcp/asking.ts'
import { post, send, send2025 } from '../mcp/raw.ts'
import type { Wire } from '../mcp/raw.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack.stop())

const header = 'X-Callgate-Reason'

async function asks(user: TestUser, message: string, headers: Record<string, string> = {}): Promise<Answer> {
  return user.call('reply_to_contact', { contact_id: await firstContact(user), message }, headers)
}

const effectsOf = async (user: TestUser) => {
  const effects = await stack.sandbox.effects(user.account.seeded.account)
  return effects.map(({ body }) => JSON.stringify(body))
}

test('what the person changed is what is sent, and the agent reads what they changed and why', async () => {
  const user = await stack.user()
  const asked = await asks(user, 'For 100 euros')
  const callId = String(asked.body['call_id'])
  const person = await user.person()
  const input = JSON.stringify({ contact_id: await firstContact(user), message: 'For 120 euros' })
  const path = `/confirm/${callId}`
  const form = await person.confirmForm(callId)
  expect((await person.post(path, { ...form, decision: 'change', input })).status).toBe(303)
  expect(await user.record(callId)).toMatchObject({ status: 'awaiting_confirmation' })
  expect(await user.record(callId)).not.toHaveProperty('decision')
  expect((await person.post(path, { ...form, decision: 'approve' })).status).toBe(409)
  const approval = { ...(await person.confirmForm(callId)), decision: 'approve', reason: 'Prices went up.' }
  expect((await person.post(path, approval)).status).toBe(303)
  expect(await user.record(callId, 20)).toMatchObject({
    status: 'executed',
    decision: { by: 'owner', decision: 'approved', reason: 'Prices went up.', changed: ['$.message'] },
  })
  const effects = await effectsOf(user)
  expect(effects).toEqual([expect.stringContaining('For 120 euros')])
  expect(await toldInMcp(user, callId)).toMatchObject({
    content: [
      {},
      { text: expect.stringContaining('before the person approved, they changed what was sent, at ["$.message"]') },
    ],
    _meta: { 'callgate/changed': ['$.message'] },
  })
})

test('an agent that waits for a tool is told that the person rejected, and why', async () => {
  const user = await stack.user()
  const callId = String((await asks(user, 'For 100 euros')).body['call_id'])
  const person = await user.person()
  const rejection = { ...(await person.confirmForm(callId)), decision: 'reject', reason: 'Ask Ann first.' }
  expect((await person.post(`/confirm/${callId}`, rejection)).status).toBe(303)
  expect(await toldInMcp(user, callId)).toMatchObject({
    structuredContent: {
      status: 'rejected',
      decision: { by: 'owner', decision: 'rejected', reason: 'Ask Ann first.' },
    },
  })
})

/** The result of the tool that made the call, as a client has it that follows tasks. */
async function toldInMcp(user: TestUser, taskId: string): Promise<unknown> {
  const asked = { method: 'tasks/get', params: { taskId }, capabilities: followsTasks }
  const { result } = await send(`${stack.publicUrl}/mcp`, user.key, asked)
  return result['result']
}

test('what the agent says is quoted to the person, and goes nowhere else', async () => {
  const user = await stack.user()
  const why = 'Ann asked for it: “bitte <b>heute</b>”, 50 %'
  const asked = await asks(user, 'Gladly', { [header]: encodeURIComponent(`${why}\n`) })
  expect(asked.status).toBe(202)
  const callId = String(asked.body['call_id'])
  const replayed = await asks(user, 'Gladly', { [header]: 'Something else' })
  expect([replayed.body['call_id'], replayed.headers.get('idempotent-replayed')]).toEqual([callId, 'true'])
  const person = await user.person()
  const quoted = 'The agent says: <q><bdi>Ann asked for it: “bitte &lt;b>heute&lt;/b>”, 50 %</bdi></q>'
  for (const page of [`/confirm/${callId}`, '/waiting', `/calls/${callId}`])
    expect(await (await person.get(page)).text()).toContain(quoted)
  await user.approve(callId)
  expect(await user.record(callId, 20)).toMatchObject({ status: 'executed' })
  expect((await effectsOf(user)).join('')).not.toContain('Ann')
})

test('another reason under the same Idempotency-Key is the same request', async () => {
  const user = await stack.user()
  const first = await asks(user, 'Once', { 'Idempotency-Key': 'why', [header]: 'One' })
  const second = await asks(user, 'Once', { 'Idempotency-Key': 'why', [header]: 'Two' })
  expect([second.status, second.body['call_id']]).toEqual([202, first.body['call_id']])
})

test.each([
  ['501 characters', 'x'.repeat(501), 'at most 500 characters'],
  ['half an escape', '50%', 'percent-encoded'],
  ['escapes that are no UTF-8', '%FF', 'percent-encoded'],
  ['bytes that are no ASCII', 'für', 'percent-encoded'],
])('a reason of %s is 400, and nothing is asked', async (_what, why, told) => {
  const user = await stack.user()
  const refused = await asks(user, 'Never', { [header]: why })
  expect([refused.status, refused.body['error']]).toEqual([400, 'invalid_input'])
  expect(refused.body['details']).toEqual([{ path: header, message: expect.stringContaining(told) }])
  expect((await user.send('GET', '/calls?status=awaiting_confirmation')).body['calls']).toEqual([])
})

test('500 characters fit, whatever they are made of, and control characters fall out', async () => {
  const user = await stack.user()
  const why = '😀'.repeat(500)
  const asked = await asks(user, 'Smile', { [header]: encodeURIComponent(`\u0007${why}\u0000`) })
  expect(asked.status).toBe(202)
  const page = await (await user.person()).get(`/confirm/${String(asked.body['call_id'])}`)
  expect(await page.text()).toContain(`<q><bdi>${why}</bdi></q>`)
})

test('an agent says it in MCP as an argument', async () => {
  const user = await stack.user()
  const agent = await Agent.connect(stack.publicUrl, user.key)
  const input = { contact_id: await firstContact(user), message: 'From a tool' }
  const action = { app: 'property-advertising', action: 'reply_to_contact', input, reason: 'As you asked me to' }
  const { body } = await agent.use('write_action', action)
  const page = await (await user.person()).get(`/confirm/${String(body['call_id'])}`)
  const text = await page.text()
  expect(text).toContain('The agent says: <q><bdi>As you asked me to</bdi></q>')
  expect(text).toContain('The program calls itself: <q><bdi>test-agent 1.0.0</bdi></q>')
  const refused = await agent.use('write_action', { ...action, reason: 'x'.repeat(501) })
  expect(refused.body).toMatchObject({ error: 'invalid_input', details: [{ path: 'reason' }] })
  await agent.close()
})

test('a program that says who it is is quoted, in whatever way it asks, and what it says is not approved', async () => {
  const user = await stack.user()
  const contact_id = await firstContact(user)
  const person = await user.person()
  const pageOf = async (callId: unknown) => (await person.get(`/confirm/${String(callId)}`)).text()
  const asked = await asks(user, 'By HTTP', { 'User-Agent': 'curl/8.5.0 <b>' })
  const first = await pageOf(asked.body['call_id'])
  expect(first).toContain('The program calls itself: <q><bdi>curl/8.5.0 &lt;b></bdi></q>')
  const again = await asks(user, 'By HTTP', { 'User-Agent': 'another' })
  expect(again.body['call_id']).toBe(asked.body['call_id'])
  expect(hidden(await pageOf(again.body['call_id']), 'approval_hash')).toBe(hidden(first, 'approval_hash'))
  const name = 'write_action'
  const args = (message: string) => ({
    name,
    arguments: { app: 'property-advertising', action: 'reply_to_contact', input: { contact_id, message }, wait: 0 },
  })
  const modern = await send(`${stack.publicUrl}/mcp`, user.key, { method: 'tools/call', params: args('In 2026') })
  expect(await pageOf(callIdIn(modern))).toContain('The program calls itself: <q><bdi>raw 1</bdi></q>')
  // Clients of 2025 say it once, and come back with the id that they were given.
  const clientInfo = { name: 'Ann’s agent\u202e', version: '2' }
  const said = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  const begun = await send2025(`${stack.publicUrl}/mcp`, user.key, 'initialize', said)
  const session = { 'Mcp-Session-Id': begun.headers.get('Mcp-Session-Id') ?? '' }
  expect(session['Mcp-Session-Id']).toMatch(/^[\x21-\x7e]+$/)
  const later = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: args('Later in 2025') })
  const back = await post(`${stack.publicUrl}/mcp`, later, { Authorization: `Bearer ${user.key}`, ...session })
  expect(await pageOf(callIdIn(back))).toContain('The program calls itself: <q><bdi>Ann’s agent 2</bdi></q>')
  // A session of 2025 without a name: then the User-Agent counts.
  const made = { 'Mcp-Session-Id': 'x~', 'User-Agent': 'agent/1' }
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: args('In 2025') })
  const legacy = await post(`${stack.publicUrl}/mcp`, text, { Authorization: `Bearer ${user.key}`, ...made })
  expect(await pageOf(callIdIn(legacy))).toContain('The program calls itself: <q><bdi>agent/1</bdi></q>')
})

const callIdIn = ({ result }: Wire): unknown => (result['structuredContent'] as Record<string, unknown>)['call_id']

test('all that was said of an old call is forgotten, of earlier rounds too', async () => {
  const user = await stack.user()
  const asked = await asks(user, 'Forget me', { [header]: 'Why not' })
  const callId = String(asked.body['call_id'])
  const person = await user.person()
  await person.post(`/confirm/${callId}`, { ...(await person.confirmForm(callId)), decision: 'reject', reason: 'No' })
  const { db } = stack.ctx
  await db.query(
    `UPDATE calls SET original = input, preview = input, look_up = input, output = input, error = input,
       updated_at = now() - interval '31 days', created_at = now() - interval '31 days' WHERE id = $1`,
    [callId],
  )
  await db.query(
    `INSERT INTO rounds (call_id, round, decided_by, decided_at, request, preview) SELECT id, 1, owner, now(), input, input FROM calls WHERE id = $1`,
    [callId],
  )
  const keptOf = async () => {
    const kept = [...columns, 'client'].map((column) => `(${column} IS NOT NULL)::integer`).join(' + ')
    const { rows } = await db.query<{ kept: number; rounds: number }>(
      `SELECT ${kept} AS kept, (SELECT count(request) + count(preview) FROM rounds WHERE call_id = $1)::integer AS rounds
       FROM calls WHERE id = $1`,
      [callId],
    )
    return rows[0]
  }
  expect(await keptOf()).toEqual({ kept: columns.length + 1, rounds: 2 })
  await purge(stack.ctx)
  expect(await keptOf()).toEqual({ kept: 0, rounds: 0 })
  expect(await user.record(callId)).toMatchObject({ status: 'rejected', decision: { decision: 'rejected' } })
  expect((await person.get(`/confirm/${callId}`)).status).toBe(200)
})
