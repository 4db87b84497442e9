import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connect, disconnect } from '../../../core/accounts/sessions.ts'
import { createKey } from '../../../core/keys/rows.ts'
import { ask, startGateway } from './gateway.ts'
import type { Gateway, Got } from './gateway.ts'
import { accepted, app, newOwner, session } from './owners.ts'
import type { Owner } from './owners.ts'

let gateway: Gateway
let owner: Owner
beforeAll(async () => {
  gateway = await startGateway()
})
beforeEach(async () => {
  owner = await newOwner(gateway)
})
afterAll(() => gateway.stop())

const get = (path: string, who: Owner = owner) => ask(`${gateway.url}${path}`, { key: who.key })
const codeOf = ({ status, body }: Got) => [status, body['error']]

describe.each(['/connections', '/usage'])('%s', (path) => {
  it('wants a key, reads only, and knows no other query', async () => {
    expect(codeOf(await ask(`${gateway.url}${path}`))).toEqual([403, 'api_key_required'])
    expect(codeOf(await ask(`${gateway.url}${path}`, { key: 'cg_live_x' }))).toEqual([403, 'api_key_invalid'])
    const post = await ask(`${gateway.url}${path}`, { key: owner.key, json: {} })
    expect([...codeOf(post), post.headers.get('Allow')]).toEqual([405, 'method_not_allowed', 'GET, HEAD'])
    const refused = await get(`${path}?mnoth=2026-01`)
    expect(codeOf(refused)).toEqual([400, 'invalid_input'])
    expect(refused.body['details']).toEqual([expect.objectContaining({ path: 'mnoth' })])
    const head = await fetch(`${gateway.url}${path}`, { method: 'HEAD', headers: { 'X-API-Key': owner.key } })
    expect([head.status, await head.text(), head.headers.get('Cache-Control')]).toEqual([200, '', 'no-store'])
  })

  it('counts with the limit of /calls, not with that of the endpoints', async () => {
    await get('/calls')
    const { headers } = await get(path)
    expect(headers.get('RateLimit')).toBe('"call-records";r=118;t=60')
  })
})

describe('the connections', () => {
  const states = async () =>
    ((await get('/connections')).body['connections'] as { state: string }[]).map((c) => c.state)

  it('are the owner’s accounts, in the contract’s shape', async () => {
    const other = await newOwner(gateway)
    const { body } = await get('/connections')
    expect(body).toEqual({
      connections: [
        {
          app,
          account: owner.account,
          label: 'Agency',
          state: 'connected',
          connected_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
          last_used_at: null,
          connect_url: `${gateway.publicUrl}/connect/${app}?account=${owner.account}`,
        },
      ],
    })
    expect(JSON.stringify(body)).not.toContain(other.account)
  })

  it('leave out what was disconnected, and apps that the key has no access to', async () => {
    await connect(gateway.ctx, { owner: owner.id, app: 'crm', externalId: 'c1', label: 'Studio', session })
    const narrow = await createKey(gateway.ctx, { owner: owner.id, name: 'narrow', apps: ['crm'] })
    const { body } = await get('/connections', { ...owner, key: narrow.key })
    expect(body['connections']).toEqual([expect.objectContaining({ app: 'crm', label: 'Studio' })])
    await disconnect(gateway.ctx, owner.id, owner.account)
    expect((await get('/connections')).body['connections']).toEqual([expect.objectContaining({ app: 'crm' })])
  })

  it('say what each account needs', async () => {
    const { db } = gateway.ctx
    const pause = (until: string) =>
      db.query(
        `INSERT INTO pauses (account, endpoint, until, seconds) VALUES ($1, 'list_listings', now() + $2::interval, 60)
         ON CONFLICT (account, endpoint) DO UPDATE SET until = excluded.until`,
        [owner.account, until],
      )
    await pause('1 minute')
    expect(await states()).toEqual(['blocked'])
    await pause('-1 second')
    expect(await states()).toEqual(['connected'])
    await pause('1 minute')
    for (const state of ['expired', 'needs_check']) {
      await db.query('UPDATE accounts SET state = $2 WHERE id = $1', [owner.account, state])
      expect(await states(), 'what the person must do comes first').toEqual([state])
    }
  })

  it('tell when an account was last used: the latest send, not the youngest call', async () => {
    const { db } = gateway.ctx
    const [first, second, unsent] = [
      await accepted(gateway, owner),
      await accepted(gateway, owner),
      await accepted(gateway, owner),
    ]
    const used = async () =>
      ((await get('/connections')).body['connections'] as { last_used_at: string }[])[0]?.last_used_at
    expect(await used()).toBe(null)
    const sentAt = (id: string | undefined, at: string) =>
      db.query(`UPDATE calls SET send = 'sending', updated_at = $2 WHERE id = $1`, [id, at])
    await sentAt(second, '2026-01-02T00:00:00Z')
    await sentAt(first, '2026-01-03T00:00:00Z')
    expect(await used()).toBe('2026-01-03T00:00:00.000Z')
    await sentAt(unsent, '2026-01-04T00:00:00Z')
    expect(await used()).toBe('2026-01-04T00:00:00.000Z')
  })
})
