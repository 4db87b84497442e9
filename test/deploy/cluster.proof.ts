import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import type { TLSConfig } from '@temporalio/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Context } from '../../core/context.ts'
import { openPool } from '../../core/database/pool.ts'
import { createLogger } from '../../core/log.ts'
import { operatorToken } from '../../core/operators/credentials.ts'
import { setConfirm } from '../../core/accounts/settings.ts'
import { loadSecrets } from '../../config.ts'
import { searchAttributes, retentionMs } from '../../local-services/settings.ts'
import { firstContact } from '../support/contacts.ts'
import { handedOver } from '../support/history.ts'
import { balancedLedger } from '../support/ledger.ts'
import { outerAddress } from '../support/outer-address.ts'
import { exitOf } from '../support/processes.ts'
import { queueRates } from '../support/rates.ts'
import { SandboxControl } from '../support/sandbox.ts'
import { makeUser } from '../support/user.ts'
import type { Answer, TestUser } from '../support/user.ts'
import { composeUp } from './composition.ts'
import type { Composition } from './composition.ts'

const app = 'property-advertising'
const patient = { Prefer: 'wait=50' }

/** The production server on Postgres, with the environment, jobs, settings and commands of docker-compose.yml. */
describe('the composition', () => {
  let up: Composition
  let connection: Connection
  let ctx: Pick<Context, 'db' | 'secrets' | 'temporal' | 'log'>
  let sandbox: SandboxControl
  beforeAll(async () => {
    up = await composeUp()
    connection = await Connection.connect({ address: up.temporalAddress, tls: up.temporalTls })
    const log = createLogger('fatal', 'test')
    const temporal = new Client({ connection, namespace: 'default' })
    ctx = { db: openPool(up.databaseUrl, log, 4), secrets: loadSecrets(up.secretsFile), temporal, log }
    sandbox = new SandboxControl(up.sandboxUrl, app)
    // On a machine that has never built it, the server is compiled first, beside the other tests.
  }, 1_500_000)
  afterAll(async () => {
    await ctx?.db.end()
    await connection?.close()
    await up?.down()
  })

  const user = (): Promise<TestUser> => makeUser({ ctx, publicUrl: up.publicUrl, sandbox })
  const effectsOf = (one: TestUser) => sandbox.effects(one.account.seeded.account)
  const note = (one: TestUser, contact: string, text: string): Promise<Answer> =>
    one.call('add_contact_note', { contact_id: contact, note: text }, patient)
  const ask = async (one: TestUser, contact: string, message = 'Hello'): Promise<string> =>
    String((await one.call('reply_to_contact', { contact_id: contact, message })).body['call_id'])
  const listed = async (query: string): Promise<string[]> => {
    const ids: string[] = []
    for await (const { workflowId } of ctx.temporal.workflow.list({ query })) ids.push(workflowId)
    return ids.toSorted()
  }
  async function ready(): Promise<void> {
    const health = async (): Promise<unknown> => (await fetch(`${up.adminUrl}/readyz`)).json()
    await expect.poll(health).toEqual({ database: true, engine: true, draining: false })
  }
  async function sending(one: TestUser): Promise<void> {
    const count = async () =>
      (await ctx.db.query(`SELECT 1 FROM calls WHERE owner = $1 AND send = 'sending'`, [one.id])).rowCount
    await expect.poll(count, { interval: 50 }).toBe(1)
  }

  it('has the namespace that Callgate needs, also after its jobs ran again', async () => {
    await up.runJob('temporal-schema')
    await up.runJob('temporal-namespace')
    const { config } = await connection.workflowService.describeNamespace({ namespace: 'default' })
    expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(retentionMs / 1000)
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace: 'default' })
    expect(Object.keys(customAttributes ?? {})).toEqual(expect.arrayContaining([...searchAttributes]))
    const { serverVersion } = await connection.workflowService.getSystemInfo({})
    expect(up.project.services['temporal']?.image?.split('@')[0]).toBe(`temporalio/server:${serverVersion ?? ''}`)
  })

  it('lets nobody talk to the engine who has no certificate of its authority, nor takes another for the engine', async () => {
    const { temporalAddress: address, temporalTls: tls } = up
    const refused = async (given: TLSConfig | false): Promise<string> => {
      try {
        const other = await Connection.connect({ address, tls: given, connectTimeout: 3_000 })
        await other.workflowService.getSystemInfo({})
        await other.close()
        return 'let in'
      } catch {
        return 'refused'
      }
    }
    const { clientCertPair, ...nobody } = tls
    expect(clientCertPair).toBeDefined()
    expect(await Promise.all([refused(tls), refused(false), refused(nobody)])).toEqual(['let in', 'refused', 'refused'])
    expect(await refused({ ...tls, serverNameOverride: 'another' })).toBe('refused')
  })

  it('shows the engine’s UI behind its own door', async () => {
    // Nothing runs behind it here: it is asked for, and who is not an operator changes nothing.
    expect((await fetch(`${up.uiUrl}/`)).status).toBe(503)
    const change = { method: 'POST', headers: { Origin: up.uiUrl } }
    expect((await fetch(`${up.uiUrl}/api/v1/namespaces/default/workflows/x/terminate`, change)).status).toBe(403)
  })

  it('lets nobody into the database without the password of the secret file', async () => {
    const { rows } = await ctx.db.query<{ port: string }>('SHOW port')
    const pool = openPool(`postgresql://callgate:wrong@127.0.0.1:${rows[0]?.port ?? ''}/callgate`, ctx.log, 1)
    await expect(pool.query('SELECT 1')).rejects.toThrow(/password authentication failed/)
    await pool.end()
  })

  it('answers a read, asks before it writes, sends what was approved once, and lets the rest expire', async () => {
    const one = await user()
    expect((await one.call('list_listings', { limit: 5 })).status).toBe(200)
    const contact = await firstContact(one)
    const approved = await ask(one, contact, 'One')
    await setConfirm(ctx, one.id, app, 'reply_to_contact', { expirySeconds: 3 })
    const forgotten = await ask(one, contact, 'Two')
    expect(await effectsOf(one)).toEqual([])
    expect((await one.approve(approved)).status).toBe(303)
    expect(await one.record(approved, 20)).toMatchObject({ status: 'executed', credits_used: 3 })
    expect(await one.record(forgotten, 20)).toMatchObject({ status: 'expired', credits_used: 0 })
    expect(await effectsOf(one)).toHaveLength(1)
    await balancedLedger(ctx, one.id)
  })

  it.runIf(outerAddress)(
    'shows its apps to other containers, and the control routes to nobody but itself',
    async () => {
      const elsewhere = up.sandboxUrl.replace('127.0.0.1', outerAddress ?? '')
      expect((await fetch(`${elsewhere}/${app}/`)).status).toBe(200)
      const [inside, outside] = await Promise.all(
        [up.sandboxUrl, elsewhere].map((url) => fetch(`${url}/_sandbox/${app}/accounts`)),
      )
      expect([inside?.status, outside?.status]).toEqual([200, 404])
    },
  )

  it('shows a sign-in page in a browser of the browser service, which is gone with its page', async () => {
    const one = await user()
    const { cookieHeader: cookie } = await one.person()
    const socket = new WebSocket(`${up.publicUrl.replace('http', 'ws')}/connect/${app}/live`, {
      headers: { cookie, origin: up.publicUrl },
    })
    const [pictures, words]: [number[], string[]] = [[], []]
    socket.on('message', (data, isBinary) => {
      if (!Buffer.isBuffer(data)) return
      if (isBinary) pictures.push(data.length)
      else words.push(data.toString())
    })
    await expect.poll(() => pictures.length, { timeout: 60_000, message: words.join() }).toBeGreaterThan(0)
    expect(readdirSync(up.browserDir)).toHaveLength(1)
    socket.close()
    await expect.poll(() => readdirSync(up.browserDir), { timeout: 60_000 }).toEqual([])
  })

  it('lists runs by app, endpoint, owner and what they wait for', async () => {
    const one = await user()
    const callId = await ask(one, await firstContact(one))
    const query = `CallgateOwner = "${one.id}" AND CallgateApp = "${app}" AND CallgateEndpoint = "reply_to_contact"`
    const waiting = () => listed(`${query} AND CallgateWaitingFor = "confirmation"`)
    await expect.poll(waiting).toEqual([callId])
    await one.approve(callId)
    expect(await one.record(callId, 20)).toMatchObject({ status: 'executed' })
    await expect.poll(waiting).toEqual([])
    expect(await listed(query)).toEqual([callId])
  })

  it('paces each account, and the backlog of one delays no other', async () => {
    expect(await queueRates(ctx)).toEqual({ perApp: 20, perAccount: 2 })
    const [busy, calm] = [await user(), await user()]
    const contact = await firstContact(busy)
    await sleep(1_500)
    const flood = Promise.all(Array.from({ length: 16 }, (_, i) => note(busy, contact, `Note ${i}`)))
    const delays: number[] = []
    for (let i = 0; i < 3; i++) {
      await sleep(1_200)
      const began = performance.now()
      expect((await calm.call('list_listings', { limit: 1 })).status).toBe(200)
      delays.push(performance.now() - began)
    }
    const answers = await flood
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const ids = answers.map(({ headers }) => headers.get('X-Request-Id') ?? '')
    const moments = (await handedOver(ctx, ids)).toSorted((a, b) => a - b)
    const seconds = ((moments.at(-1) ?? 0) - (moments[0] ?? 0)) / 1000
    // A burst of three at once, then two a second. Without fairness it would take one second at the app's rate.
    expect(seconds).toBeGreaterThan((16 - 3) / 2 - 0.2)
    const [, median = Infinity] = delays.toSorted((a, b) => a - b)
    // Behind the backlog it would have waited for all of it.
    expect(median / 1000, `calls of another account meanwhile: ${delays.join(', ')} ms`).toBeLessThan(seconds / 2)
  })

  it('holds the calls of a paused app until it is resumed', async () => {
    const one = await user()
    const operate = (paused: boolean): Promise<Response> =>
      fetch(`${up.adminUrl}/operator/apps/${app}`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${operatorToken(ctx.secrets)}`,
          'X-Operator': 'ann',
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ paused }),
      })
    expect((await operate(true)).status).toBe(200)
    try {
      expect((await queueRates(ctx)).perApp).toBe(0)
      const held = await one.call('list_listings', { limit: 1 }, { Prefer: 'wait=2' })
      expect([held.status, held.body['status']]).toEqual([202, 'running'])
      expect(await one.record(held.body['call_id'])).toMatchObject({ waiting_for: 'operator' })
      await operate(false)
      expect(await one.record(held.body['call_id'], 20)).toMatchObject({ status: 'executed' })
    } finally {
      await operate(false)
    }
  })

  it('finishes what ran and what waited when the server was killed, each once', async () => {
    const one = await user()
    const contact = await firstContact(one)
    const waiting = await ask(one, contact)
    await sandbox.fault('slow', { ms: 2_000 })
    const written = note(one, contact, 'Survives')
    await sending(one)
    await up.killServer()
    await one.approve(waiting)
    await up.startServer()
    await ready()
    const answer = await written
    expect(await one.record(answer.headers.get('X-Request-Id'), 50)).toMatchObject({ status: 'executed' })
    expect(await one.record(waiting, 50)).toMatchObject({ status: 'executed' })
    expect(await effectsOf(one)).toHaveLength(2)
    await balancedLedger(ctx, one.id)
  })

  it('goes on when the database of both was killed', async () => {
    const one = await user()
    const waiting = await ask(one, await firstContact(one))
    await up.killDatabase()
    await up.startDatabase()
    await ready()
    await one.approve(waiting)
    expect(await one.record(waiting, 50)).toMatchObject({ status: 'executed' })
    expect(await effectsOf(one)).toHaveLength(1)
  })

  it('replaces its workers one by one, and none leaves a call behind', async () => {
    const one = await user()
    const contact = await firstContact(one)
    await sandbox.fault('slow', { ms: 2_000 })
    const written = note(one, contact, 'While workers change')
    await sending(one)
    const old = [...up.workers]
    expect(old.length).toBeGreaterThan(1)
    for (const worker of old) {
      await up.startWorker()
      const began = performance.now()
      await worker.stop()
      expect(await exitOf(worker)).toEqual({ code: 0, signal: null })
      expect(performance.now() - began).toBeLessThan(35_000)
    }
    expect((await written).status).toBe(200)
    expect((await one.call('list_listings', { limit: 1 })).status).toBe(200)
    expect(await effectsOf(one)).toHaveLength(1)
  })
})
