import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { exchange } from '../../connectors/runtime/exchange.ts'
import { ownOrigin } from '../../connectors/runtime/site.ts'
import type { Exchange } from '../../connectors/runtime/exchange.ts'
import type { App, Endpoint } from '../../connectors/registry.ts'
import { apps as allApps } from '../../sandbox/apps.ts'
import { startSandbox } from '../../sandbox/server.ts'
import type { AppSession } from '../../schemas/session.ts'
import { seededAccounts } from '../demo-accounts.ts'
import type { SeededAccount } from '../demo-accounts.ts'

/** Its own sandbox on a free port, and calls of endpoints against it through the connectors. */
export interface ExampleSandbox {
  readonly url: string
  readonly cursorKey: Buffer
  accounts(slug: string): Promise<readonly SeededAccount[]>
  /** Back to the seed. */
  reset(): Promise<void>
  /** One call as the demo user on a fresh seed. Throws if the input does not fit the endpoint. */
  run(app: App, endpoint: Endpoint, input: unknown): Promise<Exchange>
  /** One call as this account, on what earlier calls left. */
  call(app: App, endpoint: Endpoint, input: unknown, session: AppSession, timeoutMs?: number): Promise<Exchange>
  close(): Promise<void>
}

/** With all apps, or with this one alone; at the apps' own rates, unless it says another. */
export async function startExampleSandbox(
  slug?: string,
  rate?: { readonly actions: number; readonly seconds: number },
): Promise<ExampleSandbox> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'callgate-examples-'))
  const apps = allApps
    .filter((app) => slug === undefined || app.slug === slug)
    .map((app) => ({ ...app, rate: rate ?? app.rate }))
  const server = await startSandbox({ port: 0, host: '127.0.0.1', dataDir, apps })
  const cursorKey = Buffer.alloc(32, 1)
  const sandbox: ExampleSandbox = {
    url: server.url,
    cursorKey,
    accounts: (slug) => seededAccounts(server.url, slug),
    async reset() {
      const response = await fetch(`${server.url}/_sandbox/reset`, { method: 'POST' })
      if (!response.ok) throw new Error(`the sandbox could not be reset: ${response.status} ${await response.text()}`)
    },
    async run(app, endpoint, input) {
      await sandbox.reset()
      const demo = (await sandbox.accounts(app.slug)).find(({ user }) => user === 'demo')
      if (!demo) throw new Error(`${app.slug} has no account of the demo user`)
      return sandbox.call(app, endpoint, input, demo.session)
    },
    call(app, endpoint, input, session, timeoutMs = 15_000) {
      const parsed = endpoint.parseInput(input, { cursorKey })
      if (!parsed.ok) throw new Error(`${app.slug}.${endpoint.name}: ${JSON.stringify(parsed.details)}`)
      const fence = (): Promise<boolean> => Promise.resolve(true)
      return exchange({ endpoint, input: parsed.input, session, origin: ownOrigin(app), cursorKey, fence, timeoutMs })
    },
    async close() {
      await server.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  return sandbox
}
