import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connect } from '../../core/accounts/sessions.ts'
import { listAudit } from '../../core/audit.ts'
import { listNotices, listTargets } from '../../core/notices/list.ts'
import { hidden } from '../../scripts/browsing.ts'
import { firstContact } from '../support/contacts.ts'
import { startMailbox, textOf } from '../support/mailbox.ts'
import type { Mailbox } from '../support/mailbox.ts'
import type { Person } from '../support/person.ts'
import { startPushService } from '../support/push-service.ts'
import type { PushService } from '../support/push-service.ts'
import { startReceiver, verifies } from '../support/receiver.ts'
import type { Receiver } from '../support/receiver.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import type { TestUser } from '../support/user.ts'
import { makeOwner, startTestSite } from './site.ts'
import { visitorOf } from './visitor.ts'

const soon = { timeout: 120_000, interval: 50 }

let stack: Stack
let mailbox: Mailbox
let receiver: Receiver
let pushes: PushService
let user: TestUser
let person: Person
const closing: (() => Promise<void>)[] = []
beforeAll(async () => {
  mailbox = await startMailbox()
  receiver = await startReceiver()
  pushes = await startPushService()
  stack = await startStack({
    settings: { SMTP_URL: mailbox.url, SMTP_FROM: 'gate@example.com', WEBHOOK_ALLOW: '127.0.0.0/8' },
  })
  closing.push(
    () => mailbox.close(),
    () => receiver.close(),
    () => pushes.close(),
  )
})
afterAll(async () => {
  await stack.stop()
  for (const close of closing) await close()
})
beforeEach(async () => {
  receiver.received.length = 0
  receiver.answer(204)
  user = await stack.user()
  person = await user.person()
})

type Fields = Readonly<Record<string, string>>
const show = async (): Promise<string> => (await person.get('/notices')).text()
const post = async (path: string, fields: Fields): Promise<Response> =>
  person.post(path, { csrf: hidden(await show(), 'csrf'), ...fields })
const targets = () => listTargets(stack.ctx.db, user.id)
const add = async (): Promise<{ id: string; secret: string }> => {
  const answer = await post('/notices', { action: 'add', url: receiver.url, kind: 'call.waiting' })
  expect(answer.status).toBe(200)
  const [secret = ''] = (await answer.text()).match(/whsec_[A-Za-z0-9+/=]{44}/) ?? []
  const id = (await targets()).at(-1)?.id ?? ''
  return { id, secret }
}

test('a webhook is added, shows its secret once, and takes a test', async () => {
  const { id, secret } = await add()
  expect(secret).not.toBe('')
  const page = await show()
  expect(page).toContain(receiver.url.replaceAll('&', '&amp;'))
  expect(page).not.toContain('whsec_')
  expect((await post(`/notices/${id}`, { action: 'test' })).headers.get('location')).toBe('/notices?said=test')
  await expect.poll(() => receiver.received.map((message) => verifies(secret, message)), soon).toEqual([true])
  await expect.poll(show, soon).toMatch(/A test[^]*delivered[^]*it answered 204/)
})

test('what cannot be an address is told beside the field, and nothing that was typed is lost', async () => {
  const answer = await post('/notices', { action: 'add', url: 'ftp://<b>example', kind: 'call.final' })
  expect(answer.status).toBe(422)
  const page = await answer.text()
  expect(page).toContain('value="ftp://&lt;b>example"')
  expect(page).toMatch(/aria-invalid="true"[^>]*aria-describedby="url-problem"/)
  expect(page).toMatch(/role="alert" id="url-problem">\s*This is not a web address/)
  expect(page).toMatch(/value="call\.final" checked/)
  expect(page).not.toMatch(/value="call\.waiting" checked/)
  const private_ = await post('/notices', { action: 'add', url: 'https://10.0.0.1/', kind: 'call.final' })
  expect(await private_.text()).toContain('public addresses only')
  const unticked = await post('/notices', { action: 'add', url: receiver.url })
  expect(unticked.status).toBe(422)
  const untickedPage = await unticked.text()
  expect(untickedPage).toContain('Tick at least one')
  expect(untickedPage).toContain(receiver.url)
  expect(await targets()).toEqual([])
})

test('a webhook is switched, its secret replaced, and it is deleted', async () => {
  const { id, secret } = await add()
  await post(`/notices/${id}`, { action: 'off' })
  expect(await targets()).toMatchObject([{ enabled: false }])
  expect((await post(`/notices/${id}`, { action: 'test' })).status).toBe(422)
  await post(`/notices/${id}`, { action: 'on' })
  expect(await targets()).toMatchObject([{ enabled: true }])
  const replaced = await (await post(`/notices/${id}`, { action: 'secret' })).text()
  const [anew = ''] = replaced.match(/whsec_[A-Za-z0-9+/=]{44}/) ?? []
  expect(anew).not.toBe('')
  expect(anew).not.toBe(secret)
  expect(await show()).toContain('the old secret signs too until')
  expect((await post(`/notices/${id}`, { action: 'delete' })).headers.get('location')).toBe('/notices?said=delete')
  expect(await show()).not.toContain(receiver.url)
  expect((await post(`/notices/${id}`, { action: 'on' })).status).toBe(404)
  const log = await listAudit(stack.ctx.db, { owner: user.id, before: null, limit: 20 })
  expect(log.map(({ action }) => action).filter((action) => action.startsWith('webhook.'))).toEqual([
    'webhook.deleted',
    'webhook.secret',
    'webhook.switched',
    'webhook.switched',
    'webhook.created',
  ])
  for (const hiddenWord of [secret, anew, 'of-the-receiver']) expect(JSON.stringify(log)).not.toContain(hiddenWord)
})

test('the email switch switches, and says where to', async () => {
  expect(await show()).toMatch(new RegExp(`To <bdi>${user.email}`))
  expect((await post('/notices', { action: 'email-on' })).headers.get('location')).toBe('/notices?said=email-on')
  expect(await targets()).toMatchObject([{ channel: 'email', enabled: true }])
  await post('/notices', { action: 'email-off' })
  expect(await targets()).toMatchObject([{ channel: 'email', enabled: false }])
  await post('/notices', { action: 'email-on' })
  expect(await targets()).toMatchObject([{ channel: 'email', enabled: true }])
})

test('a person chooses how phones, email and ntfy tell them, and when nothing does', async () => {
  const { json } = pushes.subscribe()
  const wrong: readonly (readonly [Fields, string])[] = [
    [{ action: 'add-device', name: 'Phone', subscription: '{}' }, 'no address that can be pushed to'],
    [{ action: 'add-device', name: ' ', subscription: json }, 'Give the device a name'],
    [{ action: 'add-ntfy', topic: 'https://ntfy.sh/', token: '' }, 'A topic looks like'],
    [{ action: 'add-ntfy', topic: 'https://10.0.0.1/topic', token: '' }, 'public addresses only'],
    [{ action: 'quiet-on', from: '22:00', to: '07:00', zone: 'Mars/Base' }, 'no such time zone'],
    [{ action: 'quiet-on', from: '22:00', to: '22:00', zone: 'UTC' }, 'begin and end at different times'],
    [{ action: 'quiet-on', from: '25:00', to: '07:00', zone: 'UTC' }, 'begin and end at different times'],
  ]
  for (const [fields, problem] of wrong) {
    const answer = await post('/notices', fields)
    expect([answer.status, (await answer.text()).includes(problem)], problem).toEqual([422, true])
  }
  expect(await targets()).toEqual([])
  const right: readonly Fields[] = [
    { action: 'add-device', name: '<b>Phone', subscription: json },
    { action: 'add-ntfy', topic: 'https://ntfy.sh/calls-of-ann', token: 'tk_secret' },
    { action: 'quiet-on', from: '22:00', to: '07:00', zone: 'Europe/Vienna' },
  ]
  for (const fields of right)
    expect((await post('/notices', fields)).headers.get('location')).toBe(`/notices?said=${fields['action']}`)
  const page = await show()
  expect(page).toMatch(/value="22:00"[^]*value="07:00"[^]*value="Europe\/Vienna"/)
  for (const hiddenWord of ['<b>Phone', 'calls-of-ann', 'tk_secret', '/push/']) expect(page).not.toContain(hiddenWord)

  const session = { cookies: [], user_agent: null }
  await connect(stack.ctx, { owner: user.id, app: 'crm', externalId: user.id, label: 'Ann', session })
  const [device] = await targets()
  const place = `/notices/${device?.id ?? ''}`
  const untold = await post(place, { action: 'save', name: 'Phone', shows: 'all' })
  expect([untold.status, (await untold.text()).includes('Tick at least one')]).toEqual([422, true])
  expect(await targets()).toMatchObject([{ name: '<b>Phone', shows: 'action' }, { channel: 'ntfy' }])
  const tell = 'property-advertising call.final'
  const saved = await post(place, { action: 'save', name: 'Phone', shows: 'all', tell })
  expect(saved.headers.get('location')).toBe(`${place}?said=saved`)
  expect(await targets()).toMatchObject([
    { name: 'Phone', shows: 'all', kinds: ['call.final'], muted: expect.arrayContaining(['crm call.final']) },
    { channel: 'ntfy' },
  ])
  const after = await (await person.get(place)).text()
  expect(after).toMatch(/value="property-advertising call\.final" checked/)
  expect(after).not.toMatch(/value="crm call\.final" checked/)
  await post('/notices', { action: 'quiet-off' })
  await post(place, { action: 'delete' })
  expect(await targets()).toMatchObject([{ channel: 'ntfy' }])
  const log = JSON.stringify(await listAudit(stack.ctx.db, { owner: user.id, before: null, limit: 20 }))
  for (const hiddenWord of ['calls-of-ann', 'tk_secret', '/push/']) expect(log).not.toContain(hiddenWord)
})

test('a webhook that failed shows why, and when it is tried next', async () => {
  receiver.answer(500)
  const { id } = await add()
  const contact = await firstContact(user)
  const asked = await user.call('reply_to_contact', { contact_id: contact, message: 'marker-of-an-input' })
  await expect.poll(show, soon).toMatch(/A call waits[^]*on its way[^]*1 try · it answered 500[^]*next try/)
  expect(await show()).toContain(`/calls/${String(asked.body['call_id'])}`)
  expect(await show()).not.toContain('marker-of-an-input')
  receiver.answer(410)
  await post(`/notices/${id}`, { action: 'test' })
  await expect.poll(show, soon).toContain('It answered 410')
})

test('nobody else sees or changes it, and every form needs its token', async () => {
  const { id } = await add()
  await user.call('list_listings', { limit: 1 })
  const stranger = await (await stack.user()).person()
  const page = await (await stranger.get('/notices')).text()
  for (const secret of [id, receiver.url, user.email]) expect(page).not.toContain(secret)
  const csrf = hidden(page, 'csrf')
  for (const action of ['test', 'on', 'off', 'secret', 'delete']) {
    expect((await stranger.post(`/notices/${id}`, { csrf, action })).status, action).toBe(404)
    expect((await person.post(`/notices/${id}`, { action })).status, action).toBe(403)
    expect((await person.post(`/notices/${id}`, { action, csrf })).status, action).toBe(403)
  }
  expect((await person.post('/notices', { action: 'email-on' })).status).toBe(403)
  expect((await post('/notices', { action: 'made up' })).status).toBe(422)
  expect((await post(`/notices/${id}`, { action: 'made up' })).status).toBe(422)
  expect((await post('/notices/ntt_made_up', { action: 'on' })).status).toBe(404)
  expect(await targets()).toMatchObject([{ enabled: true }])
  expect((await listNotices(stack.ctx.db, user.id, 5)).filter(({ kind }) => kind === 'test')).toEqual([])
})

test('without a mail server the page says so, and an eleventh webhook is refused', async () => {
  const site = await startTestSite()
  try {
    const owner = await makeOwner(site.ctx)
    const visitor = await visitorOf(site, owner)
    const first = await visitor.get('/notices')
    expect(first.text).toContain('Email is not set up')
    const csrf = hidden(first.text, 'csrf')
    expect((await visitor.post('/notices', { csrf, action: 'email-on' })).status).toBe(422)
    const form = { csrf, action: 'add', url: 'https://example.com/hook', kind: 'call.final' }
    for (let i = 0; i < 10; i++) expect((await visitor.post('/notices', form)).status).toBe(200)
    const full = await visitor.post('/notices', form)
    expect([full.status, full.text.includes('ten webhooks already')]).toEqual([422, true])
  } finally {
    await site.stop()
  }
})

test('a link for a lost password leaves by itself, to the address of now', async () => {
  const { rows } = await stack.ctx.db.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [user.id])
  const email = rows[0]?.email ?? ''
  const page = await fetch(`${stack.publicUrl}/forgot`)
  const cookie = page.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .join('; ')
  const body = new URLSearchParams({ csrf: hidden(await page.text(), 'csrf'), email })
  const asked = await fetch(`${stack.publicUrl}/forgot`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie },
    body,
  })
  expect(asked.status).toBe(303)
  const mailsToThem = () => mailbox.mails.filter(({ to }) => to.includes(email))
  await expect.poll(() => mailsToThem().length).toBe(1)
  const [mail] = mailsToThem()
  expect(mail && textOf(mail)).toContain(`${stack.publicUrl}/forgot/`)
})
