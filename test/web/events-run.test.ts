import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../core/accounts/sessions.ts'
import { hidden } from '../../scripts/browsing.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import type { Person } from '../support/person.ts'
import type { TestUser } from '../support/user.ts'

let stack: Stack
let user: TestUser
let person: Person
let contact: string
beforeAll(async () => {
  stack = await startStack()
  user = await stack.user()
  person = await user.person()
  contact = await firstContact(user)
  await stack.stopWorker()
})
afterAll(() => stack.stop())

async function approvedCall(message: string): Promise<string> {
  const { body } = await user.call('reply_to_contact', { contact_id: contact, message })
  await user.approve(body['call_id'])
  return String(body['call_id'])
}

async function follow(id: string): Promise<{ text: string; ended: Promise<void> }> {
  const response = await person.get(`/calls/${id}/events`)
  const decoder = new TextDecoder()
  const stream = { text: '', ended: Promise.resolve() }
  stream.ended = (async () => {
    for await (const chunk of response.body!) stream.text += decoder.decode(chunk, { stream: true })
  })()
  return stream
}

async function takeBack(id: string): Promise<Response> {
  const page = await (await person.get('/account')).text()
  return person.post(`/calls/${id}`, { csrf: hidden(page, 'csrf'), action: 'cancel' })
}

/** The steps of the call's page, without their times. */
async function steps(id: string): Promise<string[]> {
  const page = await (await person.get(`/calls/${id}`)).text()
  expect(page).toContain(`/workflows/${id}"`)
  const list = /<ol class="timeline"[^>]*>([^]*?)<\/ol>/.exec(page)?.[1] ?? ''
  return [...list.matchAll(/<\/span> ([^]*?)<\/li>/g)].map(([, step = '']) =>
    step.replaceAll(/<[^>]*>/g, '').replaceAll(/[\d,.]+ (ms|seconds)/g, 'a moment'),
  )
}

test('a call that waits for its turn is taken back live', async () => {
  const id = await approvedCall('Never sent')
  const stream = await follow(id)
  await expect.poll(() => stream.text).toContain('Waiting for its turn')
  expect(stream.text).toContain('Take it back')
  expect((await takeBack(id)).headers.get('location')).toBe(`/calls/${id}?said=cancelled`)
  await stream.ended
  expect(stream.text).toContain('It was taken back before it was sent')
  const late = await takeBack(id)
  expect(late.status).toBe(409)
  expect(await late.text()).toContain('Too late to take back')
})

test('the story of an approved call has each of its steps, in order', async () => {
  const { body } = await user.call('reply_to_contact', { contact_id: contact, message: 'Told step by step' })
  const id = String(body['call_id'])
  expect(await steps(id)).toEqual(['Requested with the key Test agent', '3 credits set aside'])
  await user.approve(id)
  const stream = await follow(id)
  await expect.poll(() => stream.text).toContain('Waiting for its turn')
  await stack.startWorker()
  await stream.ended
  // The engine tells of a try a moment after the record does.
  await expect
    .poll(() => steps(id))
    .toEqual([
      'Requested with the key Test agent',
      '3 credits set aside',
      'Approved by you, after waiting a moment',
      'Queued, at the pace that Property advertising allows',
      'Sent to Property advertising, after a moment in the queue',
      'Property advertising answered, after a moment',
      'Ended: done',
      '3 credits charged',
    ])
  expect(await user.record(id)).toMatchObject({ status: 'executed' })
})

test('the story tells what the app refused, what its person did about it, and that it asked for them', async () => {
  const { body } = await user.call('reply_to_contact', { contact_id: contact, message: 'Refused first' })
  const id = String(body['call_id'])
  await user.approve(id, () => stack.sandbox.fault('block'))
  await expect.poll(async () => (await user.record(id)).waiting_for, { interval: 500 }).toBe('blocked')
  await stack.sandbox.fault('expire')
  const page = await (await person.get('/apps/property-advertising')).text()
  const pause = /name="pause" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const lift = { csrf: hidden(page, 'csrf'), action: 'lift', pause }
  expect((await person.post('/apps/property-advertising', lift)).status).toBe(303)
  await expect.poll(async () => (await user.record(id)).waiting_for, { interval: 500 }).toBe('reconnect')
  await stack.sandbox.clearFaults()
  const { account, label, session } = user.account.seeded
  await connect(stack.ctx, { owner: user.id, app: stack.sandbox.slug, externalId: account, label, session })
  expect(await user.record(id, 30)).toMatchObject({ status: 'executed' })
  const line = 'Queued, at the pace that Property advertising allows'
  const order = [
    'Requested with the key Test agent',
    'Details looked up in Property advertising',
    'Approved by you, after waiting a moment',
    line,
    'Property advertising refused access, so nothing was done. It will be tried again later',
    'You asked for another try',
    line,
    'Property advertising wanted you to sign in again, so nothing was done yet',
    'You signed in to Property advertising again',
    line,
    'Sent to Property advertising, after a moment in the queue',
    'Property advertising answered, after a moment',
    'Ended: done',
  ]
  const told = async () => (await steps(id)).filter((step) => !step.startsWith('Its turn came'))
  // The engine tells of a try a moment after the record does.
  await expect.poll(async () => (await told()).filter((step) => !step.includes('credits'))).toEqual(order)
  expect((await told()).filter((step) => step.includes('credits'))).toEqual([
    '3 credits set aside',
    '3 credits returned',
    '3 credits set aside',
    '3 credits charged',
  ])
})
