import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { FailPoint } from '../../core/fail-point.ts'
import type { Running } from '../../local-services/service.ts'
import { decide, ping, pkce, Program } from '../oauth/flow.ts'
import type { Answer } from '../oauth/flow.ts'
import type { TestUser } from '../support/user.ts'
import { Visitor } from '../web/visitor.ts'
import { startGateway } from './gateway.ts'
import type { Gateway } from './gateway.ts'
import { died } from './lane.ts'

describe('a process that dies while it gives a program its tokens', () => {
  let gateway: Gateway
  /** Another process of the gateway, which the program reaches when it tries again. */
  let other: string
  let program: Program
  let again: Program
  let dying: Running | undefined
  beforeAll(async () => {
    gateway = await startGateway()
    other = await gateway.anotherApi()
    again = await Program.register(other)
    program = new Program(gateway.publicUrl, again.id)
  })
  afterEach(() => dying?.kill())
  afterAll(() => gateway.stop())

  const start = async (point: FailPoint) => (dying = await gateway.startApi(point))
  const lost = (what: Promise<Answer>): Promise<string> =>
    what.then(
      ({ status }) => `answered ${status}`,
      () => 'lost',
    )

  /** What a person who allows it sends back. */
  async function allowed(user: TestUser): Promise<{ readonly code: string; readonly verifier: string }> {
    const visitor = new Visitor({ url: gateway.publicUrl })
    await visitor.signIn(user)
    const { verifier, challenge } = pkce()
    const back = await decide(visitor, program.asks(challenge))
    return { code: back.searchParams.get('code') ?? 'none', verifier }
  }

  async function grants(user: TestUser): Promise<{ readonly made: number; readonly good: number }> {
    const { rows } = await gateway.db.query<{ made: number; good: number }>(
      `SELECT count(*)::int AS made, count(*) FILTER (WHERE revoked_at IS NULL)::int AS good
       FROM api_keys JOIN oauth_grants ON key = id WHERE owner = $1`,
      [user.id],
    )
    return rows[0] ?? { made: 0, good: 0 }
  }

  const gets = async (token: unknown): Promise<number> => (await ping(`${other}/mcp`, token)).status

  it('before the code counts as used, leaves it good: the program sends it again', async () => {
    const process = await start('oauth.before-commit')
    const user = await gateway.user()
    const { code, verifier } = await allowed(user)
    expect(await lost(program.exchange(code, verifier))).toBe('lost')
    await died(process, 'oauth.before-commit')
    expect(await grants(user)).toEqual({ made: 0, good: 0 })
    const { status, body } = await again.exchange(code, verifier)
    expect([status, await gets(body['access_token'])]).toEqual([200, 200])
    expect(await grants(user)).toEqual({ made: 1, good: 1 })
  })

  it('after the code was used, leaves nothing that nobody holds: the code is refused, and the person allows it anew', async () => {
    const process = await start('oauth.before-answer')
    const user = await gateway.user()
    const { code, verifier } = await allowed(user)
    expect(await lost(program.exchange(code, verifier))).toBe('lost')
    await died(process, 'oauth.before-answer')
    expect(await grants(user)).toEqual({ made: 1, good: 1 })
    expect((await again.exchange(code, verifier)).body['error']).toBe('invalid_grant')
    expect(await grants(user)).toEqual({ made: 1, good: 0 })

    await start('oauth.before-commit')
    const anew = await allowed(user)
    const { status, body } = await again.exchange(anew.code, anew.verifier)
    expect([status, await gets(body['access_token'])]).toEqual([200, 200])
    expect(await grants(user)).toEqual({ made: 2, good: 1 })
  })

  it.each(['oauth.before-commit', 'oauth.before-answer'] as const)(
    'in the rotation of a refresh token, locks nobody out who sends it again (%s)',
    async (point) => {
      const process = await start(point)
      const user = await gateway.user()
      const { code, verifier } = await allowed(user)
      const first = (await again.exchange(code, verifier)).body
      const stolen = first['refresh_token']
      expect(await lost(program.refresh(stolen))).toBe('lost')
      await died(process, point)

      const second = await again.refresh(stolen)
      expect([second.status, await gets(second.body['access_token'])]).toEqual([200, 200])
      const third = await again.refresh(second.body['refresh_token'])
      expect([third.status, await gets(third.body['access_token'])]).toEqual([200, 200])
      expect(await grants(user)).toEqual({ made: 1, good: 1 })

      // The very tokens of the answer that was lost.
      const repeated = await again.refresh(stolen)
      expect(repeated.body['refresh_token']).toBe(second.body['refresh_token'])
      expect(await grants(user)).toEqual({ made: 1, good: 1 })
    },
  )
})
