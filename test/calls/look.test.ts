import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { setAppPaused } from '../../core/operators/pauses.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { balancedLedger } from '../support/ledger.ts'
import type { FaultKind } from '../support/sandbox.ts'
import { StrangersRun } from '../support/stranger.ts'
import type { TestUser } from '../support/user.ts'
import { hidden } from '../../scripts/browsing.ts'

describe('a look in the app whether a call happened that ended unknown', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack()
  })
  afterAll(() => stack.stop())
  afterEach(() => stack.sandbox.clearFaults())

  const app = 'property-advertising'
  const sql = (text: string, values: unknown[]) => stack.ctx.db.query<Record<string, unknown>>(text, values)

  /** A note whose answer is lost, whether or not it was taken. Callgate has looked once by itself. */
  async function lostNow(user: TestUser, kind: FaultKind, note = 'Called back.'): Promise<string> {
    const contact_id = await firstContact(user)
    await stack.sandbox.fault(kind)
    const answer = await user.call('add_contact_note', { contact_id, note }, { Prefer: 'wait=50' })
    expect(answer.body).toMatchObject({ status: 'unknown' })
    return String(answer.body['call_id'])
  }

  /** The same, a minute later. */
  async function lost(...what: Parameters<typeof lostNow>): Promise<string> {
    const callId = await lostNow(...what)
    await aMinuteLater(callId)
    return callId
  }

  async function pageOf(user: TestUser, callId: string): Promise<string> {
    const page = await (await user.person()).get(`/calls/${callId}`)
    expect(page.status).toBe(200)
    return (await page.text()).replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
  }

  async function press(user: TestUser, callId: string): Promise<string | null> {
    const person = await user.person()
    const csrf = hidden(await (await person.get('/calls')).text(), 'csrf')
    const answer = await person.post(`/calls/${callId}`, { csrf, action: 'look' })
    expect(answer.status).toBe(303)
    return answer.headers.get('Location')
  }

  const lookedAt = (callId: string) => sql('SELECT asked_at, found_at FROM findings WHERE call_id = $1', [callId])

  const aMinuteLater = (callId: string) =>
    sql(
      `UPDATE findings SET asked_at = asked_at - interval '61 seconds', found_at = found_at - interval '61 seconds' WHERE call_id = $1`,
      [callId],
    )

  it('shows what was lost only on its way back, with its time; the call stays unknown, and nobody pays', async () => {
    const user = await stack.user()
    const callId = await lost(user, 'drop_after', 'Two  rooms,\nno cats')
    expect(await pageOf(user, callId)).toMatch(/What .* shows .*It only reads, and costs no credits.* again/)
    await sql('DELETE FROM findings WHERE call_id = $1', [callId])
    const before = await balancedLedger(stack.ctx, user.id)
    expect(await press(user, callId)).toBe(`/calls/${callId}`)
    const page = await pageOf(user, callId)
    expect(page).toMatch(/One like it is there , \d+ \w+ 20\d\d, \d\d:\d\d UTC .* Note Two rooms, no cats/)
    expect(page).toContain('It may or may not have happened')
    expect(await user.record(callId)).toMatchObject({ status: 'unknown', credits_used: 0 })
    expect(await balancedLedger(stack.ctx, user.id)).toEqual(before)
    const { rows } = await sql('SELECT finding FROM findings WHERE call_id = $1', [callId])
    expect(String(rows[0]?.['finding'])).not.toContain('cats')
  })

  it.each([
    ['drop_after', /One like it is there .* Note Called back\./],
    ['drop_before', /Nothing like it was found/],
  ] as const)('is made once by itself (%s), and decides nothing', async (kind, words) => {
    const user = await stack.user()
    const callId = await lostNow(user, kind)
    expect(await pageOf(user, callId)).toMatch(words)
    expect(await user.record(callId)).toMatchObject({ status: 'unknown', credits_used: 0 })
    // No more often than that, as if a person had asked.
    expect(await press(user, callId)).toBe(`/calls/${callId}?said=looked`)
  })

  it('counts what fits, and leaves out what is older than the call', async () => {
    const user = await stack.user()
    const contact_id = await firstContact(user)
    const note = 'Wants to see it on Monday'
    for (let n = 0; n < 2; n++) expect((await user.call('add_contact_note', { contact_id, note })).status).toBe(200)
    const callId = await lost(user, 'drop_after', note)
    await press(user, callId)
    expect(await pageOf(user, callId)).toMatch(/3 like it are there .* Only you can tell/)
    // As if the call had been made long after them.
    await aMinuteLater(callId)
    await sql(`UPDATE calls SET created_at = created_at + interval '1 hour' WHERE id = $1`, [callId])
    await press(user, callId)
    expect(await pageOf(user, callId)).toContain('Nothing like it was found')
  })

  it.each(['error', 'drop_before'] as const)('takes nothing found (%s) for no proof', async (kind) => {
    const user = await stack.user()
    const callId = await lost(user, kind)
    await press(user, callId)
    const page = await pageOf(user, callId)
    expect(page).toMatch(/Nothing like it was found , .* That does not prove anything/)
    expect(page).toContain('Yes, it happened')
    expect(await user.record(callId)).toMatchObject({ status: 'unknown' })
  })

  it('looks once a minute, however often it is asked', async () => {
    const user = await stack.user()
    const callId = await lost(user, 'drop_before')
    const said = await Promise.all([press(user, callId), press(user, callId)])
    expect(new Set(said)).toEqual(new Set([`/calls/${callId}`, `/calls/${callId}?said=looked`]))
    const first = (await lookedAt(callId)).rows
    expect(await press(user, callId)).toBe(`/calls/${callId}?said=looked`)
    expect((await lookedAt(callId)).rows).toEqual(first)
  })

  it.each([
    ['expire', 'AUTH_EXPIRED', 'expired', 'had signed you out. Sign in to'],
    ['captcha', 'CAPTCHA_REQUIRED', 'needs_check', 'only you can pass. Sign in to'],
  ] as const)('says that the person has to sign in again (%s)', async (kind, reason, state, words) => {
    const user = await stack.user()
    const callId = await lost(user, 'drop_before')
    await stack.sandbox.fault(kind)
    await press(user, callId)
    expect(await pageOf(user, callId)).toContain(words)
    const { rows } = await sql('SELECT state, reason FROM accounts WHERE id = $1', [user.account.id])
    expect(rows).toEqual([{ state, reason }])
    await stack.sandbox.clearFaults()
    await aMinuteLater(callId)
    await press(user, callId)
    expect(await pageOf(user, callId)).toContain('Nothing like it was found')
    const after = await sql('SELECT state, reason FROM accounts WHERE id = $1', [user.account.id])
    expect(after.rows).toEqual([{ state: 'connected', reason: null }])
  })

  it('pauses the read that the app blocks, as any call does, and does not ask while it is paused', async () => {
    const user = await stack.user()
    const callId = await lost(user, 'drop_before')
    await stack.sandbox.fault('block')
    const pauses = async () =>
      (await sql('SELECT endpoint, seconds FROM pauses WHERE account = $1', [user.account.id])).rows
    for (let n = 0; n < 2; n++) {
      await press(user, callId)
      expect(await pageOf(user, callId)).toContain('The app is refusing access.')
      expect(await pauses()).toEqual([{ endpoint: 'get_conversation', seconds: 60 }])
      await aMinuteLater(callId)
    }
    await sql(`UPDATE pauses SET until = now() WHERE account = $1`, [user.account.id])
    await press(user, callId)
    expect(await pageOf(user, callId)).toContain('Nothing like it was found')
    expect(await pauses()).toEqual([])
  })

  it('does not ask an app that an operator has paused', async () => {
    const user = await stack.user()
    const callId = await lost(user, 'drop_before')
    await setAppPaused(stack.ctx, app, true, 'operator')
    await press(user, callId)
    expect(await pageOf(user, callId)).toContain('The operator has paused this for a while.')
    await setAppPaused(stack.ctx, app, false, 'operator')
  })

  it('is shown beside what the person recorded, and offered no more then', async () => {
    const user = await stack.user()
    const callId = await lost(user, 'drop_after')
    await press(user, callId)
    const person = await user.person()
    const csrf = hidden(await (await person.get('/calls')).text(), 'csrf')
    await person.post(`/calls/${callId}`, { csrf, action: 'happened' })
    const page = await pageOf(user, callId)
    expect(page).toMatch(/Recorded later: it did happen.*One like it is there/)
    expect(page).not.toContain('Look in the app')
  })

  it('is for calls that ended unknown, of its owner, where the endpoint says how', async () => {
    const [user, stranger] = [await stack.user(), await stack.user()]
    const callId = await lost(user, 'drop_before')
    const before = await lookedAt(callId)
    const strange = await stranger.person()
    const csrf = hidden(await (await strange.get('/calls')).text(), 'csrf')
    expect((await strange.post(`/calls/${callId}`, { csrf, action: 'look' })).status).toBe(404)
    expect((await (await user.person()).post(`/calls/${callId}`, { csrf, action: 'look' })).status).toBe(403)
    expect((await lookedAt(callId)).rows).toEqual(before.rows)

    const done = (await user.call('list_listings', { limit: 1 })).headers.get('x-request-id')
    expect(await press(user, String(done))).toContain('said=looked')
    await sql(`UPDATE calls SET endpoint = 'deactivate_listing' WHERE id = $1`, [callId])
    expect(await press(user, callId)).toContain('said=looked')
    const page = await pageOf(user, callId)
    expect(page).not.toContain('It only reads')
    expect(page).toContain('You can look from here, too')
  })

  it('is not begun by a run at the engine, whoever started it', async () => {
    const user = await stack.user()
    const callId = await lost(user, 'drop_before')
    const [own, other] = [
      await StrangersRun.start(stack, `look_${callId}`, 'look'),
      await StrangersRun.start(stack, randomUUID(), 'look'),
    ]
    expect(await other.ask('look', `app.${app}`, callId)).toEqual({ failure: 'stranger' })
    // Nobody asked.
    const before = await lookedAt(callId)
    expect(await own.ask('look', `app.${app}`, callId)).not.toHaveProperty('failure')
    expect((await lookedAt(callId)).rows).toEqual(before.rows)
    await sql('UPDATE findings SET asked_at = clock_timestamp() WHERE call_id = $1', [callId])
    expect(await own.ask('look', 'app.crm', callId)).toEqual({ failure: 'stranger' })
    for (const run of [own, other]) await run.complete(null)
  })
})
