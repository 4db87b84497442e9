import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, it } from 'vitest'
import { connect } from '../../core/accounts/sessions.ts'
import { decide } from '../../core/calls/rows.ts'
import { exchange } from '../../connectors/runtime/exchange.ts'
import { listNotices } from '../../core/notices/list.ts'
import { addWebhook } from '../../core/notices/targets.ts'
import { liftPause, setAppPaused } from '../../core/operators/pauses.ts'
import { setConfirm } from '../../core/accounts/settings.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import { startReceiver } from '../support/receiver.ts'
import type { TestUser } from '../support/user.ts'
import { ownOrigin } from '../../connectors/runtime/site.ts'

const app = 'property-advertising'
const text = 'marker-of-an-input'
const root = path.join(import.meta.dirname, '../..')

/**
 * `npm run histories` records a history for each branch of the workflow that has none yet, from the real thing.
 * A file that is there is never overwritten: it stands for the calls that wait out there.
 */
describe('record the history of', () => {
  let stack: Stack
  let user: TestUser
  let contact: string
  beforeAll(async () => {
    stack = await startStack({ settings: { WEBHOOK_ALLOW: '127.0.0.0/8' } })
  })
  afterAll(() => stack.stop())
  afterEach(() => stack.sandbox.clearFaults())

  const branch = (name: string, run: () => Promise<unknown>): void => {
    const file = path.join(import.meta.dirname, `${name}.json`)
    it.runIf(!existsSync(file))(name, async () => {
      user = await stack.user()
      contact = await firstContact(user)
      const callId = String(await run())
      const handle = stack.ctx.temporal.workflow.getHandle(callId)
      await handle.result()
      // Stack traces of retried failures name files: without the machine's own path.
      const history = historyToJSON(await handle.fetchHistory()).replaceAll(`${root}/`, '')
      writeFileSync(file, `${JSON.stringify(JSON.parse(history))}\n`, { flag: 'wx' })
    })
  }

  const read = async () => (await user.call('list_listings', {}, { Prefer: 'wait=0' })).body['call_id']
  const write = async () =>
    (await user.call('add_contact_note', { contact_id: contact, note: text }, { Prefer: 'wait=0' })).body['call_id']
  const ask = async () => (await user.call('reply_to_contact', { contact_id: contact, message: text })).body['call_id']
  const settled = async (callId: unknown) => {
    await user.record(callId, 50)
    return callId
  }
  const approved = async () => {
    const callId = await ask()
    await user.approve(callId)
    return callId
  }
  const held = async (callId: unknown) => {
    while ((await user.record(callId))['waiting_for'] === undefined) await new Promise((r) => setTimeout(r, 200))
  }

  branch('read-executed', async () => settled(await read()))
  branch('write-executed', async () => settled(await write()))
  branch('approved-executed', async () => settled(await approved()))
  branch('rejected', async () => {
    const callId = await ask()
    await user.reject(callId)
    return callId
  })
  branch('expired', async () => {
    await setConfirm(stack.ctx, user.id, app, 'reply_to_contact', { expirySeconds: 2 })
    return settled(await ask())
  })
  branch('cancelled-waiting', async () => {
    const callId = await ask()
    await user.cancel(callId)
    return callId
  })
  branch('cancelled-queued', async () => {
    await setAppPaused(stack.ctx, app, true, 'operator')
    const callId = await approved()
    await held(callId)
    await user.cancel(callId)
    await stack.ctx.temporal.workflow.getHandle(String(callId)).result()
    await setAppPaused(stack.ctx, app, false, 'operator')
    return callId
  })
  branch('blocked-executed', async () => {
    await stack.sandbox.fault('block', { times: 2 })
    return settled(await read())
  })
  branch('blocked-given-up', async () => {
    await stack.sandbox.fault('block', { times: 4 })
    return settled(await write())
  })
  branch('approved-blocked-lifted', async () => {
    await stack.sandbox.fault('block', { times: 1 })
    const callId = await approved()
    await held(callId)
    await liftPause(stack.ctx, user.account.id, 'reply_to_contact', user.id)
    return settled(callId)
  })
  branch('approved-blocked-again', async () => {
    await stack.sandbox.fault('block', { times: 2 })
    const callId = await approved()
    const blockedTimes = async () =>
      (await stack.ctx.db.query<{ attempt: number }>('SELECT attempt FROM calls WHERE id = $1', [callId])).rows[0]
        ?.attempt
    for (const times of [1, 2]) {
      while ((await blockedTimes()) !== times) await new Promise((r) => setTimeout(r, 50))
      await held(callId)
      await liftPause(stack.ctx, user.account.id, 'reply_to_contact', user.id)
    }
    return settled(callId)
  })
  branch('rate-limited-executed', async () => {
    await stack.sandbox.fault('rate_limit', { times: 1 })
    return settled(await write())
  })
  branch('rate-limited-given-up', async () => {
    await stack.sandbox.fault('rate_limit', { times: 1, retry_after: 600 })
    return settled(await read())
  })
  branch('approved-reconnected', async () => {
    await stack.sandbox.fault('expire')
    const callId = await approved()
    await held(callId)
    await stack.sandbox.clearFaults()
    const { account, label, session } = user.account.seeded
    await connect(stack.ctx, { owner: user.id, app, externalId: account, label, session })
    return settled(callId)
  })
  branch('read-retried', async () => {
    await stack.sandbox.fault('error', { times: 1 })
    return settled(await read())
  })
  branch('worker-died-sending', async () => {
    await stack.stopWorker()
    const worker = await stack.workerProcess()
    await stack.sandbox.fault('slow', { ms: 5_000 })
    const callId = await write()
    const sent = async () =>
      (await stack.ctx.db.query(`SELECT 1 FROM calls WHERE id = $1 AND send = 'sending'`, [callId])).rowCount === 1
    while (!(await sent())) await new Promise((r) => setTimeout(r, 50))
    worker.kill('SIGKILL')
    await once(worker, 'exit')
    await stack.startWorker()
    return settled(callId)
  })
  branch('worker-died-before-sending', async () => {
    await stack.stopWorker()
    const worker = await stack.workerProcess()
    const locker = new pg.Client({ connectionString: stack.ctx.config.databaseUrl })
    await locker.connect()
    await setAppPaused(stack.ctx, app, true, 'operator')
    const callId = await write()
    await locker.query('BEGIN; LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE')
    await setAppPaused(stack.ctx, app, false, 'operator')
    await new Promise((r) => setTimeout(r, 1_500))
    worker.kill('SIGKILL')
    await once(worker, 'exit')
    await locker.query('ROLLBACK')
    await locker.end()
    await stack.startWorker()
    return settled(callId)
  })

  // With rounds of asking, since 0027. The faults of branches above would meet the looking up first: they were recorded before it.
  const again = async (callId: unknown) => {
    await stack.ctx.db.query(`UPDATE calls SET previewed_at = previewed_at - interval '2 minutes' WHERE id = $1`, [
      callId,
    ])
    await user.call('get_conversation', { contact_id: contact })
    await answerInApp()
    await user.approve(callId)
    while ((await user.record(callId))['asked_again'] === undefined) await new Promise((r) => setTimeout(r, 200))
  }
  const answerInApp = async () => {
    const known = stack.ctx.apps.get(app)!
    const { endpoints } = known
    const { outcome } = await exchange({
      endpoint: endpoints.get('reply_to_contact')!,
      input: { contact_id: contact, message: 'said in the app itself' },
      session: user.account.seeded.session,
      origin: ownOrigin(known),
      cursorKey: Buffer.alloc(32),
      fence: () => Promise.resolve(true),
    })
    if (outcome.kind !== 'ok') throw new Error(`the app did not take it: ${outcome.kind}`)
  }
  branch('asked-executed', async () => settled(await approved()))
  branch('asked-rejected', async () => {
    const callId = await ask()
    await user.reject(callId)
    return callId
  })
  branch('asked-expired', async () => {
    await setConfirm(stack.ctx, user.id, app, 'reply_to_contact', { expirySeconds: 5 })
    return settled(await ask())
  })
  branch('asked-again-executed', async () => {
    const callId = await ask()
    await again(callId)
    await user.approve(callId)
    return settled(callId)
  })
  branch('asked-again-rejected', async () => {
    const callId = await ask()
    await again(callId)
    await user.reject(callId)
    return callId
  })
  // The timer of a waiting call rings on when it was decided.
  branch('ringing-executed', async () => settled(await approved()))
  branch('ringing-rejected', async () => {
    const callId = await ask()
    await user.reject(callId)
    return callId
  })
  branch('ringing-expired', async () => {
    await setConfirm(stack.ctx, user.id, app, 'reply_to_contact', { expirySeconds: 5 })
    return settled(await ask())
  })
  branch('refused-before-asking', async () => {
    contact = '999999999'
    const { body } = await user.call('reply_to_contact', { contact_id: contact, message: text })
    return body['request_id']
  })

  // With their outcome in search attributes as they end, and told by signals with names.
  branch('outcome-executed', async () => settled(await approved()))
  branch('outcome-given-up', async () => {
    await stack.sandbox.fault('block', { times: 4 })
    return settled(await read())
  })
  branch('outcome-refused', async () => {
    contact = '999999999'
    return (await user.call('reply_to_contact', { contact_id: contact, message: text })).body['request_id']
  })
  branch('outcome-cancelled-queued', async () => {
    await setAppPaused(stack.ctx, app, true, 'operator')
    const callId = await approved()
    await held(callId)
    await user.cancel(callId)
    await stack.ctx.temporal.workflow.getHandle(String(callId)).result()
    await setAppPaused(stack.ctx, app, false, 'operator')
    return callId
  })
  branch('outcome-rejected-by-signal', async () => {
    const callId = await ask()
    await decide(stack.ctx.db, String(callId), 'rejected', user.id)
    await stack.ctx.temporal.workflow.getHandle(String(callId)).signal('rejected')
    return callId
  })

  /** A webhook that is told of one waiting call; the first answers are these, then 204. */
  const told = async (...answers: readonly number[]) => {
    const receiver = await startReceiver()
    for (const status of answers) receiver.answer(status)
    await addWebhook(stack.ctx, user.id, receiver.url, ['call.waiting'])
    await ask()
    const last = async () => (await listNotices(stack.ctx.db, user.id, 1))[0]
    while ((await last())?.last_result == null) await new Promise((r) => setTimeout(r, 50))
    receiver.answer(204)
    const notice = await last()
    await stack.ctx.temporal.workflow.getHandle(notice?.id ?? '').result()
    await receiver.close()
    return notice?.id
  }
  branch('notice-delivered', () => told())
  branch('notice-retried', () => told(503))
})
