import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { decide } from '../../core/calls/rows.ts'
import { addWebhook } from '../../core/notices/targets.ts'
import { freePort } from '../../local-services/dev-server.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { desk, openPage, phone, shoot, startBrowser } from '../support/chromium.ts'
import { startFoundation } from '../support/foundation.ts'
import type { Foundation } from '../support/foundation.ts'
import { startReceiver } from '../support/receiver.ts'
import { UiApi } from '../support/ui-api.ts'
import type { TestUser } from '../support/user.ts'

/** What the Temporal UI tells an operator of calls, read through the UI's own API and looked at in a browser. */

const app = 'property-advertising'
const marker = 'Zebrafink-7732'
const when = String.raw`\d{1,2} [A-Z][a-z]{2} \d\d:\d\d UTC`

let foundation: Foundation
let stack: Stack
let user: TestUser
let contact: { readonly contact_id: string; readonly name: string }
let ui: UiApi
/** One call of each kind, by what it is. */
const calls = {
  waiting: '',
  blocked: '',
  reconnect: '',
  executed: '',
  failed: '',
  givenUp: '',
  rejected: '',
  cancelled: '',
}

beforeAll(async () => {
  foundation = await startFoundation({ ui: true })
  const port = await freePort()
  const settings = {
    TEMPORAL_UI_UPSTREAM: foundation.temporalUi ?? '',
    TEMPORAL_UI_PORT: String(port),
    WEBHOOK_ALLOW: '127.0.0.0/8',
  }
  stack = await startStack({ foundation, settings })
  ui = new UiApi(`http://127.0.0.1:${port}`, foundation.namespace)
  user = await stack.user()
  const { body } = await user.call('list_contacts')
  contact = (body['contacts'] as (typeof contact)[])[0] ?? contact
  await makeCalls()
})
afterAll(() => stack.stop())
afterEach(() => stack.sandbox.clearFaults())

const ask = async (by = user, to = contact.contact_id): Promise<string> =>
  String((await by.call('reply_to_contact', { contact_id: to, message: `${marker} ${Math.random()}` })).body['call_id'])

async function makeCalls(): Promise<void> {
  calls.waiting = await ask()
  calls.executed = await ask()
  await user.approve(calls.executed)
  calls.rejected = await ask()
  await user.reject(calls.rejected)
  calls.cancelled = await ask()
  await user.cancel(calls.cancelled)
  expect(await user.record(calls.executed, 30)).toMatchObject({ status: 'executed' })
  calls.failed = String((await user.call('get_listing', { listing_id: marker })).body['request_id'])

  const stopped = await stack.user()
  await stack.sandbox.fault('rate_limit', { retry_after: 600 })
  calls.givenUp = String((await stopped.call('list_listings')).body['request_id'])
  calls.blocked = await ask()
  await user.approve(calls.blocked, () => stack.sandbox.fault('block'))
  await vi.waitUntil(async () => (await said(calls.blocked)).startsWith('blocked'), { timeout: 120_000 })
  // However long the tests take, it stays so.
  await stack.ctx.db.query(`UPDATE pauses SET until = until + interval '1 hour'`)
  const gone = await stack.user()
  const { body } = await gone.call('list_contacts')
  calls.reconnect = await ask(gone, (body['contacts'] as (typeof contact)[])[0]?.contact_id)
  await gone.approve(calls.reconnect, () => stack.sandbox.fault('expire'))
  await vi.waitUntil(async () => (await said(calls.reconnect)).includes('sign in'), { timeout: 120_000 })
}

const said = async (callId: string): Promise<string> => (await ui.metadata(callId)).currentDetails

async function listed(filter: string): Promise<readonly string[]> {
  const known = new Set<string>(Object.values(calls))
  return (await ui.list(filter))
    .map(({ id }) => id)
    .filter((id) => known.has(id))
    .toSorted()
}
const shows = (filter: string, ids: readonly string[]) =>
  expect.poll(() => listed(filter), { message: filter }).toEqual(ids.toSorted())

test('the list is filtered by outcome, cause of a failure, account, and what a call waits for, to its end', async () => {
  await shows('CallgateOutcome = "failed"', [calls.failed, calls.givenUp])
  await shows('CallgateError = "app_rejected"', [calls.failed])
  await shows('CallgateError = "TARGET_BLOCKED"', [calls.givenUp])
  for (const outcome of ['executed', 'rejected', 'cancelled'] as const)
    await shows(`CallgateOutcome = "${outcome}"`, [calls[outcome]])
  await shows('CallgateWaitingFor = "confirmation"', [calls.waiting])
  await shows('CallgateWaitingFor = "blocked"', [calls.blocked])
  await shows('CallgateWaitingFor = "reconnect"', [calls.reconnect])
  await shows(`CallgateAccount = "${user.account.id}" AND CallgateOutcome = "failed"`, [calls.failed])
  const { id, attributes, memo } = (await ui.list(`WorkflowId = "${calls.failed}"`))[0] ?? {}
  expect({ id, attributes, memo }).toMatchObject({
    id: calls.failed,
    attributes: {
      CallgateApp: app,
      CallgateEndpoint: 'get_listing',
      CallgateOwner: user.id,
      CallgateAccount: user.account.id,
      CallgateOutcome: 'failed',
      CallgateError: 'app_rejected',
    },
    memo: { access: 'read', approval: false, accepted_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
  })
})

test('a run says in one line what its call does now, or how it ended, and links to the operators’ page', async () => {
  expect(await said(calls.waiting)).toMatch(RegExp(`^waits for its owner's approval until ${when}$`))
  expect(await said(calls.blocked)).toMatch(RegExp(`^blocked by the app, next attempt ${when}$`))
  expect(await said(calls.reconnect)).toMatch(
    RegExp(String.raw`^waits for its owner to sign in to the app again \(AUTH_EXPIRED\) until ${when}$`),
  )
  expect(await said(calls.executed)).toBe('executed')
  expect(await said(calls.failed)).toBe('failed: app_rejected')
  expect(await said(calls.givenUp)).toBe('failed: TARGET_BLOCKED')
  expect(await said(calls.rejected)).toBe('rejected')
  const expiry = new Date(String((await user.record(calls.waiting))['expires_at']))
  expect(await said(calls.waiting)).toContain(expiry.toUTCString().slice(17, 22))
  expect(await ui.summary(calls.waiting)).toEqual({
    summary: `${app}.reply_to_contact (after approval) for ${user.account.id}`,
    details: expect.stringContaining(`(${stack.ctx.config.adminUrl}/calls/${calls.waiting})`),
  })
})

test('each timer, activity and local activity has a summary, in every workflow', async () => {
  const receiver = await startReceiver()
  await addWebhook(stack.ctx, user.id, receiver.url, ['call.waiting'])
  await ask()
  await stack.ctx.temporal.schedule.getHandle('callgate-housekeeping').trigger()
  const made = { taskQueue: `app.${app}`, pacingKey: 'none' }
  for (const [workflow, args] of [
    ['look', { callId: 'made-up', ...made }],
    ['watch', { look: 'made-up', ...made }],
  ] as const)
    await stack.ctx.temporal.workflow.start(workflow, { workflowId: workflow, taskQueue: 'callgate', args: [args] })
  const types = ['call', 'deliver', 'housekeeping', 'look', 'watch']
  const runs = async () => Promise.all(types.map((type) => ui.list(`WorkflowType = "${type}"`)))
  await expect.poll(async () => (await runs()).map((all) => all.length > 0)).toEqual(types.map(() => true))
  await expect
    .poll(async () => (await ui.events('look')).some(({ eventType }) => /ACTIVITY_TASK_SCHEDULED/.test(eventType)))
    .toBe(true)
  const seen = new Set<string>()
  for (const { id } of (await runs()).flat())
    for (const { eventType, summary, ...event } of await ui.events(id)) {
      if (!/ACTIVITY_TASK_SCHEDULED|TIMER_STARTED|MARKER_RECORDED/.test(eventType)) continue
      if (JSON.stringify(event).includes('core_patch')) continue
      seen.add(eventType)
      expect(summary, `${id} ${JSON.stringify(event)}`).toMatch(/^.{5,120}$/)
    }
  expect([...seen].toSorted()).toEqual(
    ['ACTIVITY_TASK_SCHEDULED', 'MARKER_RECORDED', 'TIMER_STARTED'].map((type) => `EVENT_TYPE_${type}`),
  )
  await receiver.close()
})

test('a run handles a signal for each decision, and is sent what runs of the release before handle, too', async () => {
  const { definition } = await ui.metadata(calls.waiting)
  expect(definition.signalDefinitions.map(({ name }) => name).toSorted()).toEqual([
    'approved',
    'cancelled',
    'nudge',
    'rejected',
  ])
  for (const { name, description } of definition.signalDefinitions) expect(description, name).toMatch(/^.{10,}$/)
  const signalsOf = async (id: string) =>
    (await ui.events(id)).flatMap(({ workflowExecutionSignaledEventAttributes: told }) => told?.signalName ?? [])
  for (const signal of ['rejected', 'cancelled'] as const) {
    const callId = await ask()
    // As the next release will do: without a nudge.
    await decide(stack.ctx.db, callId, signal, user.id)
    await stack.ctx.temporal.workflow.getHandle(callId).signal(signal)
    expect(await stack.ctx.temporal.workflow.getHandle(callId).result()).toBe(signal)
    expect(await signalsOf(callId)).toEqual([signal])
  }
  for (const callId of [calls.executed, calls.rejected, calls.cancelled])
    expect(new Set(await signalsOf(callId)), callId).toEqual(new Set(['nudge']))
})

test('nothing of what a call says, nor who its owner is, stands in any of it', async () => {
  const secrets = [marker, contact.name, user.email, user.account.seeded.label, user.key.slice(8)]
  for (const [kind, id] of Object.entries(calls)) {
    const all = [
      await ui.list(`WorkflowId = "${id}"`),
      await ui.summary(id),
      await ui.metadata(id),
      await ui.events(id),
    ]
    const text = JSON.stringify(all)
    const decoded = [...text.matchAll(/"data":"([A-Za-z0-9+/=]+)"/g)].map(([, data = '']) =>
      Buffer.from(data, 'base64'),
    )
    expect(text, kind).toContain(user.account.id.slice(0, 4))
    for (const secret of secrets)
      expect([text, ...decoded].join('\n').includes(secret), `${kind}: ${secret}`).toBe(false)
  }
})

test.for(Object.entries({ desk, phone }))(
  'in a browser the list has these columns from the start, and a run its line (%s)',
  async ([name, size]) => {
    await using running = await startBrowser()
    const { page, problems } = await openPage(running.browser, size)
    const at = `${ui.origin}/namespaces/${foundation.namespace}/workflows`
    await page.goto(`${at}?query=${encodeURIComponent('CallgateOutcome="failed"')}`)
    const row = page.getByRole('row').filter({ hasText: calls.failed })
    await row.waitFor()
    for (const text of [app, 'get_listing', user.account.id, 'failed', 'app_rejected'])
      await expectShown(row.getByText(text, { exact: true }).first())
    expect(await page.getByText(calls.executed).count()).toBe(0)
    await shoot(page, `temporal-ui-list-${name}`)
    for (const kind of ['waiting', 'blocked', 'executed', 'failed'] as const) {
      await page.goto(`${at}/${calls[kind]}`)
      await page.getByText('User Metadata', { exact: true }).first().click()
      const missing = async (): Promise<readonly string[]> => {
        const [text, line] = await Promise.all([textOf(page), said(calls[kind])])
        const lines = ['Current Details', line.replace("'", '’'), `for ${user.account.id}`, 'for operators']
        return lines.filter((one) => !text.includes(one))
      }
      await expect.poll(missing, { message: kind }).toEqual([])
      await shoot(page, `temporal-ui-${kind}-${name}`)
    }
    expect(problems).toEqual([])
    if (name === 'desk') await keepsOwnColumns((await openPage(running.browser, desk)).page)
  },
)

/** With its frames, in which the UI shows the texts of runs. */
const textOf = async (page: Page): Promise<string> =>
  (await Promise.all(page.frames().map((frame) => frame.locator('body').innerText()))).join('\n')

type Locator = ReturnType<Page['getByText']>
const expectShown = async (found: Locator): Promise<void> => found.waitFor({ state: 'attached' })

/** A browser that has chosen columns keeps them. */
async function keepsOwnColumns(page: Page): Promise<void> {
  const key = 'namespace-workflow-table-columns'
  const chosen = { [foundation.namespace]: [{ label: 'Status' }, { label: 'Workflow ID' }] }
  await page.goto(`${ui.origin}/namespaces/${foundation.namespace}/workflows`)
  await page.evaluate(`localStorage.setItem(${JSON.stringify(key)}, ${JSON.stringify(JSON.stringify(chosen))})`)
  await page.reload()
  await page.getByRole('link', { name: calls.executed, exact: true }).first().waitFor()
  expect(JSON.parse(await page.evaluate<string>(`localStorage.getItem(${JSON.stringify(key)})`))).toMatchObject(chosen)
  expect(await page.getByText('CallgateOutcome').count()).toBe(0)
}
