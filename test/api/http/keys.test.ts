import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accessProblem } from '../../../core/keys/access.ts'
import { createKey, findKey, isWellFormedKey, revokeKey } from '../../../core/keys/rows.ts'
import { setScope } from '../../../core/accounts/settings.ts'
import { ask, startGateway } from './gateway.ts'
import type { Gateway } from './gateway.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const calls = (headers: Record<string, string>) => ask(`${gateway.url}/calls`, { headers })

describe('an API key', () => {
  it('tells every typo of one character by its checksum', async () => {
    const { key } = await gateway.newKey()
    expect(isWellFormedKey(key)).toBe(true)
    for (let i = 0; i < key.length; i++) {
      const typo = `${key.slice(0, i)}${key[i] === 'x' ? 'y' : 'x'}${key.slice(i + 1)}`
      expect(isWellFormedKey(typo), typo).toBe(false)
    }
    expect(isWellFormedKey(`${key}a`)).toBe(false)
    expect(isWellFormedKey(key.slice(0, -1))).toBe(false)
  })

  it('is kept as a keyed hash only', async () => {
    const { id, key } = await gateway.newKey()
    const { rows } = await gateway.ctx.db.query<{ row: string }>(
      'SELECT k::text AS row FROM api_keys k WHERE id = $1',
      [id],
    )
    expect(rows[0]?.row).not.toContain(key.slice(13))
    expect(await findKey(gateway.ctx, key)).toEqual({ id, owner: gateway.owner })
  })

  it('ends at once when it is revoked, for its owner only', async () => {
    const { id, key } = await gateway.newKey()
    expect(await revokeKey(gateway.ctx, 'user_somebody', id)).toBe(false)
    expect((await ask(`${gateway.url}/calls`, { key })).status).toBe(200)
    expect(await revokeKey(gateway.ctx, gateway.owner, id)).toBe(true)
    expect(await revokeKey(gateway.ctx, gateway.owner, id)).toBe(false)
    const refused = await ask(`${gateway.url}/calls`, { key })
    expect([refused.status, refused.body['error']]).toEqual([403, 'api_key_invalid'])
    // What is only for valid keys is not said to one that was remembered as such.
    expect([refused.headers.get('RateLimit'), refused.headers.get('RateLimit-Policy')]).toEqual([null, null])
  })

  it('ends when it expires', async () => {
    const options = { owner: gateway.owner, name: 'short', apps: null }
    const over = await createKey(gateway.ctx, { ...options, expiresAt: new Date(Date.now() - 1_000) })
    const later = await createKey(gateway.ctx, { ...options, expiresAt: new Date(Date.now() + 60_000) })
    expect(await findKey(gateway.ctx, over.key)).toBeUndefined()
    expect(await findKey(gateway.ctx, later.key)).toBeDefined()
  })

  it('is asked for when it is missing, and refused when it is not one', async () => {
    const { key } = await gateway.newKey()
    const other = await gateway.newKey()
    const code = async (headers: Record<string, string>) => {
      const { status, body } = await calls(headers)
      return status === 200 ? 200 : body['error']
    }
    expect(await code({})).toBe('api_key_required')
    expect(await code({ Authorization: 'Basic eDp5' })).toBe('api_key_required')
    expect(await code({ Cookie: `key=${key}` })).toBe('api_key_required')
    expect(await code({ Authorization: 'Bearer nonsense' })).toBe('api_key_invalid')
    expect(await code({ Authorization: `Bearer ${key}` })).toBe(200)
    expect(await code({ Authorization: `bearer ${key}` })).toBe(200)
    expect(await code({ 'X-API-Key': key })).toBe(200)
    expect(await code({ Authorization: `Bearer ${key}`, 'X-API-Key': key })).toBe(200)
    expect(await code({ Authorization: `Bearer ${key}`, 'X-API-Key': other.key })).toBe('api_key_invalid')
  })

  it('says when it was used last', async () => {
    const { id, key } = await gateway.newKey()
    await calls({ 'X-API-Key': key })
    const used = async () => {
      const { rows } = await gateway.ctx.db.query<{ used: boolean }>(
        'SELECT last_used_at IS NOT NULL AS used FROM api_keys WHERE id = $1',
        [id],
      )
      return rows[0]?.used
    }
    await expect.poll(used).toBe(true)
  })
})

describe('access', () => {
  const app = 'property-advertising'
  const problem = (keyId: string, endpoint: string, access: 'read' | 'write', owner = gateway.owner) =>
    accessProblem(gateway.ctx.db, { keyId, owner, app, endpoint, access })

  it('is had for the apps of the key only', async () => {
    expect(await problem((await gateway.newKey()).id, 'list_listings', 'read')).toBeNull()
    expect(await problem((await gateway.newKey([app, 'crm'])).id, 'list_listings', 'read')).toBeNull()
    expect(await problem((await gateway.newKey(['crm'])).id, 'list_listings', 'read')).toBe('access_not_granted')
    expect(await problem((await gateway.newKey([])).id, 'list_listings', 'read')).toBe('access_not_granted')
  })

  it('is had for what the owner allows only', async () => {
    const { id } = await gateway.newKey()
    await setScope(gateway.ctx, gateway.owner, app, 'read')
    expect(await problem(id, 'list_listings', 'read')).toBeNull()
    expect(await problem(id, 'update_listing', 'write')).toBe('SCOPE_DENIED')
    await setScope(gateway.ctx, gateway.owner, app, 'chosen', ['update_listing'])
    expect(await problem(id, 'list_listings', 'read')).toBe('SCOPE_DENIED')
    expect(await problem(id, 'update_listing', 'write')).toBeNull()
    await setScope(gateway.ctx, gateway.owner, app, 'all')
    expect(await problem(id, 'list_listings', 'read')).toBeNull()
  })

  it('ends with the key, and is never had through a key of somebody else', async () => {
    const { id } = await gateway.newKey()
    expect(await problem(id, 'list_listings', 'read', 'user_somebody')).toBe('api_key_invalid')
    await revokeKey(gateway.ctx, gateway.owner, id)
    expect(await problem(id, 'list_listings', 'read')).toBe('api_key_invalid')
    expect(await problem('key_made_up', 'list_listings', 'read')).toBe('api_key_invalid')
  })
})
