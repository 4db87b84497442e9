import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addWebhook, deleteTarget } from '../../core/notices/targets.ts'
import { listNotices } from '../../core/notices/list.ts'
import type { FailPoint } from '../../core/fail-point.ts'
import { exitText } from '../../local-services/service.ts'
import type { Running } from '../../local-services/service.ts'
import { startGateway } from '../fire/gateway.ts'
import type { Gateway } from '../fire/gateway.ts'
import { listen } from '../support/listen.ts'
import { apiService, exitOf, startProcess } from '../support/processes.ts'
import { startReceiver, verifies } from '../support/receiver.ts'
import type { Receiver } from '../support/receiver.ts'

describe('a notice whose API process is killed', () => {
  let gateway: Gateway
  let receiver: Receiver
  const started: Running[] = []
  beforeAll(async () => {
    gateway = await startGateway()
    receiver = await startReceiver()
  })
  afterAll(async () => {
    await Promise.all(started.map((process) => process.kill()))
    await gateway.stop()
    await receiver.close()
  })

  async function startApi(failPoint?: FailPoint): Promise<Running> {
    const port = Number(new URL(gateway.publicUrl).port)
    const armed = failPoint === undefined ? {} : { NODE_ENV: 'test', CALLGATE_FAIL_POINT: failPoint }
    const env = { WEBHOOK_ALLOW: '127.0.0.0/8', ...armed }
    const api = await startProcess(apiService(gateway.site, { port, adminPort: 0, env }))
    started.push(api)
    return api
  }

  it('goes on after a calm stop, too, though its receiver never answers', async () => {
    const silent = createServer(() => undefined)
    const port = await listen(silent)
    const api = await startApi()
    const user = await gateway.user()
    const made = await addWebhook(gateway, user.id, `http://127.0.0.1:${port}/`, ['call.waiting'])
    if (made === 'full') throw new Error('there is no room for a webhook')
    const told = once(silent, 'request')
    await user.call('update_listing', { listing_id: 'CV-none', fields: { price: 1 } })
    await told
    const began = Date.now()
    let answered = 0
    const over = new AbortController()
    const isOver = (): boolean => over.signal.aborted
    const asking = (async () => {
      while (!isOver()) {
        if ((await fetch(`${gateway.publicUrl}/llms.txt`).catch(() => undefined))?.ok === true) answered = Date.now()
        await pause(50)
      }
    })()
    await api.stop()
    over.abort()
    await asking
    // It waited for the receiver with its port open.
    expect(answered - began).toBeGreaterThan(3_000)
    expect(await listNotices(gateway.db, user.id, 5)).toMatchObject([{ state: 'pending', tries: 0 }])
    // It is not tried again when the next one is to meet its fail point.
    expect(await deleteTarget(gateway, user.id, made.id)).toBe(true)
    silent.closeAllConnections()
    silent.close()
  })

  it.each([
    ['before the engine hears of it arrives once', 'notice.before-start', 1],
    ['after the receiver took it, and before that was noted, arrives again with the same id', 'notice.unrecorded', 2],
  ] as const)('%s', async (_name, failPoint, arrivals) => {
    receiver.received.length = 0
    const api = await startApi(failPoint)
    const user = await gateway.user()
    const made = await addWebhook(gateway, user.id, receiver.url, ['call.waiting'])
    if (made === 'full') throw new Error('there is no room for a webhook')
    // It may die while the answer waits for what is looked up.
    const asking = user.call('update_listing', { listing_id: 'CV-none', fields: { price: 1 } }).catch(String)
    expect(exitText(await exitOf(api))).toContain('SIGKILL')
    await asking
    expect(receiver.received).toHaveLength(arrivals - 1)
    expect(await listNotices(gateway.db, user.id, 5)).toMatchObject([{ state: 'pending' }])

    const next = await startApi()
    // The engine notices a dead worker by the activity's time.
    await expect.poll(() => receiver.received.length).toBe(arrivals)
    await expect.poll(() => listNotices(gateway.db, user.id, 5)).toMatchObject([{ state: 'delivered' }])
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
    expect(receiver.received.every((message) => verifies(made.secret, message))).toBe(true)
    await next.kill()
  })
})
