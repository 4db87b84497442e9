import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hidden } from '../../scripts/browsing.ts'
import { callRecord, openInput } from '../../core/calls/record.ts'
import { findCall } from '../../core/calls/rows.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import { askFor, makeOwner, startTestSite, statusOf } from './site.ts'
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

let count = 0
async function waitingCall(more: Readonly<Record<string, unknown>> = {}) {
  const input = { subject: `Letter ${++count}`, recipients: ['m_1', 'm_2'], body: 'Come all!', ...more }
  const id = await askFor(site.ctx, owner, input)
  return { id, input, path: `/confirm/${id}`, form: await formOf(id) }
}

async function formOf(id: string) {
  const { text } = await visitor.get(`/confirm/${id}`)
  return { csrf: hidden(text, 'csrf'), approval_hash: hidden(text, 'approval_hash') }
}

async function rowOf(id: string): Promise<CallRow> {
  const row = await findCall(site.ctx.db, owner.id, id)
  if (row === undefined) throw new Error('no such call')
  return row
}

const saidBy = async (id: string) => openInput(site.ctx, await rowOf(id))
const changeTo = (input: object) => ({ decision: 'change', input: JSON.stringify(input) })

/** What a browser sends of the fields, with some of them typed over. */
async function fieldsOf(path: string, typed: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const { text } = await visitor.get(path)
  const form = text.slice(text.indexOf('aria-label="Change the fields"'))
  const said: Record<string, string> = {}
  for (const [tag, name = ''] of form.matchAll(/<input[^>]*name="(in\.[^"]+)"[^>]*>/g))
    said[name] = / value="([^"]*)"/.exec(tag)?.[1] ?? ''
  for (const [, name = '', value = ''] of form.matchAll(/<textarea[^>]*name="(in\.[^"]+)"[^>]*>\n?([^<]*)</g))
    said[name] = value.replaceAll('&quot;', '"')
  return { decision: 'change', by: 'fields', ...said, ...typed }
}

describe('a changed call', () => {
  test('shows old and new under another hash, and what is approved then is the new', async () => {
    const { id, input, path, form } = await waitingCall()
    const answer = await visitor.post(path, { ...form, ...changeTo({ ...input, body: 'Come on Friday!' }) })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, path])
    const page = (await visitor.get(path)).text
    expect(page).toContain('You changed what the agent asked for')
    expect(page).toMatch(/Come all!.*You changed it to.*Come on Friday!/s)
    expect(hidden(page, 'approval_hash')).not.toBe(form.approval_hash)
    expect(await statusOf(site.ctx, id)).toBe('awaiting_confirmation')
    expect(await callRecord(site.ctx, await rowOf(id))).not.toHaveProperty('decision')

    const decided = await visitor.post(path, {
      ...(await formOf(id)),
      decision: 'approve',
      reason: '  A day is needed. ',
    })
    expect(decided.status).toBe(303)
    const row = await rowOf(id)
    expect(await callRecord(site.ctx, row)).toMatchObject({
      status: 'running',
      decision: { by: 'owner', decision: 'approved', reason: 'A day is needed.', changed: ['$.body'] },
    })
    expect(openInput(site.ctx, row)).toEqual({ ...input, body: 'Come on Friday!' })
    for (const shown of [path, `/calls/${id}`])
      expect((await visitor.get(shown)).text).toMatch(/Your reason:.*A day is needed\..*Come all!.*Come on Friday!/s)
    const { rows } = await site.ctx.db.query('SELECT detail FROM audit_log WHERE actor = $1 AND action = $2', [
      owner.id,
      'call.changed',
    ])
    expect(rows).toEqual([{ detail: { call: id, changed: ['$.body'] } }])
  })

  test('is the call that the agent asked for once it is changed back', async () => {
    const { id, input, path, form } = await waitingCall()
    await visitor.post(path, { ...form, ...changeTo({ ...input, body: 'Other' }) })
    expect(await rowOf(id)).toMatchObject({ changed: ['$.body'], revision: 1 })
    await visitor.post(path, { ...(await formOf(id)), ...changeTo(input) })
    expect(await rowOf(id)).toMatchObject({ changed: null, original: null, revision: 2 })
    expect((await visitor.get(path)).text).not.toContain('You changed what the agent asked for')
  })

  test('that says the same is no change', async () => {
    const { id, input, path, form } = await waitingCall()
    const answer = await visitor.post(path, {
      ...form,
      ...changeTo(Object.fromEntries(Object.entries(input).toReversed())),
    })
    expect([answer.status, (await rowOf(id)).revision]).toEqual([303, 0])
  })

  test('is still the one that an equal call of the agent finds', async () => {
    const { id, input, path, form } = await waitingCall()
    await visitor.post(path, { ...form, ...changeTo({ ...input, body: 'Other' }) })
    expect(await askFor(site.ctx, owner, input)).toBe(id)
    expect(await askFor(site.ctx, owner, { ...input, body: 'Other' })).not.toBe(id)
  })
})

test('fields are changed down to the last level, and what nobody touched stays byte for byte', async () => {
  const options = { price: 650, attachments: [{ name: 'agenda.pdf', pages: 3 }] }
  const { id, input, path, form } = await waitingCall({ body: 'Dear all,\r\n\r\ncome!', options })
  const typed = { 'in.options.price': '700', 'in.options.attachments.0.pages': '4' }
  const answer = await visitor.post(path, { ...form, ...(await fieldsOf(path, typed)) })
  expect(answer.status).toBe(303)
  expect(await saidBy(id)).toEqual({
    ...input,
    options: { price: 700, attachments: [{ name: 'agenda.pdf', pages: 4 }] },
  })
  expect((await rowOf(id)).changed).toEqual(['$.options.price', '$.options.attachments[0].pages'])
  const { text } = await visitor.get(path)
  expect(text).toMatch(/Options · Postage.*6\.50 EUR.*7\.00 EUR.*Options · Attachments 1 · Pages/s)
})

test.each([
  ['no JSON', '{"subject": ', 'cannot be read'],
  ['no object', '[]', 'must be an object'],
  ['a wrong field', '{"subject":"Kept <b>text</b>","recipients":[],"body":"x"}', 'recipients'],
  ['a key that nobody takes', '{"__proto__":{"a":"Kept <b>text</b>"}}', '__proto__'],
])('%s is 422, changes nothing and keeps what was written', async (_what, input, problem) => {
  const { id, path, form } = await waitingCall()
  const answer = await visitor.post(path, { ...form, decision: 'change', input })
  expect(answer.status).toBe(422)
  expect(answer.text).toContain('Nothing was changed')
  expect(answer.text).toContain(problem)
  const kept = input.replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  expect(answer.text).toContain(`${kept}</textarea>`)
  expect((await rowOf(id)).revision).toBe(0)
})

test('a field that is not valid is 422 beside what was typed', async () => {
  const { id, path, form } = await waitingCall()
  const typed = { 'in.subject': 'S'.repeat(201), 'in.send_at': 'on Friday' }
  const answer = await visitor.post(path, { ...form, ...(await fieldsOf(path, typed)) })
  expect(answer.status).toBe(422)
  expect(answer.text).toContain('S'.repeat(201))
  expect(answer.text).toContain('value="on Friday"')
  expect(answer.text.match(/class="problem"/g)).toHaveLength(2)
  expect((await rowOf(id)).revision).toBe(0)
})

describe('of two tabs', () => {
  test('one that approves what the other has changed decides nothing', async () => {
    const { id, input, path, form } = await waitingCall()
    await visitor.post(path, { ...form, ...changeTo({ ...input, body: 'Other' }) })
    const late = await visitor.post(path, { ...form, decision: 'approve', reason: 'Kept words' })
    expect(late.status).toBe(409)
    expect(late.text).toContain('Kept words</textarea>')
    expect(await statusOf(site.ctx, id)).toBe('awaiting_confirmation')
  })

  test('one that changes what the other has approved changes nothing', async () => {
    const { id, input, path, form } = await waitingCall()
    await visitor.post(path, { ...form, decision: 'approve' })
    expect((await visitor.post(path, { ...form, ...changeTo({ ...input, body: 'Other' }) })).status).toBe(409)
    expect([await statusOf(site.ctx, id), await saidBy(id)]).toEqual(['running', input])
  })

  test('at once exactly one wins, and nothing is approved that it did not show', async () => {
    for (let round = 0; round < 6; round++) {
      const { id, input, path, form } = await waitingCall()
      const changing = { ...form, ...changeTo({ ...input, body: 'Other' }) }
      const posts = [{ ...form, decision: 'approve' }, changing].map((one) => () => visitor.post(path, one))
      const answers = await Promise.all((round % 2 === 0 ? posts : posts.toReversed()).map((post) => post()))
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 409])
      const approved = (await statusOf(site.ctx, id)) === 'running'
      expect((await saidBy(id))['body']).toBe(approved ? input.body : 'Other')
    }
  })

  test('both change: the second keeps what it typed', async () => {
    const { id, input, path, form } = await waitingCall()
    await visitor.post(path, { ...form, ...changeTo({ ...input, body: 'First' }) })
    const second = await visitor.post(path, { ...form, ...changeTo({ ...input, body: 'Second' }) })
    expect(second.status).toBe(409)
    expect(second.text).toContain('Second')
    expect((await saidBy(id))['body']).toBe('First')
  })
})

describe('what the app tells', () => {
  const tell = async (id: string) => {
    const { sealPayload, placeOf } = await import('../../core/calls/payload.ts')
    const told = {
      things: [{ of: 'a', read: 'get_member', at: 'member', id: 'm_1', values: { name: 'Ann' } }],
      omitted: 0,
    }
    const preview = sealPayload(site.ctx.secrets, placeOf(await rowOf(id)), 'preview', told)
    await site.ctx.db.query('UPDATE calls SET preview = $2, revision = revision + 1 WHERE id = $1', [id, preview])
  }

  test('after the page was shown does not undo the click, and is not approved', async () => {
    const { id, path, form } = await waitingCall()
    await tell(id)
    expect((await visitor.post(path, { ...form, decision: 'approve' })).status).toBe(303)
    const row = await rowOf(id)
    expect([row.status, row.preview]).toEqual(['running', null])
    const { proofMatches } = await import('../../core/approvals/approval.ts')
    expect(proofMatches(site.ctx, row, owner.id, row.approval_proof ?? '')).toBe(true)
  })

  test('before it was shown is approved with it', async () => {
    const { id, path } = await waitingCall()
    await tell(id)
    expect((await visitor.post(path, { ...(await formOf(id)), decision: 'approve' })).status).toBe(303)
    expect((await rowOf(id)).preview).not.toBeNull()
  })

  test('before its request is there leaves only Reject', async () => {
    const { id, path, form: rendered } = await waitingCall()
    await site.ctx.db.query('UPDATE calls SET request = NULL WHERE id = $1', [id])
    const { text } = await visitor.get(path)
    expect(text).not.toContain('value="approve"')
    expect(text).not.toContain('value="change"')
    expect(text).not.toContain('approval_hash')
    const { csrf } = rendered
    for (const form of [rendered, { csrf }])
      expect((await visitor.post(path, { ...form, decision: 'approve' })).status).toBe(409)
    const { path: another } = await waitingCall()
    expect((await visitor.post(another, { csrf, decision: 'reject' })).status).toBe(409)
    expect((await visitor.post(path, { csrf, decision: 'reject' })).status).toBe(303)
  })

  test('wanting a sign-in is said in the record and on the page, which leads there', async () => {
    const { id, path } = await waitingCall()
    await site.ctx.db.query(`UPDATE calls SET request = NULL, waiting_for = 'reconnect' WHERE id = $1`, [id])
    const record = await callRecord(site.ctx, await rowOf(id))
    const connect_url = `${site.ctx.config.publicUrl}/connect/letters?account=${owner.account}`
    expect(record).toMatchObject({ status: 'awaiting_confirmation', waiting_for: 'reconnect', connect_url })
    expect(record.confirm_url).toBe(`${site.ctx.config.publicUrl}${path}`)
    expect((await visitor.get(path)).text).toContain('You are signed out of Letters')
  })
})

test('a call that is over, or whose time is, is not changed', async () => {
  const { id, input, path, form } = await waitingCall()
  await site.ctx.db.query(`UPDATE calls SET expires_at = now() - interval '1 second' WHERE id = $1`, [id])
  const changing = changeTo({ ...input, body: 'Other' })
  expect((await visitor.post(path, { ...form, ...changing })).status).toBe(409)
  const rejected = await waitingCall()
  await visitor.post(rejected.path, { ...rejected.form, decision: 'reject' })
  expect((await visitor.post(rejected.path, { ...rejected.form, ...changing })).status).toBe(409)
  expect([await saidBy(id), await saidBy(rejected.id)]).toEqual([input, rejected.input])
})

test('somebody else and a key change nothing', async () => {
  const { id, input, path, form } = await waitingCall()
  const changing = { ...form, ...changeTo({ ...input, body: 'Other' }) }
  const stranger = await visitorOf(site, await makeOwner(site.ctx))
  expect((await stranger.post(path, changing)).status).toBe(404)
  const program = new Visitor(site)
  const withKey = await program.post(path, changing, { Authorization: `Bearer ${owner.key}` })
  expect(withKey.status).toBe(403)
  expect((await visitor.post(path, { ...changing, csrf: 'x' })).status).toBe(403)
  expect((await rowOf(id)).revision).toBe(0)
})

describe('a reason', () => {
  test('with markup is shown as text', async () => {
    const { id, path, form } = await waitingCall()
    const reason = '<script>alert(1)</script>\n\u202Eevil'
    await visitor.post(path, { ...form, decision: 'reject', reason })
    expect((await callRecord(site.ctx, await rowOf(id))).decision).toMatchObject({ decision: 'rejected', reason })
    for (const shown of [path, `/calls/${id}`]) {
      const { text } = await visitor.get(shown)
      expect(text).toContain('&lt;script>alert(1)')
      expect(text).toContain('U+202E')
      expect(text).not.toMatch(/<script>|\u202E/)
    }
  })

  test('of more than 500 characters is 422, and kept', async () => {
    const { id, path, form } = await waitingCall()
    const reason = `${'é'.repeat(499)}😀`
    const answer = await visitor.post(path, { ...form, decision: 'reject', reason: `${reason}!` })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain(`${reason}!</textarea>`)
    expect(answer.text).toContain('this has 501 characters')
    expect(await statusOf(site.ctx, id)).toBe('awaiting_confirmation')
    expect((await visitor.post(path, { ...form, decision: 'reject', reason })).status).toBe(303)
  })

  test('that is empty is none', async () => {
    const { id, path, form } = await waitingCall()
    await visitor.post(path, { ...form, decision: 'approve', reason: ' \r\n ' })
    expect((await callRecord(site.ctx, await rowOf(id))).decision).toEqual({
      by: 'owner',
      at: expect.any(String),
      decision: 'approved',
    })
  })
})
