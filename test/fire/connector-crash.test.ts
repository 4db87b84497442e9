import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '../../core/accounts/sessions.ts'
import { connectorCommand, shopPackage } from '../support/corner-shop.ts'
import type { ShopPackage } from '../support/corner-shop.ts'
import { startForum } from '../support/forum.ts'
import type { Forum } from '../support/forum.ts'
import { balancedLedger } from '../support/ledger.ts'
import type { TestUser } from '../support/user.ts'
import { startGateway } from './gateway.ts'
import type { Gateway } from './gateway.ts'
import { died } from './lane.ts'

/** A connector for the forum, whose tokens are renewed with one that is good once. */
const files = (host: string) => ({
  'package.json': JSON.stringify({
    name: 'club-forum',
    version: '1.0.0',
    callgate: { connector: './index.ts', api: 1, hosts: [host] },
  }),
  'index.ts': `import { Type, connector, endpoint, firstOf, jsonSignIn, session } from '@callgate/kit'
const list_notes = endpoint({
  summary: 'List the notes.', label: 'List notes', brief: [], access: 'read', request: 'GET /api/notes',
  input: {}, output: { notes: Type.Array(Type.String()) },
})
const add_note = endpoint({
  summary: 'Write a note.', label: 'Write a note', brief: ['note'], access: 'write', effect: 'adds',
  shownBy: [{ read: 'list_notes' }], request: 'POST /api/notes',
  input: { note: Type.String({ description: 'What it says.' }) }, output: { number: Type.Integer() },
})
export default connector({
  name: 'Club forum', description: 'The forum of a club.', role: 'admin', origin: '${host}/forum/',
  signIn: jsonSignIn({
    page: 'sign-in', who: 'api/me', account: ({ id, name }) => ({ id, label: name }), storage: ['access', 'refresh'],
  }),
  authorize: [session.token('access')],
  renew: {
    request: 'POST /oauth/refresh',
    form: { grant_type: 'refresh_token', refresh_token: { token: 'refresh' } },
    gives: { access: 'access_token', refresh: 'refresh_token' },
  },
  things: {},
  failure: firstOf(({ status }) => (status === 401 ? { kind: 'auth_expired' } : undefined)),
  endpoints: [{ list_notes, add_note }],
})
`,
})

describe('an added connector and a process that kills itself', () => {
  let gateway: Gateway
  let forum: Forum
  let source: ShopPackage
  let user: TestUser
  beforeAll(async () => {
    gateway = await startGateway()
    forum = await startForum()
    source = await shopPackage(files(`http://${forum.host}`))
    user = await gateway.user({ accounts: [] })
  })
  afterEach(() => gateway.killAll())
  afterAll(async () => {
    await gateway.stop()
    forum.close()
    await source[Symbol.asyncDispose]()
  })

  const add = () => connectorCommand({ adminUrl: gateway.adminUrl, ctx: gateway }, 'add', source.folder, '--yes')
  const run = (name: string, input: object = {}) => user.send('POST', `/club-forum/${name}`, input)
  /** What of it is in the database. */
  const kept = async () => {
    const { rows } = await gateway.db.query<Record<string, number>>(
      `SELECT (SELECT count(*)::integer FROM added_connectors) AS added, (SELECT count(*)::integer FROM connector_bundles) AS bundles,
         (SELECT count(*)::integer FROM app_controls WHERE app = 'club-forum') AS queues,
         (SELECT count(*)::integer FROM audit_log WHERE action = 'connector.added') AS logged`,
    )
    return rows[0]
  }

  it('before an addition commits: nothing of it is there, and the same command adds it, once', async () => {
    const api = await gateway.startApi('connector.before-commit')
    const lost = await add()
    expect([lost.code, lost.said]).toEqual([6, expect.stringContaining('Whether it was done is not known')])
    await died(api, 'connector.before-commit')
    expect(await kept()).toEqual({ added: 0, bundles: 0, queues: 0, logged: 0 })

    await gateway.startApi()
    expect((await user.send('GET', '/club-forum')).status).toBe(404)
    const once = { added: 1, bundles: 1, queues: 1, logged: 1 }
    for (let times = 0; times < 2; times++) {
      expect((await add()).code).toBe(0)
      expect(await kept()).toEqual(once)
    }
    await expect.poll(async () => (await user.send('GET', '/club-forum')).status, { interval: 300 }).toBe(200)
  })

  it('after the app gave new tokens, before they are saved: no token is used twice, nothing is sent, and the person signs in again', async () => {
    const [, worker] = await Promise.all([gateway.startApi(), gateway.startWorker('renewal.before-saving')])
    const signedIn = () =>
      connect(
        { db: gateway.db, secrets: gateway.secrets },
        { owner: user.id, app: 'club-forum', externalId: 'admin', label: 'The admin', session: forum.signIn() },
      )
    const account = await signedIn()
    expect((await run('list_notes')).body).toEqual({ notes: [] })
    const { status, body } = await run('add_note', { note: 'once' })
    expect(status).toBe(202)
    const callId = body['call_id']
    forum.expire()
    expect((await user.approve(callId)).status).toBe(303)
    await died(worker, 'renewal.before-saving')
    expect(forum.renewals).toEqual({ good: 1, bad: 0 })

    await gateway.startWorker()
    const waits = async () => (await user.record(callId))['waiting_for']
    await expect.poll(waits, { interval: 1_000 }).toBe('reconnect')
    expect(await run('list_notes')).toMatchObject({ status: 409, body: { error: 'AUTH_EXPIRED' } })
    expect({ renewals: forum.renewals, notes: forum.notes }).toEqual({ renewals: { good: 1, bad: 0 }, notes: [] })

    expect(await signedIn()).toBe(account)
    expect(await user.record(callId, 40)).toMatchObject({
      status: 'executed',
      output: { number: 1 },
      credits_used: 3,
    })
    expect((await run('list_notes')).body).toEqual({ notes: ['once'] })
    // The session that came by signing in is renewed as any other.
    forum.expire()
    expect((await run('list_notes')).body).toEqual({ notes: ['once'] })
    expect(forum.renewals).toEqual({ good: 2, bad: 0 })
    expect((await balancedLedger(gateway, user.id)).reserved).toBe(0)
  })
})
