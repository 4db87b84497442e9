import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addDevice, addTopic, subscriptionFrom } from '../../core/notices/devices.ts'
import { listNotices, listTargets } from '../../core/notices/list.ts'
import { messageOf, subjectOf } from '../../core/notices/message.ts'
import type { ToldCall } from '../../core/notices/message.ts'
import { pushKeys } from '../../core/notices/push-keys.ts'
import { isZone, quietLeft, setQuiet } from '../../core/notices/quiet.ts'
import { askForTest, changeTarget, deleteTarget } from '../../core/notices/targets.ts'
import { newestKey } from '../../core/secrets/crypto.ts'
import { rewrapDataKeys } from '../../core/secrets/rotation.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { approveButton, openPage, phone, readOn, startBrowser } from '../support/chromium.ts'
import { firstContact } from '../support/contacts.ts'
import { historyText } from '../support/history.ts'
import { startPushService, vapidOf } from '../support/push-service.ts'
import type { PushService } from '../support/push-service.ts'
import { startReceiver } from '../support/receiver.ts'
import { subscribesAs, toldPhone } from '../support/told-phone.ts'
import type { TestUser } from '../support/user.ts'

const app = 'property-advertising'
const marker = 'marker-of-an-input'
const soon = { timeout: 120_000, interval: 50 }
const local = ['127.0.0.0/8']

let stack: Stack
let service: PushService
let user: TestUser
let contact: string
beforeAll(async () => {
  stack = await startStack({ settings: { WEBHOOK_ALLOW: '127.0.0.0/8' } })
  service = await startPushService()
})
afterAll(async () => {
  await stack.stop()
  await service.close()
})
beforeEach(async () => {
  service.pushed.length = 0
  service.answer(201)
  user = await stack.user()
  contact = await firstContact(user)
})

const ask = async (message = marker): Promise<string> =>
  String((await user.call('reply_to_contact', { contact_id: contact, message })).body['call_id'])
const states = async () =>
  (await listNotices(stack.ctx.db, user.id, 50)).map(({ kind, state, last_result: result }) => [kind, state, result])
const target = async () => (await listTargets(stack.ctx.db, user.id))[0]
/** As if the moment that is left for the app to be asked about it were over. */
const hurry = () =>
  stack.ctx.db.query(`UPDATE notices SET check_at = clock_timestamp() WHERE owner = $1 AND state = 'pending'`, [
    user.id,
  ])
/** As if the pause between two messages were over. */
const paused = () =>
  stack.ctx.db.query('UPDATE notice_targets SET mail_at = clock_timestamp() WHERE owner = $1', [user.id])

async function device(of: TestUser = user, browser = service.subscribe()) {
  const subscription = subscriptionFrom(browser.json, local)
  if (subscription === undefined) throw new Error('no subscription')
  const made = await addDevice(stack.ctx, of.id, 'Phone', subscription)
  if (made === 'full') throw new Error('there is no room for a device')
  return { ...browser, id: made.id }
}

test('a device is told at once, sealed for its eyes and signed, and then of several together', async () => {
  const { id, read, endpoint } = await device()
  const first = await ask()
  await expect.poll(() => service.pushed.length, soon).toBe(1)
  const [pushed] = service.pushed
  if (pushed === undefined) throw new Error('nothing was pushed')
  expect(read(pushed)).toEqual({
    title: 'Property advertising',
    body: 'Send a message to a contact',
    path: `/confirm/${first}`,
    tag: first,
  })
  expect(pushed.headers).toMatchObject({ urgency: 'high', 'content-encoding': 'aes128gcm' })
  expect(Number(pushed.headers['ttl'])).toBeGreaterThan(71 * 3_600)
  const { key, claims } = vapidOf(pushed)
  expect(key).toBe((await pushKeys(stack.ctx)).publicKey)
  expect(claims).toMatchObject({ aud: new URL(endpoint).origin, sub: expect.stringMatching(/^(mailto|https):/) })
  await expect.poll(states, soon).toEqual([['call.waiting', 'delivered', '201']])
  const [notice] = await listNotices(stack.ctx.db, user.id, 1)
  const history = await historyText(stack.ctx, notice?.id ?? '')
  for (const hidden of [marker, endpoint, 'Phone', 'Send a message']) expect(history).not.toContain(hidden)

  const more = [await ask('two'), await ask('three')]
  await user.reject(more[1] ?? '')
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(service.pushed).toHaveLength(1)
  more.push(await ask('four'))
  await hurry()
  await paused()
  await expect.poll(() => service.pushed.length, soon).toBe(2)
  expect(service.pushed[1] && read(service.pushed[1])).toMatchObject({
    title: '2 calls wait for your approval',
    path: '/waiting',
    tag: 'several',
  })
  expect(await deleteTarget(stack.ctx, user.id, id)).toBe(true)
  const { rows } = await stack.ctx.db.query('SELECT secret, place, url FROM notice_targets WHERE id = $1', [id])
  expect(rows).toEqual([{ secret: null, place: null, url: null }])
})

test('the story of a phone: it is added, told by a push, tapped, the call is read and approved, and seen to be done', async () => {
  const browser = service.subscribe()
  const running = await startBrowser()
  const { page, problems } = await openPage(running.browser, phone)
  page.setDefaultTimeout(120_000)
  try {
    await page.context().grantPermissions(['notifications'], { origin: stack.publicUrl })
    await subscribesAs(page, browser)
    await page.goto(`${stack.publicUrl}/login?return_to=/notices`)
    await page.getByLabel('Email').fill(user.email)
    await page.getByLabel('Password').fill(user.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByLabel('Name of this device').fill('Ann’s phone')
    await page.locator('[data-device] form button').click()
    await page.getByText('this device', { exact: true }).waitFor()
    expect(await page.locator('[data-device] form button').isVisible()).toBe(false)
    expect(await target()).toMatchObject({ channel: 'push', name: 'Ann’s phone' })
    const told = await toldPhone(page, stack.publicUrl)

    const callId = await ask('The keys are with the neighbour.')
    await expect.poll(() => service.pushed.length, soon).toBe(1)
    const opened = browser.read(service.pushed[0]!)
    // The browser would open what came with its own key, and hand it to the worker.
    await told.push(JSON.stringify(opened))
    const notice = {
      title: 'Property advertising',
      body: 'Send a message to a contact',
      path: `/confirm/${callId}`,
      tag: callId,
    }
    await expect.poll(() => told.asked(), soon).toEqual([notice])
    await told.tap(notice.path)
    const address = `${stack.publicUrl}/confirm/${callId}`
    await expect.poll(async () => (await told.asked()).at(-1), soon).toBe(address)

    await page.goto(address)
    await page.getByRole('heading', { name: 'What will be sent' }).waitFor()
    await page.getByText('The keys are with the neighbour.').first().waitFor()
    await readOn(page)
    expect(await stack.sandbox.effects(user.account.seeded.account)).toEqual([])
    await approveButton(page).click()
    // By itself: nobody loads the page again.
    await page.getByText('Property advertising confirmed it.').first().waitFor()
    expect(await user.record(callId)).toMatchObject({ status: 'executed' })
    const effects = await stack.sandbox.effects(user.account.seeded.account)
    expect(effects.map(({ body }) => JSON.stringify(body))).toEqual([
      expect.stringContaining('The keys are with the neighbour.'),
    ])

    // What nobody can read is a notice all the same: browsers take pushing away from who shows none. No notice leads elsewhere.
    await told.push('{')
    await expect.poll(async () => (await told.asked()).at(-1), soon).toMatchObject({ path: '/waiting' })
    await told.tap('//evil.example/')
    await told.tap(undefined)
    const waiting = `${stack.publicUrl}/waiting`
    await expect.poll(async () => (await told.asked()).slice(3), soon).toEqual([waiting, waiting])
    expect(problems).toEqual([])
  } finally {
    await running.close()
  }
})

test.each([['404'], ['410']])('a device that answers %s is switched off, and told nothing more', async (status) => {
  service.answer(Number(status))
  await device()
  await ask()
  await hurry()
  await expect.poll(states, soon).toEqual([['call.waiting', 'failed', status]])
  expect(await target()).toMatchObject({ enabled: false, disabled_reason: 'gone' })
  await ask('two')
  expect(await states()).toHaveLength(1)
})

test('what fails is tried again, and told once it is taken', async () => {
  service.answer(503)
  const { read } = await device()
  await ask()
  await hurry()
  await expect.poll(states, soon).toEqual([['call.waiting', 'pending', '503']])
  await ask('two')
  service.answer(201)
  await expect.poll(() => service.pushed.map((one) => read(one)).at(-1), soon).toMatchObject({ tag: 'several' })
  await expect.poll(async () => (await states()).map(([, state]) => state), soon).toEqual(['delivered', 'delivered'])
})

test('each place is told of what its owner chose, and as much as they let it say', async () => {
  const receiver = await startReceiver()
  try {
    const { id, read } = await device()
    const made = await addTopic(
      stack.ctx,
      user.id,
      { url: `${new URL(receiver.url).origin}/calls-of-ann`, token: 'tk_secret' },
      local,
    )
    if ('problem' in made) throw new Error(made.problem)
    const choose = (
      one: string,
      choice: { muted?: string[]; shows: 'count' | 'all'; kinds?: ('call.waiting' | 'call.final')[] },
    ) => changeTarget(stack.ctx, user.id, one, { kinds: ['call.waiting'], muted: [], ...choice })
    await choose(id, { shows: 'all', kinds: ['call.waiting', 'call.final'], muted: [`${app} call.waiting`] })
    await choose(made.id, { shows: 'count' })
    const callId = await ask()
    await hurry()
    await expect.poll(() => receiver.received.length, soon).toBe(1)
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual({
      topic: 'calls-of-ann',
      title: '1 call waits for your approval',
      message: 'Open the page to read it.',
      click: `${stack.publicUrl}/confirm/${callId}`,
      priority: 4,
    })
    expect(receiver.received[0]?.headers.authorization).toBe('Bearer tk_secret')
    // A read, and what the person did themselves, are no news.
    await user.call('list_listings', { limit: 1 })
    await user.reject(await ask('rejected'))
    expect(service.pushed).toEqual([])
    await user.approve(callId)
    await expect.poll(() => service.pushed.length, soon).toBe(1)
    expect(service.pushed[0] && read(service.pushed[0])).toMatchObject({
      title: 'Property advertising',
      body: expect.stringMatching(new RegExp(`^Send a message to a contact: .*${marker}.*: done$`)),
      path: `/calls/${callId}`,
    })
    const kept = await stack.ctx.db.query('SELECT row_to_json(t)::text AS row FROM notice_targets t WHERE owner = $1', [
      user.id,
    ])
    for (const hidden of ['tk_secret', 'calls-of-ann', '/push/'])
      expect(JSON.stringify(kept.rows)).not.toContain(hidden)
  } finally {
    await receiver.close()
  }
})

test('in quiet hours nothing is told, a test is, and afterwards all that still waits at once', async () => {
  const { id, read } = await device()
  const now = new Date()
  const minute = now.getUTCHours() * 60 + now.getUTCMinutes()
  await setQuiet(stack.ctx, user.id, {
    from_minute: (minute + 1_435) % 1_440,
    to_minute: (minute + 60) % 1_440,
    zone: 'UTC',
  })
  await ask('one')
  await ask('two')
  await hurry()
  expect(await askForTest(stack.ctx, user.id, id)).toBe('asked')
  await expect.poll(() => service.pushed.map((one) => read(one)), soon).toMatchObject([{ tag: 'test' }])
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(service.pushed).toHaveLength(1)
  await setQuiet(stack.ctx, user.id, undefined)
  await paused()
  await expect.poll(() => service.pushed.length, soon).toBe(2)
  expect(service.pushed[1] && read(service.pushed[1])).toMatchObject({ title: '2 calls wait for your approval' })
})

test('a browser is one device, of whoever added it last, and outlives new keys', async () => {
  const { id, read, ...browser } = await device()
  expect((await device(user, { read, ...browser })).id).toBe(id)
  expect(await listTargets(stack.ctx.db, user.id)).toHaveLength(1)
  const kek = stack.ctx.secrets.kek as Map<string, Buffer>
  const first = newestKey(kek)
  kek.set('k-anew', randomBytes(32))
  expect(await rewrapDataKeys(stack.ctx)).toBeGreaterThan(1)
  kek.delete(first.id)
  await askForTest(stack.ctx, user.id, id)
  await expect.poll(() => service.pushed.map((one) => read(one)), soon).toMatchObject([{ tag: 'test' }])
  const other = await stack.user()
  expect((await device(other, { read, ...browser })).id).not.toBe(id)
  expect(await listTargets(stack.ctx.db, user.id)).toEqual([])
  expect(await listTargets(stack.ctx.db, other.id)).toMatchObject([{ channel: 'push', name: 'Phone' }])
  // Of strangers, nobody's.
  expect(await changeTarget(stack.ctx, other.id, id, { kinds: [], muted: [], shows: 'all' })).toBe(false)
})

test('only what can be pushed to is a subscription', async () => {
  const { json } = service.subscribe()
  const told = JSON.parse(json) as { endpoint: string; keys: { p256dh: string; auth: string } }
  const variants: readonly unknown[] = [
    'nonsense',
    {},
    { ...told, keys: {} },
    { ...told, endpoint: 'https://10.0.0.1/' },
    { ...told, endpoint: 'javascript:alert(1)' },
    { ...told, keys: { ...told.keys, auth: 'AAAA' } },
    { ...told, keys: { ...told.keys, p256dh: Buffer.alloc(65, 4).toString('base64url') } },
  ]
  expect(variants.map((one) => subscriptionFrom(JSON.stringify(one), local))).toEqual(variants.map(() => undefined))
  // By http only where the operator allows the network.
  expect(subscriptionFrom(json, [])).toBeUndefined()
  expect(subscriptionFrom(json, local)).toEqual({ endpoint: told.endpoint, ...told.keys })
  for (const url of ['https://ntfy.sh/', 'https://ntfy.sh/a b', 'https://ntfy.sh/topic?x=1', 'https://10.0.0.1/topic'])
    expect(await addTopic(stack.ctx, user.id, { url, token: '' }, [])).toHaveProperty('problem')
  const at = await addTopic(stack.ctx, user.id, { url: 'https://ntfy.sh/topic', token: 'two words' }, [])
  expect(at).toHaveProperty('problem')
})

const call: ToldCall = {
  callId: 'call_1',
  kind: 'call.waiting',
  status: 'awaiting_confirmation',
  app: 'Salon',
  action: 'Cancel an appointment',
  gist: 'Ana Prado',
  key: 'Front desk',
  until: new Date(10_000_000),
}
const ended: ToldCall = { ...call, callId: 'call_2', kind: 'call.final', status: 'unknown', until: null }

test.each([
  ['count', [call], '1 call waits for your approval', '1 call waits for your approval'],
  ['action', [call], 'Salon: Cancel an appointment (Front desk asks)', 'Salon'],
  ['all', [call], 'Salon: Cancel an appointment: Ana Prado (Front desk asks)', 'Salon'],
  ['all', [ended], 'Salon: Cancel an appointment: Ana Prado: may or may not have happened (Front desk asked)', 'Salon'],
  [
    'action',
    [call, ended],
    '1 call waits for your approval, 1 call has ended: Salon: Cancel an appointment and 1 more',
    '1 call waits for your approval, 1 call has ended',
  ],
] as const)('with “%s” a subject and a title say no more than that', (shows, calls, subject, title) => {
  expect(subjectOf(calls, shows)).toBe(subject)
  expect(messageOf(calls, shows, 0).title).toBe(title)
  expect(JSON.stringify(messageOf(calls, shows, 0)).includes('Ana')).toBe(shows === 'all')
})

test.each([
  ['22:00 to 07:00 at 23:30', 1_320, 420, '2026-01-10T22:30:00Z', 7.5],
  ['22:00 to 07:00 at 06:59', 1_320, 420, '2026-01-10T05:59:00Z', 1 / 60],
  ['22:00 to 07:00 at 07:00', 1_320, 420, '2026-01-10T06:00:00Z', 0],
  ['12:00 to 14:00 at 13:15', 720, 840, '2026-01-10T12:15:00Z', 0.75],
  ['12:00 to 14:00 at 11:59', 720, 840, '2026-01-10T10:59:00Z', 0],
])('from %s it is quiet for so many hours yet', (_, from, to, at, hours) => {
  expect(quietLeft({ from_minute: from, to_minute: to, zone: 'Europe/Vienna' }, new Date(at)) / 3_600_000).toBeCloseTo(
    hours,
  )
})

test('zones are known by their names', () => {
  expect(['Europe/Vienna', 'UTC', 'Mars/Base', ''].map(isZone)).toEqual([true, true, false, false])
})
