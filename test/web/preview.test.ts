import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { exchange } from '../../connectors/runtime/exchange.ts'
import { ownOrigin } from '../../connectors/runtime/site.ts'
import { connect } from '../../core/accounts/sessions.ts'
import { nudgeCall } from '../../core/temporal/call-runs.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { hidden } from '../../scripts/browsing.ts'
import type { TestUser } from '../support/user.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack.stop())
afterEach(() => stack.sandbox.clearFaults())

async function activeListing(user: TestUser): Promise<string> {
  const { body } = await user.call('list_listings', { status: 'active' })
  const [first] = body['listings'] as { listing_id: string }[]
  if (first === undefined) throw new Error('this account has no active listing')
  return first.listing_id
}

/** A call that waits, about a listing, and its page as its person opened it. */
async function asked(user: TestUser, listing: string) {
  const answer = await user.call('update_listing', {
    listing_id: listing,
    fields: { description: 'Bright and quiet.' },
  })
  expect(answer.status).toBe(202)
  const id = String(answer.body['call_id'])
  const { text } = await open(user, id)
  return { id, text, form: { csrf: hidden(text, 'csrf'), approval_hash: hidden(text, 'approval_hash') } }
}

async function open(user: TestUser, id: string, method = 'GET') {
  const answer = await (await user.person()).get(`/confirm/${id}`, method)
  return { status: answer.status, text: readable(await answer.text()) }
}

const readable = (page: string): string => page.replaceAll(/<\/?(?!input)[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

/** The price of a listing in the app becomes another, as its owner has it. */
async function reprice(user: TestUser, listing: string, price: number): Promise<void> {
  const { body } = await user.call('update_listing', { listing_id: listing, fields: { price } })
  expect((await user.approve(body['call_id'])).status).toBe(303)
  expect(await user.record(body['call_id'], 20)).toMatchObject({ status: 'executed' })
}

const makeOld = (id: string) =>
  stack.ctx.db.query(
    `UPDATE calls SET previewed_at = now() - interval '2 minutes', looked_at = now() - interval '2 minutes' WHERE id = $1`,
    [id],
  )

async function column(id: string, what: string): Promise<unknown> {
  const { rows } = await stack.ctx.db.query<{ it: unknown }>(`SELECT ${what} AS it FROM calls WHERE id = $1`, [id])
  return rows[0]?.it
}

async function previewedAt(id: string): Promise<Date | undefined> {
  const { rows } = await stack.ctx.db.query<{ at: Date }>('SELECT previewed_at AS at FROM calls WHERE id = $1', [id])
  return rows[0]?.at
}

test('opening the page refreshes what is old, and what an older page showed cannot be approved any more', async () => {
  const user = await stack.user()
  const listing = await activeListing(user)
  const { id, text, form } = await asked(user, listing)
  expect(text).toMatch(/What it is about Listing .*Price .*What will be sent/)
  await reprice(user, listing, 123_456)
  expect((await open(user, id)).text).not.toContain('123,456')

  await makeOld(id)
  const before = await previewedAt(id)
  expect((await open(user, id, 'HEAD')).status).toBe(200)
  expect(await previewedAt(id)).toEqual(before)

  expect((await open(user, id)).text).toContain('123,456.00')
  const answer = await (await user.person()).post(`/confirm/${id}`, { ...form, decision: 'approve' })
  const page = readable(await answer.text())
  expect([answer.status, page]).toEqual([409, expect.stringContaining('123,456.00')])
  expect(page).toContain('Nothing was decided')
  expect((await user.record(id))['status']).toBe('awaiting_confirmation')
})

test('a call whose thing changed after the approval is asked again, before and after side by side', async () => {
  const user = await stack.user()
  const listing = await activeListing(user)
  await reprice(user, listing, 50_000)
  const { id, form } = await asked(user, listing)
  await reprice(user, listing, 654_321)
  await makeOld(id)
  const person = await user.person()
  expect((await person.post(`/confirm/${id}`, { ...form, decision: 'approve' })).status).toBe(303)
  await expect.poll(async () => (await user.record(id))['asked_again'], { interval: 500 }).toBe(1)
  const { text } = await open(user, id)
  expect(text).toMatch(/since then it has changed in .* Nothing was sent\. This is time 2 of at most 3/)
  expect(text).toMatch(/Price When you approved 50,000\.00 \w+ Now 654,321\.00/)
  expect((await user.approve(id)).status).toBe(303)
  expect(await user.record(id, 20)).toMatchObject({ status: 'executed' })
  expect((await open(user, id)).text).toContain('654,321.00')
})

test('a session that cannot be opened is looked up with once, said on the page, and made anew by connecting again', async () => {
  const user = await stack.user()
  const listing = await activeListing(user)
  const { id: account, seeded } = user.account
  await stack.ctx.db.query(`UPDATE accounts SET session = session || '\\x00' WHERE id = $1`, [account])
  const answer = await user.call('update_listing', { listing_id: listing, fields: { description: 'Quiet.' } })
  const id = String(answer.body['call_id'])
  expect(answer.body).toMatchObject({ status: 'awaiting_confirmation', waiting_for: 'reconnect' })
  const { text } = await open(user, id)
  expect(text).toMatch(/Callgate has no session of .* any more that it can open, so nothing could be looked up there\./)
  expect(text).toMatch(/Connect .* again , then come back here to see it/)
  expect(text).not.toContain('Looking it up')
  // Nothing is tried again before that.
  expect(await column(id, 'prepare_at')).toBeNull()
  await sleep(5_000)
  expect(await column(id, 'prepare_at IS NULL AND preview IS NULL')).toBe(true)
  const { account: externalId, label, session } = seeded
  await connect(stack.ctx, { owner: user.id, app: 'property-advertising', externalId, label, session })
  await expect.poll(() => column(id, 'preview IS NOT NULL')).toBe(true)
  expect((await user.approve(id)).status).toBe(303)
  expect(await user.record(id, 30)).toMatchObject({ status: 'executed' })
})

test('an approved call whose session cannot be opened waits for the person, and another is told', async () => {
  const user = await stack.user()
  const { id, form } = await asked(user, await activeListing(user))
  const { id: account, seeded } = user.account
  await stack.ctx.db.query(`UPDATE accounts SET session = session || '\\x00' WHERE id = $1`, [account])
  const person = await user.person()
  expect((await person.post(`/confirm/${id}`, { ...form, decision: 'approve' })).status).toBe(303)
  await expect.poll(async () => (await user.record(id))['waiting_for'], { interval: 500 }).toBe('reconnect')
  const { status, body } = await user.call('list_listings', {})
  expect([status, body['error']]).toEqual([409, 'AUTH_EXPIRED'])
  const { account: externalId, label, session } = seeded
  await connect(stack.ctx, { owner: user.id, app: 'property-advertising', externalId, label, session })
  expect(await user.record(id, 30)).toMatchObject({ status: 'executed' })
})

test('what is looked up for a call that cannot be opened is given up', async () => {
  const user = await stack.user()
  const { id } = await asked(user, await activeListing(user))
  await stack.ctx.db.query(`UPDATE calls SET preview = '\\x00', prepare_at = now() WHERE id = $1`, [id])
  await nudgeCall(stack.ctx, id)
  await expect.poll(() => column(id, 'prepare_at')).toBeNull()
  expect((await open(user, id)).text).toContain('It cannot be approved')
})

test.each([
  ['captcha', {}, 'You are signed out of', { waiting_for: 'reconnect' }],
  ['huge', { times: 2 }, 'did not answer as it should', {}],
  ['block', { times: 2 }, 'refuses Callgate for now', {}],
  ['slow', { ms: 4_500 }, 'What it is about', {}],
] as const)(
  'a look-up that meets a fault (%s) ends no call, and the page says so',
  async (kind, how, words, record) => {
    const user = await stack.user()
    const listing = await activeListing(user)
    await stack.sandbox.fault(kind, how)
    const answer = await user.call('update_listing', { listing_id: listing, fields: { description: 'Bright.' } })
    expect([answer.status, answer.body]).toMatchObject([202, { status: 'awaiting_confirmation', ...record }])
    const id = String(answer.body['call_id'])
    // The answer waits for 3 s at most.
    if (kind === 'slow') expect(await column(id, 'preview IS NULL')).toBe(true)
    await expect.poll(() => column(id, 'prepare_at')).toBeNull()
    expect((await open(user, id)).text).toContain(words)
    const pauses = 'SELECT endpoint FROM pauses WHERE account = $1 ORDER BY endpoint'
    const { rows } = await stack.ctx.db.query(pauses, [user.account.id])
    expect(rows).toEqual(kind === 'block' ? [{ endpoint: 'get_listing' }, { endpoint: 'list_listings' }] : [])
    expect(await user.record(id)).toMatchObject({ status: 'awaiting_confirmation', credits_used: 0 })
  },
)

test('a call that the app would surely refuse by now ends when its page is opened', async () => {
  const user = await stack.user()
  const { body } = await user.call('list_listings', { status: 'inactive' })
  const [first] = body['listings'] as { listing_id: string }[]
  const answer = await user.call('reactivate_listing', { listing_id: first?.listing_id })
  expect(answer.body).toMatchObject({ status: 'awaiting_confirmation' })
  const id = String(answer.body['call_id'])
  // Somebody does it in the app itself.
  const app = stack.ctx.apps.get('property-advertising')
  const endpoint = app?.endpoints.get('reactivate_listing')
  if (!app || !endpoint) throw new Error('the app has no such action')
  const { outcome } = await exchange({
    endpoint,
    input: { listing_id: first?.listing_id },
    session: user.account.seeded.session,
    origin: ownOrigin(app),
    cursorKey: Buffer.alloc(32),
    fence: () => Promise.resolve(true),
  })
  expect(outcome.kind).toBe('ok')
  await makeOld(id)
  expect((await open(user, id)).text).not.toContain('value="approve"')
  expect(await user.record(id, 20)).toMatchObject({
    status: 'failed',
    error: { error: 'app_rejected', app_code: 'NOT_READY' },
    credits_used: 0,
  })
})
