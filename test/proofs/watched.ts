import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect } from 'vitest'
import { connect } from '../../core/accounts/sessions.ts'
import { migrate } from '../../core/database/migrate.ts'
import { operatorToken } from '../../core/operators/credentials.ts'
import { freePort } from '../../local-services/dev-server.ts'
import type { Running } from '../../local-services/service.ts'
import { startGateway } from '../fire/gateway.ts'
import { startFoundation } from '../support/foundation.ts'
import type { Foundation } from '../support/foundation.ts'
import type { Mailbox } from '../support/mailbox.ts'
import { apiService, startProcess, workerService } from '../support/processes.ts'
import { SandboxControl } from '../support/sandbox.ts'
import { startPrometheus } from './prometheus.ts'

/** As the server's owner, whose connections nobody limits. */
async function asSuperuser({ url }: Foundation, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

async function startFoundations() {
  const foundation = await startFoundation()
  await asSuperuser(foundation, `ALTER SYSTEM SET archive_mode = 'on'`, `ALTER SYSTEM SET archive_command = 'true'`)
  await foundation.killDatabase()
  await foundation.startDatabase()
  await migrate(foundation.url)
  const foundations = { ...foundation, databaseUrl: foundation.url, temporalNamespace: foundation.namespace }
  return { foundation, gateway: await startGateway({ foundations, logLevel: 'info' }) }
}

/** Two API processes, of which the second may do less at once than usual, and a worker; a Prometheus watches them. */
async function startAll() {
  const { foundation, gateway } = await startFoundations()
  const [port, adminPort] = [gateway.publicUrl, gateway.adminUrl].map((url) => Number(new URL(url).port)) as [
    number,
    number,
  ]
  const [mailPort, smallPort, smallAdmin, workerPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ]
  const sdk = [await freePort(), await freePort(), await freePort()]
  const mail = { SMTP_URL: `smtp://127.0.0.1:${mailPort}?ignoreTLS=true`, SMTP_FROM: 'gate@example.com' }
  const env = { WEBHOOK_ALLOW: '127.0.0.0/8', ...mail }
  const first = await startProcess(
    apiService(gateway.site, { port, adminPort, env: { ...env, SDK_METRICS_PORT: String(sdk[0]) } }),
  )
  const less = { ADMIT_ACCEPTING: '4', DATABASE_CONNECTIONS: '5', SIGN_IN_BROWSERS: '1' }
  const places = { port: smallPort, adminPort: smallAdmin, name: 'small' }
  const service = apiService(gateway.site, { ...places, env: { ...env, ...less, SDK_METRICS_PORT: String(sdk[1]) } })
  const small = { url: `http://127.0.0.1:${smallPort}`, service, running: await startProcess(service) }
  const ports = { WORKER_ADMIN_PORT: String(workerPort), SDK_METRICS_PORT: String(sdk[2]) }
  const workerOf = workerService(gateway.site, { env: ports })
  const worker = await startProcess(workerOf)
  const here = (all: readonly number[]): string[] => all.map((one) => `127.0.0.1:${one}`)
  const prometheus = await startPrometheus(gateway.site.dir, {
    'callgate-api': here([adminPort, smallAdmin]),
    'callgate-worker': here([workerPort]),
    'callgate-sdk': here(sdk),
    temporal: [],
  })
  return {
    foundation,
    gateway,
    prometheus,
    user: await gateway.user(),
    first,
    small,
    workerOf,
    worker,
    mailPort,
    mailbox: undefined as Mailbox | undefined,
  }
}

export const post = (url: string, token: string, body: object): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

/** The same again every so many ms, whatever it comes to, until it is stopped. */
export function again(ms: number, work: () => Promise<unknown>): () => Promise<void> {
  const over = new AbortController()
  const loop = (async () => {
    while (!over.signal.aborted) {
      await work().catch(() => undefined)
      await pause(ms)
    }
  })()
  return () => {
    over.abort()
    return loop
  }
}

export type Watched = Awaited<ReturnType<typeof startWatched>>

export async function startWatched() {
  const all = await startAll()
  const { foundation, gateway, prometheus, user, small } = all
  /** Alerts that went off and ended. */
  const tried: string[] = []
  return Object.assign(all, {
    tried,
    startWorker: (): Promise<Running> => startProcess(all.workerOf),
    asSuperuser: (...statements: readonly string[]) => asSuperuser(foundation, ...statements),
    operator: (where: string, body: object) =>
      post(`${gateway.adminUrl}/operator${where}`, operatorToken(gateway.secrets), body),
    atSmall: (where: string, body: object = {}) =>
      post(`${small.url}/api/v1/property-advertising/${where}`, user.key, body),

    /** Makes the cause, waits until all these alerts go off, mends it with what `make` returns, and waits until none does. */
    async cause(names: readonly string[], make: () => Promise<() => unknown>): Promise<void> {
      const began = Date.now()
      const seconds = (): number => Math.round((Date.now() - began) / 1000)
      const mend = await make()
      const missing = async () => {
        const firing = await prometheus.firing()
        return names.filter((name) => !firing.includes(name))
      }
      try {
        await expect.poll(missing, { timeout: 300_000, interval: 1_000, message: `${names.join()} go off` }).toEqual([])
      } finally {
        await mend()
      }
      const after = seconds()
      const left = async () => (await prometheus.firing()).filter((name) => names.includes(name))
      await expect.poll(left, { timeout: 400_000, interval: 1_000, message: `${names.join()} end` }).toEqual([])
      console.log(`${names.join(', ')}: after ${after} s, ended ${seconds() - after} s later`)
      tried.push(...names)
    },

    /** Somebody with a seeded account of another app; what they ask it. */
    async seeded(app: string) {
      const sandbox = new SandboxControl(gateway.site.sandboxUrl, app)
      const owner = await gateway.user({ accounts: [] })
      const [account] = await sandbox.accounts()
      if (account === undefined) throw new Error(`${app} has no account`)
      const { account: externalId, label, session } = account
      await connect({ db: gateway.db, secrets: gateway.secrets }, { owner: owner.id, app, externalId, label, session })
      return {
        sandbox,
        ask: (endpoint: string): Promise<unknown> =>
          owner.send('POST', `/${app}/${endpoint}`, {}, { Prefer: 'wait=1' }),
      }
    },

    async stop(): Promise<void> {
      await all.mailbox?.close()
      await prometheus.stop()
      await Promise.all([all.first.kill(), small.running.kill(), all.worker.kill()])
      await gateway.stop()
    },
  })
}
