import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { decide } from '../oauth/flow.ts'
import type { TestUser } from '../support/user.ts'
import { Visitor } from '../web/visitor.ts'
import { installStrangers, kinds } from './kinds.ts'
import type { Installed } from './kinds.ts'
import type { Started, Stranger } from './led.ts'

const app = 'property-advertising'

let stack: Stack
let installed: Installed
let folder: string
beforeAll(async () => {
  installed = await installStrangers()
  stack = await startStack()
  folder = await mkdtemp(path.join(tmpdir(), 'callgate-strangers-'))
}, 300_000)
afterAll(async () => {
  await stack.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Finds the action, reads, writes, waits for the person, and has the result. `follows`: it tells of the write once that is over. */
async function story(stranger: Stranger, user: TestUser, follows = false): Promise<void> {
  const effects = () => stack.sandbox.effects(user.account.seeded.account)
  const { actions } = await stranger.use('search_actions', { words: 'reply to a contact' })
  expect((actions as object[])[0]).toMatchObject({ app, action: 'reply_to_contact', access: 'write', confirm: true })
  const read = await stranger.use('read_action', { app, action: 'list_contacts', input: {} })
  const contactId = (read['contacts'] as { contact_id: string }[])[0]?.contact_id ?? ''
  const input = { contact_id: contactId, message: 'The flat is still free' }
  const asked = stranger.use('write_action', { app, action: 'reply_to_contact', input })
  const callId = await waiting(user)
  if (!follows)
    expect(await asked).toMatchObject({
      status: 'awaiting_confirmation',
      call_id: callId,
      confirm_url: `${stack.publicUrl}/confirm/${callId}`,
      message: expect.stringContaining('Nothing has been sent yet') as string,
    })
  const ended = follows
    ? asked.then((output) => ({ status: 'executed', output }))
    : stranger.use('get_call', { call_id: callId, wait: 20 })
  expect(await effects()).toEqual([])
  expect((await user.approve(callId)).status).toBe(303)
  expect(await ended).toMatchObject({ status: 'executed', output: { contact_id: contactId } })
  expect(await effects()).toHaveLength(1)
  await stranger.close()
}

/** The call that waits for the person. */
async function waiting({ id }: TestUser): Promise<string> {
  const text = `SELECT id FROM calls WHERE owner = $1 AND status = 'awaiting_confirmation'`
  return vi.waitFor(
    async () => {
      const { rows } = await stack.ctx.db.query<{ id: string }>(text, [id])
      if (rows[0] === undefined) throw new Error('no call waits')
      return rows[0].id
    },
    { timeout: 120_000, interval: 100 },
  )
}

const nobody = () => Promise.reject(new Error('nobody is to be asked'))

// A program each: two at a time keep a machine busy.
vi.setConfig({ maxConcurrency: 2 })
afterAll(() => vi.resetConfig())

describe('a client that nobody here wrote gets a message sent, with a key and once its person signed in', () => {
  it.concurrent.each(kinds)('$name', async (kind) => {
    const place = { mcpUrl: `${stack.publicUrl}/mcp`, folder: await mkdtemp(path.join(folder, 'of-')) }
    const { keyOnly = false, stays = false, follows = false } = kind
    const started = await kind.start(place, installed)
    try {
      const user = await stack.user()
      await story(await started.open({ key: user.key, visit: nobody }), user)
      if (!keyOnly) await signedIn(started, follows)
      if (stays) await (await started.open({ key: undefined, visit: nobody })).close()
    } finally {
      await started.stop()
    }
  })
})

async function signedIn(started: Started, follows: boolean): Promise<void> {
  const user = await stack.user()
  const person = new Visitor({ url: stack.publicUrl })
  await person.signIn(user)
  let asked = 0
  const visit = (url: string): Promise<URL> => {
    asked += 1
    const { pathname, search } = new URL(url)
    return decide(person, pathname + search)
  }
  await story(await started.open({ key: undefined, visit }), user, follows)
  expect(asked).toBe(1)
}
