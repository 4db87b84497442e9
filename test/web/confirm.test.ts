import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { hidden } from '../../scripts/browsing.ts'
import { letters, lettersAs } from './letters.ts'
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
/** A waiting call unlike any other, its page, and what the page's form would post. */
async function waitingCall(input: Readonly<Record<string, unknown>> = {}) {
  const id = await askFor(site.ctx, owner, { subject: `Letter ${++count}`, ...input })
  const path = `/confirm/${id}`
  const { text } = await visitor.get(path)
  return { id, path, text, form: { csrf: hidden(text, 'csrf'), approval_hash: hidden(text, 'approval_hash') } }
}

test('whoever is not signed in is led to the sign-in page and back', async () => {
  const { id, path } = await waitingCall()
  const answer = await new Visitor(site).get(path)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `/login?return_to=%2Fconfirm%2F${id}`])
})

test('whoever was signed out while the page was open is led to the sign-in page and back to it', async () => {
  const { id, path, form } = await waitingCall()
  const nobody = new Visitor(site)
  const post = (Referer: string) => nobody.post(path, { ...form, decision: 'approve' }, { Referer })
  const own = await post(`${site.url}${path}`)
  expect(own.status).toBe(403)
  expect(own.text).toContain(
    `<a class="button primary" href="/login?return_to=${encodeURIComponent(path)}">Sign in and come back</a>`,
  )
  expect((await post(`https://elsewhere.example${path}`)).text).toContain('href="/login?return_to=%2F">')
  expect(await statusOf(site.ctx, id)).toBe('awaiting_confirmation')
})

test('a call of somebody else, a made-up one and a malformed one are 404, for GET and POST', async () => {
  const { id, form } = await waitingCall()
  const stranger = await visitorOf(site, await makeOwner(site.ctx))
  const made = ['call_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'nonsense', '%00', '..%2f..', '%E0%A4%A', "'"]
  for (const path of [`/confirm/${id}`, ...made.map((name) => `/confirm/${name}`)]) {
    expect([path, (await stranger.get(path)).status]).toEqual([path, 404])
    expect([path, (await stranger.post(path, { ...form, decision: 'approve' })).status]).toEqual([path, 404])
  }
  expect(await statusOf(site.ctx, id)).toBe('awaiting_confirmation')
})

test('GET and HEAD show and never decide, whatever the query says', async () => {
  const { id, path, form } = await waitingCall()
  const query = new URLSearchParams({ ...form, decision: 'approve' }).toString()
  for (const method of ['GET', 'HEAD', 'GET']) {
    const page = await visitor.send(method, `${path}?${query}`)
    expect(page.status).toBe(200)
    expect(page.text === '').toBe(method === 'HEAD')
    expect(page.headers.get('cache-control')).toBe('no-store')
  }
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    const answer = await visitor.send(method, `${path}?${query}`)
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  }
  expect(await statusOf(site.ctx, id)).toBe('awaiting_confirmation')
})

test('approving answers 303 back to the page, which says so', async () => {
  const { id, path, form } = await waitingCall()
  const answer = await visitor.post(path, { ...form, decision: 'approve' })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, path])
  expect(await statusOf(site.ctx, id)).toBe('running')
  const page = await visitor.get(path)
  expect(page.text).toContain('Approved by you')
  expect(page.text).toContain('http-equiv="refresh"')
  expect(page.text).not.toContain('approval_hash')
})

test('rejecting sends nothing and gives the credits back', async () => {
  const { id, path, form } = await waitingCall()
  expect((await visitor.post(path, { ...form, decision: 'reject' })).status).toBe(303)
  expect(await statusOf(site.ctx, id)).toBe('rejected')
  expect((await visitor.get(path)).text).toContain('Nothing was sent, and no credits were used.')
})

test('the second of two decisions is 409 and shows the first', async () => {
  const { id, path, form } = await waitingCall()
  await visitor.post(path, { ...form, decision: 'reject' })
  const answer = await visitor.post(path, { ...form, decision: 'approve' })
  expect(answer.status).toBe(409)
  expect(answer.text).toContain('This call was already decided')
  expect(answer.text).toContain('Rejected by you')
  expect(await statusOf(site.ctx, id)).toBe('rejected')
})

test('who approved as the database went away is not told that nothing was recorded', async () => {
  const { id, path, form } = await waitingCall()
  const { db } = site.ctx
  const query = db.query.bind(db) as (...given: unknown[]) => Promise<unknown>
  const cutOff = (...given: unknown[]): unknown =>
    query(...given).then((answer) => {
      if (String(given[0]).includes('decide_call')) throw new Error('Connection terminated unexpectedly')
      return answer
    })
  const broken = vi.spyOn(db, 'query').mockImplementation(cutOff)
  try {
    const answer = await visitor.post(path, { ...form, decision: 'approve' })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(answer.text).toContain(
      'it may or may not have been recorded: look at the page again before you press it once more',
    )
    expect(answer.text).not.toContain('Nothing was accepted')
  } finally {
    broken.mockRestore()
  }
  expect(await statusOf(site.ctx, id)).toBe('running')
})

test.each([
  ['what it says was changed', `UPDATE calls SET input = '\\x00' WHERE id = $1`],
  [
    'the key of its account is gone',
    `UPDATE accounts SET data_key = '\\x00' WHERE id = (SELECT account FROM calls WHERE id = $1)`,
  ],
])('a call that cannot be opened, as %s, can be taken back and not approved', async (_why, damage) => {
  const someone = await makeOwner(site.ctx)
  const theirs = await visitorOf(site, someone)
  const id = await askFor(site.ctx, someone, { subject: 'Nobody reads this' })
  const path = `/confirm/${id}`
  const before = (await theirs.get(path)).text
  const form = { csrf: hidden(before, 'csrf'), approval_hash: hidden(before, 'approval_hash') }
  await site.ctx.db.query(damage, [id])
  const logged = vi.spyOn(site.ctx.log, 'error')
  try {
    const page = await theirs.get(path)
    expect(page.status).toBe(409)
    expect(page.text).toContain('It cannot be approved')
    for (const wrong of ['name="decision"', 'Nobody reads this', 'Too late to decide', 'was deleted'])
      expect(page.text).not.toContain(wrong)
    expect(logged).toHaveBeenCalledWith(expect.objectContaining({ call: id, column: 'input' }), expect.any(String))
  } finally {
    logged.mockRestore()
  }
  expect((await theirs.post(path, { ...form, decision: 'approve' })).status).toBe(409)
  expect(await statusOf(site.ctx, id)).toBe('awaiting_confirmation')

  const shown = await theirs.get(`/calls/${id}`)
  expect([shown.status, shown.text]).toEqual([200, expect.stringContaining('what it cannot open is left out')])
  const answer = await theirs.post(`/calls/${id}`, { csrf: form.csrf, action: 'cancel' })
  expect(answer.headers.get('location')).toBe(`/calls/${id}?said=cancelled`)
  expect(await statusOf(site.ctx, id)).toBe('cancelled')
  for (const after of [path, `/calls/${id}`]) expect((await theirs.get(after)).status).toBe(200)
})

test('of an approval and a rejection at once exactly one counts', async () => {
  const { path, form } = await waitingCall()
  const answers = await Promise.all(
    ['approve', 'reject', 'approve', 'reject'].map((decision) => visitor.post(path, { ...form, decision })),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 409, 409, 409])
})

test('a missing hash or the hash of another call is 409, and the page can still decide', async () => {
  const { id, path, form } = await waitingCall()
  const other = await waitingCall()
  for (const hash of [
    {},
    { approval_hash: '' },
    { approval_hash: 'x.y' },
    { approval_hash: other.form.approval_hash },
  ]) {
    const answer = await visitor.post(path, { csrf: form.csrf, ...hash, decision: 'approve' })
    expect(answer.status).toBe(409)
    expect(hidden(answer.text, 'approval_hash')).toBe(form.approval_hash)
  }
  expect(await statusOf(site.ctx, id)).toBe('awaiting_confirmation')
})

test('content that changes after it was shown cannot be approved', async () => {
  const { id, path, form } = await waitingCall()
  await site.ctx.db.query('UPDATE calls SET credits = credits + 1 WHERE id = $1', [id])
  expect((await visitor.post(path, { ...form, decision: 'approve' })).status).toBe(409)
})

test('another decision than approve or reject is 422, two at once too', async () => {
  const { id, path, form } = await waitingCall()
  for (const decision of ['', 'yes', 'approved', 'APPROVE'])
    expect((await visitor.post(path, { ...form, decision })).status).toBe(422)
  expect((await visitor.post(path, form)).status).toBe(422)
  const body = `${new URLSearchParams(form).toString()}&decision=reject&decision=approve`
  expect((await raw(path, body)).status).toBe(422)
  expect(await statusOf(site.ctx, id)).toBe('awaiting_confirmation')
})

test('a wrong, missing or foreign csrf token is 403', async () => {
  const { id, path, form } = await waitingCall()
  const foreign = hidden((await (await visitorOf(site, owner)).get(path)).text, 'csrf')
  expect(foreign).not.toBe(form.csrf)
  for (const csrf of ['', 'x', foreign])
    expect((await visitor.post(path, { ...form, csrf, decision: 'approve' })).status).toBe(403)
  expect(await statusOf(site.ctx, id)).toBe('awaiting_confirmation')
})

test('a form sent by another site is 403, as browsers say it', async () => {
  const { id, path, form } = await waitingCall()
  const decided = { ...form, decision: 'approve' }
  for (const headers of [
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
  ])
    expect((await visitor.post(path, decided, headers)).status).toBe(403)
  expect(await statusOf(site.ctx, id)).toBe('awaiting_confirmation')
  expect((await visitor.post(path, decided, { Origin: site.url, 'Sec-Fetch-Site': 'same-origin' })).status).toBe(303)
})

test('an API key without a session decides nothing', async () => {
  const { id, path, form } = await waitingCall()
  for (const headers of [{ Authorization: `Bearer ${owner.key}` }, { 'X-API-Key': owner.key }, {}]) {
    const answer = await new Visitor(site).post(path, { ...form, decision: 'approve' }, headers)
    expect(answer.status).toBe(403)
  }
  expect(await statusOf(site.ctx, id)).toBe('awaiting_confirmation')
})

test('a body that is no form is 415, a huge one 413', async () => {
  const { path, form } = await waitingCall()
  const json = await raw(path, JSON.stringify({ ...form, decision: 'approve' }), 'application/json')
  expect(json.status).toBe(415)
  expect((await raw(path, `pad=${'x'.repeat(70_000)}`)).status).toBe(413)
})

test('after its time a call has no buttons, and an approval comes too late', async () => {
  const { id, path, form } = await waitingCall()
  // The hash covers the end of the time: what was shown then is not what would be approved now.
  await site.ctx.db.query(`UPDATE calls SET expires_at = now() - interval '1 second' WHERE id = $1`, [id])
  const page = await visitor.get(path)
  expect(page.text).toContain('Too late to decide')
  expect(page.text).not.toContain('name="decision"')
  expect((await visitor.post(path, { ...form, decision: 'approve' })).status).toBe(409)
  expect(await statusOf(site.ctx, id)).toBe('awaiting_confirmation')
})

test('an equal call that waits as well, and one decided lately, are shown', async () => {
  const subject = 'Twice'
  const first = await askFor(site.ctx, owner, { subject })
  const second = await askFor(site.ctx, owner, { subject }, 'meant-twice')
  expect(second).not.toBe(first)
  const page = await visitor.get(`/confirm/${second}`)
  expect(page.text).toContain('This call was asked for twice.')
  expect(page.text).toContain(`href="/confirm/${first}"`)
  const form = { csrf: hidden(page.text, 'csrf'), approval_hash: hidden(page.text, 'approval_hash') }
  await visitor.post(`/confirm/${second}`, { ...form, decision: 'reject' })
  expect((await visitor.get(`/confirm/${first}`)).text).toContain('The same was asked once in the last 24 hours')
})

test('an equal call that has waited for more than a day is shown, too', async () => {
  const subject = 'Twice, days apart'
  const first = await askFor(site.ctx, owner, { subject })
  const second = await askFor(site.ctx, owner, { subject }, 'meant-days-later')
  await site.ctx.db.query(`UPDATE calls SET created_at = now() - interval '30 hours' WHERE id = $1`, [first])
  const { text } = await visitor.get(`/confirm/${second}`)
  expect(text).toContain('This call was asked for twice.')
  expect(text).toContain(`href="/confirm/${first}"`)
})

test.each([
  ['of an app that is at another address by now', { origin: 'https://moved.example/' }],
  ['of an action that is gone', { endpoints: new Map() }],
  [
    'of an action that is a read by now',
    { endpoints: new Map([...letters.endpoints].map(([name, one]) => [name, { ...one, access: 'read' as const }])) },
  ],
])('a call %s says so and cannot be approved with the button', async (_what, other) => {
  const { path } = await waitingCall()
  const newer = await site.another('http://127.0.0.1:8080')
  Object.assign(newer.ctx, { apps: lettersAs(other) })
  const page = await (await visitorOf(newer, owner)).get(path)
  expect(page.text).toContain('It can no longer be sent')
  expect(page.text).not.toContain('value="approve"')
})

test('a call that would not be sent even if it were approved says why', async () => {
  const someone = await makeOwner(site.ctx)
  const theirs = await visitorOf(site, someone)
  const path = `/confirm/${await askFor(site.ctx, someone, { subject: 'In vain' })}`
  const vain = 'nothing would be sent even if you approve'
  expect((await theirs.get(path)).text).not.toContain(vain)
  const changes: readonly (readonly [said: string, set: string, back: string])[] = [
    ['may not use Letters', `UPDATE api_keys SET apps = '{}'`, 'UPDATE api_keys SET apps = NULL'],
    ['was revoked since', 'UPDATE api_keys SET revoked_at = now()', 'UPDATE api_keys SET revoked_at = NULL'],
    ['not connected any more', `UPDATE accounts SET state = 'disconnected'`, `UPDATE accounts SET state = 'connected'`],
  ]
  for (const [said, set, back] of changes) {
    await site.ctx.db.query(`${set} WHERE owner = $1`, [someone.id])
    const { text } = await theirs.get(path)
    expect(text).toContain(said)
    expect(text).toContain(vain)
    await site.ctx.db.query(`${back} WHERE owner = $1`, [someone.id])
  }
  expect((await theirs.get(path)).text).not.toContain(vain)
})

function raw(path: string, body: string, type = 'application/x-www-form-urlencoded'): Promise<Response> {
  const cookie = `callgate=${visitor.cookies.get('callgate')}`
  return fetch(`${site.url}${path}`, {
    method: 'POST',
    redirect: 'manual',
    body,
    headers: { cookie, 'Content-Type': type },
  })
}
