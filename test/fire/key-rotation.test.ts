import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exitText } from '../../local-services/service.ts'
import { exitOf, secretsFile } from '../support/processes.ts'
import { startGateway } from './gateway.ts'
import type { Gateway } from './gateway.ts'

describe('the key-encryption key', { retry: 0 }, () => {
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway()
  }, 60_000)
  afterAll(() => gateway.stop())

  const file = () => secretsFile(gateway.site)
  const keys = () => JSON.parse(readFileSync(file(), 'utf8')) as { kek: Record<string, string> }
  const wrappedBy = async (): Promise<Record<string, number>> => {
    const { rows } = await gateway.db.query<{ key: string; n: number }>(
      `SELECT encode(substring(data_key FROM 1 FOR 2), 'escape') AS key, count(*)::integer AS n FROM accounts GROUP BY 1`,
    )
    return Object.fromEntries(rows.map(({ key, n }) => [key, n]))
  }

  it(
    'is rotated: killed halfway everything opens, the next start finishes, and the old key can go',
    { timeout: 120_000 },
    async () => {
      let [api, worker] = await Promise.all([gateway.startApi(), gateway.startWorker()])
      const users = [await gateway.user(), await gateway.user(), await gateway.user()]
      const read = async () => {
        for (const user of users) expect((await user.call('list_listings', { limit: 1 })).status).toBe(200)
      }
      const [user] = users
      const { listings } = (await user!.call('list_listings', { limit: 1 })).body
      const [{ listing_id } = {}] = listings as { listing_id?: string }[]
      const asked = await user?.call('update_listing', { listing_id, fields: { price: 1 } })
      expect(asked?.status).toBe(202)
      await read()
      expect(await wrappedBy()).toEqual({ k1: 3 })
      await Promise.all([api.kill(), worker.kill()])

      const before = keys()
      writeFileSync(
        file(),
        JSON.stringify({ ...before, kek: { ...before.kek, k2: randomBytes(32).toString('base64') } }),
      )
      // It dies before or after it serves, and either way by that signal.
      const end = await gateway.startApi('rotate.halfway').then(
        async (process) => exitText(await exitOf(process)),
        (error: Error) => error.message,
      )
      expect(end).toContain('SIGKILL')
      expect(await wrappedBy()).toEqual({ k1: 2, k2: 1 })

      ;[api, worker] = await Promise.all([gateway.startApi(), gateway.startWorker()])
      await expect.poll(wrappedBy, { timeout: 30_000 }).toEqual({ k2: 3 })
      await read()
      await Promise.all([api.kill(), worker.kill()])

      const { k2 = '' } = keys().kek
      writeFileSync(file(), JSON.stringify({ ...before, kek: { k2 } }))
      await Promise.all([gateway.startApi(), gateway.startWorker()])
      await read()
      // What was sealed before the rotation is still what the person approves.
      const callId = asked?.body['call_id']
      expect((await user?.approve(callId))?.status).toBe(303)
      expect(await user?.record(callId, 20)).toMatchObject({ status: 'executed' })
    },
  )
})
