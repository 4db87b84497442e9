import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exitText } from '../../local-services/service.ts'
import { askAsOperator } from '../support/operator.ts'
import { exitOf, secretsFile } from '../support/processes.ts'
import { startGateway } from './gateway.ts'
import type { Gateway } from './gateway.ts'

interface KeyFile {
  readonly kek: Record<string, string>
  /** One text, or a ring. */
  readonly pepper: Record<string, string>
}

describe('the key-encryption key and the pepper', () => {
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway()
  })
  afterAll(() => gateway.stop())

  const newKey = () => randomBytes(32).toString('base64')
  const file = () => secretsFile(gateway.site)
  const keys = () => JSON.parse(readFileSync(file(), 'utf8')) as KeyFile
  const wrappedBy = async (): Promise<Record<string, number>> => {
    const { rows } = await gateway.db.query<{ key: string; n: number }>(
      `SELECT encode(substring(data_key FROM 1 FOR 2), 'escape') AS key, count(*)::integer AS n FROM accounts GROUP BY 1`,
    )
    return Object.fromEntries(rows.map(({ key, n }) => [key, n]))
  }

  it('are rotated: killed halfway everything opens, the next start finishes, and the old keys can go', async () => {
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
    const person = await users[1]?.person()
    const once = async () => {
      const answer = await user?.call('list_contacts', { limit: 1 }, { 'Idempotency-Key': 'the same' })
      return answer?.body['call_id']
    }
    const first = await once()
    await read()
    expect(await wrappedBy()).toEqual({ k1: 3 })
    await Promise.all([api.kill(), worker.kill()])

    const before = keys()
    writeFileSync(
      file(),
      JSON.stringify({
        ...before,
        kek: { ...before.kek, k2: newKey() },
        pepper: { k1: before.pepper, k2: newKey() },
      }),
    )
    // It dies before or after it serves, and either way by that signal.
    const end = await gateway.startApi('rotate.halfway').then(
      async (process) => exitText(await exitOf(process)),
      (error: Error) => error.message,
    )
    expect(end).toContain('SIGKILL')
    expect(await wrappedBy()).toEqual({ k1: 2, k2: 1 })

    ;[api, worker] = await Promise.all([gateway.startApi(), gateway.startWorker()])
    await expect.poll(wrappedBy).toEqual({ k2: 3 })
    // Who came with the older pepper is known still, and with the newer one from then on.
    const { adminUrl, secrets } = gateway
    const peppers = async () => (await askAsOperator({ adminUrl, ctx: { secrets } }, 'GET', '/keys')).body['pepper']
    expect(await peppers()).toEqual([
      { id: 'k1', known: true, api_keys: 3 },
      { id: 'k2', known: true, api_keys: 0 },
    ])
    await read()
    expect(await once()).toBe(first)
    expect((await person?.get('/keys'))?.status).toBe(200)
    expect(await peppers()).toEqual([
      { id: 'k1', known: true, api_keys: 0 },
      { id: 'k2', known: true, api_keys: 3 },
    ])
    await Promise.all([api.kill(), worker.kill()])

    const rotated = keys()
    const newest = { kek: { k2: rotated.kek['k2'] }, pepper: { k2: rotated.pepper['k2'] } }
    writeFileSync(file(), JSON.stringify({ ...before, ...newest }))
    await Promise.all([gateway.startApi(), gateway.startWorker()])
    await read()
    // What was sealed before the rotation is still what the person approves.
    const callId = asked?.body['call_id']
    expect((await user?.approve(callId))?.status).toBe(303)
    expect(await user?.record(callId, 20)).toMatchObject({ status: 'executed' })
  })
})
