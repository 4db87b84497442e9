import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '../../core/accounts/sessions.ts'
import { liftPause } from '../../core/operators/pauses.ts'
import type { CallView } from '../../schemas/call.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { activitySummaries, historyText } from '../support/history.ts'
import type { TestUser } from '../support/user.ts'

const app = 'property-advertising'
const marker = 'Zebrafink-7731'

/** What operators see of a run in the Temporal UI and in the logs, and what nobody sees there. */
describe('a run', () => {
  const lines: string[] = []
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack({ logTo: { write: (line) => void lines.push(line) } })
  })
  afterAll(() => stack.stop())
  afterEach(() => stack.sandbox.clearFaults())

  const handleOf = (callId: unknown) => stack.ctx.temporal.workflow.getHandle(String(callId))
  const viewOf = (callId: unknown) => handleOf(callId).query<CallView>('view')

  async function listed(query: string): Promise<string[]> {
    const ids: string[] = []
    for await (const { workflowId } of stack.ctx.temporal.workflow.list({ query })) ids.push(workflowId)
    return ids.toSorted()
  }

  const ask = async (user: TestUser, contact: string, message = 'Hello'): Promise<string> =>
    String((await user.call('reply_to_contact', { contact_id: contact, message })).body['call_id'])

  async function reaches(callId: string, phase: CallView['phase']): Promise<CallView> {
    let view: CallView | undefined
    await expect.poll(async () => (view = await viewOf(callId))).toMatchObject({ phase })
    if (view === undefined) throw new Error('nobody looked')
    return view
  }

  it('is found by app, endpoint, owner and what it waits for', async () => {
    const [user, other] = [await stack.user(), await stack.user()]
    const contact = await firstContact(user)
    const [one, two] = [await ask(user, contact, 'One'), await ask(user, contact, 'Two')]
    const others = await ask(other, await firstContact(other))
    await user.call('add_contact_note', { contact_id: contact, note: 'A note' })
    const waiting = 'CallgateWaitingFor = "confirmation"'
    const mine = `CallgateOwner = "${user.id}"`
    await expect.poll(() => listed(`${waiting} AND ${mine}`)).toEqual([one, two])
    const of = async (query: string) => (await listed(query)).filter((id) => [one, two, others].includes(id))
    expect(await of(`${waiting} AND CallgateApp = "${app}"`)).toEqual([one, two, others].toSorted())
    expect(await of('CallgateEndpoint = "reply_to_contact"')).toEqual([one, two, others].toSorted())
    expect(await of('CallgateEndpoint = "add_contact_note"')).toEqual([])
    expect(await listed(`${mine} AND CallgateEndpoint = "add_contact_note"`)).toHaveLength(1)
    expect(await listed(`${mine} AND CallgateApp = "another-app"`)).toEqual([])

    await user.approve(one)
    await user.record(one, 20)
    await expect.poll(() => listed(`${waiting} AND ${mine}`)).toEqual([two])
  })

  it('is summed up in one readable line, and so is each of its sends', async () => {
    const user = await stack.user()
    const contact = await firstContact(user)
    const callId = await ask(user, contact)
    const { id } = user.account
    const summaryOf = async (call: unknown) => (await handleOf(call).describe()).staticSummary()
    expect(await summaryOf(callId)).toBe(`${app}.reply_to_contact (after approval) for ${id}`)
    await user.approve(callId, () => stack.sandbox.fault('rate_limit'))
    await user.record(callId, 20)
    const sends = ['attempt 1', 'attempt 2'].map((attempt) => `${app}.reply_to_contact, ${attempt}`)
    const look = `what ${app}.reply_to_contact is about`
    const all = await activitySummaries(stack.ctx, callId)
    expect(all.filter((one) => one !== look)).toEqual(sends)
    expect(all.length).toBeGreaterThan(sends.length)

    const read = (await user.call('list_listings')).headers.get('X-Request-Id') ?? ''
    expect(await summaryOf(read)).toBe(`${app}.list_listings (read) for ${id}`)
    expect(await activitySummaries(stack.ctx, read)).toEqual([`${app}.list_listings, attempt 1`])
  })

  it('tells what it is doing: deciding, sending, blocked', async () => {
    const user = await stack.user()
    const contact = await firstContact(user)
    const callId = await ask(user, contact)
    const record = await user.record(callId)
    const expiresAt = Date.parse(String(record['expires_at']))
    expect(await viewOf(callId)).toEqual({ phase: 'deciding', retryAt: expiresAt })

    await user.approve(callId, () => stack.sandbox.fault('slow', { ms: 3_000, path: '/inbox' }))
    expect(await reaches(callId, 'sending')).toEqual({ phase: 'sending', retryAt: null })
    expect(await user.record(callId, 20)).toMatchObject({ status: 'executed' })

    const blocked = await ask(user, contact, 'To be blocked')
    await user.approve(blocked, () => stack.sandbox.fault('block'))
    const { retryAt } = await reaches(blocked, 'blocked')
    const shown = await user.record(blocked)
    expect(shown).toMatchObject({ status: 'running', waiting_for: 'blocked' })
    expect(retryAt).toBe(Date.parse(String(shown['retry_at'])))
    await expect.poll(() => listed('CallgateWaitingFor = "blocked"')).toEqual([blocked])
    await liftPause(stack.ctx, user.account.id, 'reply_to_contact', user.id)
    expect(await user.record(blocked, 20)).toMatchObject({ status: 'executed' })
    await expect.poll(() => listed('CallgateWaitingFor = "blocked"')).toEqual([])
  })

  it('tells that it waits for the person to reconnect', async () => {
    const user = await stack.user()
    const callId = await ask(user, await firstContact(user))
    await user.approve(callId, () => stack.sandbox.fault('expire'))
    const { retryAt } = await reaches(callId, 'reconnect')
    const hours = ((retryAt ?? 0) - Date.now()) / 3_600_000
    expect(Math.abs(hours - 72)).toBeLessThan(0.1)
    await expect.poll(() => listed('CallgateWaitingFor = "reconnect"')).toEqual([callId])
    await stack.sandbox.clearFaults()
    const { account, label, session } = user.account.seeded
    await connect(stack.ctx, { owner: user.id, app, externalId: account, label, session })
    expect(await user.record(callId, 20)).toMatchObject({ status: 'executed' })
  })

  describe('holds nothing of what was said', () => {
    const ended: { readonly callId: string; readonly secrets: readonly string[] }[] = []

    /** Runs a call to its end, and notes what must not be found afterwards. */
    async function ends(status: string, run: (user: TestUser, contact: string) => Promise<unknown>): Promise<void> {
      const user = await stack.user()
      const { body } = await user.call('list_contacts')
      const [contact] = body['contacts'] as { contact_id: string; name: string; last_message: string }[]
      if (contact === undefined) throw new Error('the account has no contact')
      const callId = String(await run(user, contact.contact_id))
      const record = await user.record(callId, 30)
      expect(record).toMatchObject({ status })
      const cookies = user.account.seeded.session.cookies.map(({ value }) => value)
      const said = (record['error'] as { app_message?: string } | undefined)?.app_message
      ended.push({
        callId,
        secrets: [marker, contact.name, contact.last_message, user.key, user.key.slice(8), user.email, user.password]
          .concat(cookies, said === undefined ? [] : [said])
          .filter((secret) => secret.length > 3),
      })
    }

    const note = (user: TestUser, contact: string, text = marker) =>
      user.call('add_contact_note', { contact_id: contact, note: text })

    it('an executed read and write', async () => {
      await ends('executed', async (user, contact) =>
        (await user.call('get_conversation', { contact_id: contact })).headers.get('X-Request-Id'),
      )
      await ends('executed', async (user, contact) => (await note(user, contact)).headers.get('X-Request-Id'))
    })

    it('an approved call', async () => {
      await ends('executed', async (user, contact) => {
        const callId = await ask(user, contact, marker)
        await user.approve(callId)
        return callId
      })
    })

    it('a call that the app refuses, and one whose app fails', async () => {
      await ends('failed', async (user) => {
        const listing = { listing_id: marker }
        return (await user.call('get_listing', listing)).body['request_id']
      })
      await ends('failed', async (user, contact) => {
        await stack.sandbox.fault('error', { times: 3 })
        return (await user.call('get_conversation', { contact_id: contact })).body['request_id']
      })
    })

    it('an unknown call, and one whose session ended', async () => {
      await ends('unknown', async (user, contact) => {
        await stack.sandbox.fault('garbage')
        return (await note(user, contact)).body['call_id']
      })
      await ends('failed', async (user, contact) => {
        await stack.sandbox.fault('expire')
        return (await note(user, contact)).body['request_id']
      })
    })

    it('in any of their histories', async () => {
      expect(ended.length).toBeGreaterThanOrEqual(7)
      for (const { callId, secrets } of ended) {
        const text = await historyText(stack.ctx, callId)
        expect(text, 'payloads are decoded').toContain(`"callId":"${callId}"`)
        for (const secret of secrets) expect(text.includes(secret), `${callId}: ${secret}`).toBe(false)
      }
    })

    it('in any table', async () => {
      const { rows: tables } = await stack.ctx.db.query<{ name: string }>(
        `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'`,
      )
      const secrets = ended.flatMap(({ secrets: some }) => some).filter((secret) => !secret.includes('@'))
      const encoded = secrets.flatMap((secret) => [secret, Buffer.from(secret).toString('hex')])
      for (const { name } of tables) {
        const { rows } = await stack.ctx.db.query<{ text: string }>(
          `SELECT row_to_json(t)::text AS text FROM ${name} t`,
        )
        const text = rows.map((row) => row.text).join('\n')
        for (const secret of encoded) expect(text.includes(secret), `${name}: ${secret}`).toBe(false)
      }
    })

    it('in the log, at its most talkative', async () => {
      const log = lines.join('')
      expect(lines.length).toBeGreaterThan(50)
      expect(log).toContain('"route":"/api/v1/:app/:endpoint"')
      const secrets = ended.flatMap(({ secrets: some }) => some)
      for (const secret of secrets) expect(log.includes(secret), secret).toBe(false)
    })
  })
})
