import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { setAppPaused } from '../../core/operators/pauses.ts'
import { connectors } from '../../connectors/apps.ts'
import type { ConnectorSpec, EndpointDefinition } from '../../connectors/kit/define.ts'
import type { Loaded } from '../../connectors/runtime/load.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { balancedLedger } from '../support/ledger.ts'
import type { TestUser } from '../support/user.ts'

const app = 'property-advertising'
const name = 'reply_to_contact'

/** Another release is deployed while a call waits: other code reads the answer, and never says what is sent. */
let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack.stop())
afterEach(async () => {
  await setAppPaused(stack.ctx, app, false, 'operator')
  await deploy()
})

async function deploy(release?: Readonly<Record<string, Loaded>>): Promise<void> {
  await stack.stopWorker()
  await stack.startWorker(release)
}

const found = connectors[app]
if (found === undefined || !('spec' in found)) throw new Error('no connector')
const { spec } = found
const reply = spec.endpoints.map((file) => file[name]).find((one) => one !== undefined)
const shown = spec.endpoints.map((file) => file['get_conversation']).find((one) => one !== undefined)
if (reply === undefined || shown === undefined) throw new Error('no such endpoints')

/** The connectors of a release whose reply is this one; undefined: it has none. */
function releaseWith(other: EndpointDefinition | undefined, changes: Partial<ConnectorSpec> = {}) {
  const endpoints = spec.endpoints.map((file) =>
    Object.fromEntries(
      Object.entries(file).flatMap(([own, one]) => (own !== name ? [[own, one]] : other ? [[own, other]] : [])),
    ),
  )
  return { ...connectors, [app]: { spec: { ...spec, endpoints, ...changes } } }
}

/** It would send another text to another place, and reads the answer in its own way. */
const edited: EndpointDefinition = {
  ...reply,
  line: { ...reply.line, path: reply.line.path.replace('/reply', '/elsewhere') },
  encode: () => ({ form: { text: 'As nobody approved.' } }),
  decode: (fields, context) => ({ ...reply.decode(fields, context), message_id: 'read by the newer release' }),
}

const effectsOf = (user: TestUser) => stack.sandbox.effects(user.account.seeded.account)

async function asked(user: TestUser): Promise<string> {
  const input = { contact_id: await firstContact(user), message: 'As it was shown.' }
  const { status, body } = await user.call(name, input)
  expect(status).toBe(202)
  return String(body['call_id'])
}

async function isSentAsShown(user: TestUser, callId: string): Promise<void> {
  expect(await user.record(callId, 20)).toMatchObject({
    status: 'executed',
    output: { message_id: 'read by the newer release' },
  })
  expect(await effectsOf(user)).toMatchObject([{ body: { text: 'As it was shown.' } }])
  await balancedLedger(stack.ctx, user.id)
}

it('a release between the asking and the approval changes nothing of what is sent, and reads the answer', async () => {
  const user = await stack.user()
  const callId = await asked(user)
  const newer = releaseWith(edited)
  await deploy(newer)
  const api = await stack.apiWith(newer)
  const there = (await user.person()).at(api.url)
  expect((await there.decide(callId, 'approve')).status).toBe(303)
  await isSentAsShown(user, callId)
})

it('a release between the approval and the sending changes nothing of what is sent, and reads the answer', async () => {
  const user = await stack.user()
  const callId = await asked(user)
  await setAppPaused(stack.ctx, app, true, 'operator')
  expect((await user.approve(callId)).status).toBe(303)
  await deploy(releaseWith(edited))
  await setAppPaused(stack.ctx, app, false, 'operator')
  await isSentAsShown(user, callId)
})

it.each([
  ['does not have the endpoint any more', releaseWith(undefined)],
  ['has the app at another address', releaseWith(reply, { origin: '{sandbox}/moved/' })],
  ['has a read under its name', releaseWith({ ...shown })],
])('a release that %s sends nothing of what was approved before', async (_what, release) => {
  const user = await stack.user()
  const callId = await asked(user)
  await setAppPaused(stack.ctx, app, true, 'operator')
  expect((await user.approve(callId)).status).toBe(303)
  await deploy(release)
  await setAppPaused(stack.ctx, app, false, 'operator')
  expect(await user.record(callId, 20)).toMatchObject({
    status: 'failed',
    error: { error: 'definition_changed' },
    credits_used: 0,
  })
  expect(await effectsOf(user)).toEqual([])
})
