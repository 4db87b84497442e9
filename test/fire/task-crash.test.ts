import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { followsTasks, replyOf } from '../mcp/asking.ts'
import { send } from '../mcp/raw.ts'
import type { Wire } from '../mcp/raw.ts'
import { startGateway } from './gateway.ts'
import type { Gateway } from './gateway.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

it('a client that follows a task polls on over a process that was killed, and gets the result', async () => {
  const api = await gateway.startApi()
  await gateway.startWorker()
  const user = await gateway.user()
  const url = `${gateway.publicUrl}/mcp`
  const params = { name: 'write_action', arguments: await replyOf(user) }
  const { result } = await send(url, user.key, { method: 'tools/call', params, capabilities: followsTasks })
  expect(result).toMatchObject({ resultType: 'task', status: 'working' })
  const { taskId, createdAt } = result

  const seen: unknown[] = []
  /** Asks until the task has ended, as often as the limit lets it; a gateway that is away, or says that it only starts, is asked again. */
  async function ended(): Promise<Wire['result']> {
    for (;;) {
      const asked = { method: 'tasks/get', params: { taskId }, capabilities: followsTasks }
      const told = await send(url, user.key, asked).catch(() => undefined)
      const is = told === undefined || told.status === 503 ? 'away' : told.result
      seen.push(is)
      if (is !== 'away' && is['status'] !== 'working') return is
      await sleep(600)
    }
  }
  const hears = (what: unknown) => expect.poll(() => seen.at(-1)).toEqual(what)
  const working: unknown = expect.objectContaining({ taskId, createdAt, status: 'working' })
  const effects = () => gateway.sandbox.effects(user.account.seeded.account)

  const end = ended()
  await hears(working)
  await api.kill()
  await hears('away')
  await gateway.startApi()
  await hears(working)
  expect(await effects()).toEqual([])

  expect((await user.approve(taskId)).status).toBe(303)
  expect(await end).toMatchObject({
    taskId,
    createdAt,
    status: 'completed',
    result: { structuredContent: { message_id: expect.any(String) as string } },
  })
  expect(await effects()).toHaveLength(1)
})
