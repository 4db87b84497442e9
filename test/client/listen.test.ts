import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Callgate } from '../../client/index.ts'
import { listen as forward } from '../../client/listen.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { listen } from '../support/listen.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack.stop())

test('callgate listen posts what webhooks would say, signed, from now on', async () => {
  const user = await stack.user()
  const contact = await firstContact(user)
  const input = (message: string) => ({ contact_id: contact, message })
  const earlier = await user.call('reply_to_contact', input('Earlier'))
  const said: string[] = []
  const events: unknown[] = []
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const secret = /WEBHOOK_SECRET=(\S+)/.exec(said.join('\n'))?.[1] ?? ''
    events.push(new Webhook(secret).verify(await text(request), request.headers as Record<string, string>))
    response.writeHead(204).end()
  }
  const server = createServer((request, response) => void take(request, response))
  const to = String(await listen(server))
  const over = new AbortController()
  const client = new Callgate({ apiKey: user.key, baseUrl: stack.url })
  const listening = forward({ client, url: stack.url, to, signal: over.signal, say: (line) => void said.push(line) })
  await expect.poll(() => said.length).toBeGreaterThan(0)
  // It has to know what was there before.
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  const asked = await user.call('reply_to_contact', input('Now'), { 'X-Callgate-Metadata': '{"run":"r-1"}' })
  const callId = asked.body['call_id']
  await expect.poll(() => events).toHaveLength(1)
  expect(events[0]).toMatchObject({
    type: 'call.waiting',
    data: { call_id: callId, confirm_url: asked.body['confirm_url'], metadata: { run: 'r-1' } },
  })
  await user.approve(callId)
  await user.reject(earlier.body['call_id'])
  await expect.poll(() => events).toHaveLength(3)
  expect(events.slice(1)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        type: 'call.final',
        data: expect.objectContaining({ call_id: callId, status: 'executed' }),
      }),
      expect.objectContaining({ type: 'call.final', data: expect.objectContaining({ status: 'rejected' }) }),
    ]),
  )
  over.abort()
  await listening
  server.close()
})

test.each([undefined, 'https://example.com/', '169.254.169.254', 'localhost.example.com:80'])(
  '%s is nowhere on this machine',
  async (to) => {
    const client = new Callgate({ apiKey: 'cg_live_x', baseUrl: stack.url })
    await expect(forward({ client, url: stack.url, to })).rejects.toThrow('Say where a program listens')
  },
)

test('an equal call that waits is said to be one, unless a key of its own makes it a second one', async () => {
  const user = await stack.user()
  const input = { contact_id: await firstContact(user), message: 'Twice' }
  const [first, second] = [await user.call('reply_to_contact', input), await user.call('reply_to_contact', input)]
  expect(String(first.body['message'])).not.toContain('You asked for the same before')
  expect(String(second.body['message'])).toContain('a second one needs an Idempotency-Key of its own')
  const keyed = { 'Idempotency-Key': 'one' }
  const [third, again] = [
    await user.call('reply_to_contact', input, keyed),
    await user.call('reply_to_contact', input, keyed),
  ]
  expect(third.body['call_id']).not.toBe(first.body['call_id'])
  expect(again.body['message']).toBe(third.body['message'])
})
