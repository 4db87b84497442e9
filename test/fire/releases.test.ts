import { execFile } from 'node:child_process'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../../local-services/dev-server.ts'
import type { Running } from '../../local-services/service.ts'
import { readReleases } from '../../core/temporal/releases.ts'
import { firstContact } from '../support/contacts.ts'
import { startFoundation } from '../support/foundation.ts'
import { handedOver } from '../support/history.ts'
import { apiService, startProcess } from '../support/processes.ts'
import { TestUser } from '../support/user.ts'
import { startGateway } from './gateway.ts'
import type { Gateway } from './gateway.ts'

const root = path.join(import.meta.dirname, '../..')

describe('two releases at once', () => {
  let gateway: Gateway
  let user: TestUser
  let contact: string
  const apis = new Map<string, { readonly process: Running; readonly url: string }>()
  beforeAll(async () => {
    const engine = await startFoundation()
    const { url: databaseUrl, temporalAddress, namespace: temporalNamespace } = engine
    const drop = () => engine.drop()
    gateway = await startGateway({ foundations: { databaseUrl, temporalAddress, temporalNamespace, drop } })
    await Promise.all([start('one'), gateway.startWorker()])
    const current = async () => expect((await readReleases(gateway.temporal)).current).toBe('one')
    await vi.waitFor(current, { timeout: 120_000 })
    user = await gateway.user()
    contact = await firstContact(at('one'))
  })
  afterAll(async () => {
    await Promise.all([...apis.values()].map(({ process }) => process.kill()))
    await gateway.stop()
  })

  async function start(release: string): Promise<void> {
    const port = await freePort()
    const env = { CALLGATE_RELEASE: release }
    const process = await startProcess(apiService(gateway.site, { port, adminPort: 0, name: `api-${release}`, env }))
    apis.set(release, { process, url: `http://127.0.0.1:${port}` })
  }

  const stop = async (release: string): Promise<void> => {
    await apis.get(release)?.process.stop()
    apis.delete(release)
  }

  /** The user's agent and browser at the API process of that release. */
  function at(release: string): TestUser {
    const { id, email, password, key, keyId, accounts } = user
    return new TestUser({ id, email, password, key, keyId, accounts, publicUrl: apis.get(release)?.url ?? '' })
  }

  async function deploy(...args: string[]): Promise<string> {
    const { databaseUrl, temporalAddress, temporalNamespace } = gateway.site
    const env = {
      PATH: process.env['PATH'],
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: temporalAddress,
      TEMPORAL_NAMESPACE: temporalNamespace,
    }
    const { stdout } = await promisify(execFile)(process.execPath, ['scripts/deploy.ts', ...args], { cwd: root, env })
    return stdout
  }

  async function asked(release: string, message: string): Promise<string> {
    const answer = await at(release).call('reply_to_contact', { contact_id: contact, message }, { Prefer: 'wait=0' })
    expect(answer.body).toMatchObject({ status: 'awaiting_confirmation' })
    return String(answer.body['call_id'])
  }

  async function approvedAt(release: string, callId: string): Promise<void> {
    expect((await at(release).approve(callId)).status).toBe(303)
    expect(await at(release).record(callId, 30)).toMatchObject({ status: 'executed' })
  }

  async function run(
    callId: string,
  ): Promise<{ readonly eager: boolean; readonly release: unknown; readonly id: string }> {
    const handle = gateway.temporal.workflow.getHandle(callId)
    const [{ raw, runId }, { events }] = await Promise.all([handle.describe(), handle.fetchHistory()])
    const eager = events?.[0]?.workflowExecutionStartedEventAttributes?.eagerExecutionAccepted === true
    return { eager, release: raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId, id: runId }
  }

  const goesOnWith = (callId: string) => async () => (await run(callId)).release

  it('the first becomes current by itself, the next one when it is told to, and calls that wait go over', async () => {
    const waiting = await asked('one', 'Begun by one.')
    await expect.poll(() => run(waiting)).toMatchObject({ eager: true, release: 'one' })
    await expect(deploy('two', '--current')).rejects.toThrow(/not found|no poller/i)
    await start('two')
    expect(await deploy()).toBe('current  one\nknown    two\n')
    expect(await deploy('two', '--current')).toBe('current  two\nknown    one\n')
    await stop('one')
    await approvedAt('two', waiting)
    expect((await run(waiting)).release).toBe('two')
  })

  it('and back again: what the new one began goes on with the old one', async () => {
    const waiting = await asked('two', 'Begun by two.')
    await expect.poll(() => run(waiting)).toMatchObject({ eager: true, release: 'two' })
    await start('one')
    expect(await deploy('--back')).toBe('current  one\nknown    two\n')
    await stop('two')
    await approvedAt('one', waiting)
    expect((await run(waiting)).release).toBe('one')
  })

  it('a share of the open calls goes on with one that ramps, until it is ended', async () => {
    await start('two')
    const waiting = await Promise.all(Array.from({ length: 12 }, (_, i) => asked('one', `Ramp ${i}`)))
    expect(await deploy('two', '--ramp', '50')).toBe('current  one\nramping  two, 50 of a hundred\n')
    await Promise.all(waiting.map((id) => at('one').cancel(id)))
    await Promise.all(waiting.map((id) => gateway.temporal.workflow.getHandle(id).result()))
    const took = await Promise.all(waiting.map((id) => goesOnWith(id)()))
    expect(new Set(took)).toEqual(new Set(['one', 'two']))
    expect(await deploy('--back')).toBe('current  one\nknown    two\n')
  })

  it('an account is sent for twice a second by both together, and each begins its calls at once', async () => {
    await deploy('two', '--ramp', '50')
    await sleep(3_000)
    const calls = await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        at(i % 2 ? 'one' : 'two').call(
          'add_contact_note',
          { contact_id: contact, note: `Note ${i}` },
          { Prefer: 'wait=30' },
        ),
      ),
    )
    expect(calls.map(({ status }) => status)).toEqual(calls.map(() => 200))
    const ids = calls.map(({ headers }) => headers.get('X-Request-Id') ?? '')
    const moments = await handedOver(gateway, ids)
    // Three at once at most, the others half a second apart.
    expect(Math.max(...moments) - Math.min(...moments)).toBeGreaterThan(((ids.length - 3) / 2) * 1_000 - 200)
    const runs = await Promise.all(ids.map(run))
    expect(runs.map(({ eager }) => eager)).toEqual(ids.map(() => true))
    expect(new Set(runs.map(({ release }) => release))).toEqual(new Set(['one', 'two']))
  })

  it('a run that goes on with another release is nothing strange to whoever looks after open calls', async () => {
    const waiting = await asked('one', 'Looked at.')
    const before = await run(waiting)
    await deploy('two', '--current')
    await gateway.db.query('UPDATE calls SET check_at = clock_timestamp() WHERE id = $1', [waiting])
    const looked = async () =>
      (await gateway.db.query('SELECT FROM calls WHERE id = $1 AND check_at > clock_timestamp()', [waiting])).rowCount
    await expect.poll(looked).toBe(1)
    expect((await run(waiting)).id).toBe(before.id)
    await approvedAt('two', waiting)
  })
})
