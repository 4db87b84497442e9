import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { inject } from 'vitest'
import { launch } from '../../local-services/service.ts'
import type { Exit, Running, Service } from '../../local-services/service.ts'
import { makeSecrets } from '../../scripts/supervisor/secrets.ts'
import { nodeService } from '../../scripts/supervisor/node-service.ts'

/** What the processes of one Callgate share. */
export interface Site {
  /** An existing folder of its own: key file, logs, the sandbox's state. */
  readonly dir: string
  readonly databaseUrl: string
  readonly temporalAddress: string
  readonly temporalNamespace: string
  /** `http://localhost:<port>` */
  readonly sandboxUrl: string
  /** The address in links, where there are several API processes. */
  readonly publicUrl?: string
  readonly logLevel?: string
  /** Where the code is, when it is not this. */
  readonly root?: string
}

type Env = Readonly<Record<string, string>>

export const secretsFile = (site: Pick<Site, 'dir'>): string => path.join(site.dir, 'secrets.json')
export const logsOf = (site: Pick<Site, 'dir'>): string => path.join(site.dir, 'logs')

/** server/main.ts, which serves on `port`. `env` comes on top of what the site says. */
export function apiService(
  site: Site,
  options: { readonly port: number; readonly adminPort: number; readonly name?: string; readonly env?: Env },
): Service {
  const { port, adminPort, name = 'api', env } = options
  return service(site, name, 'server/main.ts', { PORT: String(port), ADMIN_PORT: String(adminPort), ...env })
}

/** activities/worker.ts. */
export function workerService(site: Site, options: { readonly name?: string; readonly env?: Env } = {}): Service {
  return service(site, options.name ?? 'worker', 'activities/worker.ts', options.env)
}

function service(site: Site, name: string, script: string, env: Env = {}): Service {
  mkdirSync(logsOf(site), { recursive: true })
  makeSecrets(secretsFile(site))
  shareBundle(site)
  return nodeService({
    name,
    script,
    logs: logsOf(site),
    stopWithinMs: 35_000,
    root: site.root,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      // Whoever cleans up after a killed test run finds its processes by this.
      TMPDIR: process.env['TMPDIR'],
      DATABASE_URL: site.databaseUrl,
      TEMPORAL_ADDRESS: site.temporalAddress,
      TEMPORAL_NAMESPACE: site.temporalNamespace,
      SANDBOX_URL: site.sandboxUrl,
      ...(site.publicUrl !== undefined && { PUBLIC_URL: site.publicUrl }),
      CALLGATE_DIR: site.dir,
      LOG_LEVEL: site.logLevel ?? 'warn',
      DRAIN_SECONDS: '0',
      ...env,
    },
  })
}

/** The first of all these processes bundles the workflows' code, and the others find it. */
function shareBundle({ dir }: Site): void {
  const bundles = path.join(dir, 'bundles')
  const shared = path.join(inject('sharedDir'), 'bundles')
  mkdirSync(shared, { recursive: true })
  if (!existsSync(bundles)) symlinkSync(shared, bundles)
}

/** Starts one process and waits until it serves. `exited` tells how it ended; `kill` is SIGKILL, `stop` asks first. */
export function startProcess(wanted: Service): Promise<Running> {
  return launch(wanted)
}

/** How the process ended; throws when it still runs after `ms`. */
export async function exitOf(running: Running, ms = 20_000): Promise<Exit> {
  const late = new AbortController()
  const timer = pause(ms, undefined, { signal: late.signal, ref: false }).then(
    () => undefined,
    () => undefined,
  )
  const exit = await Promise.race([running.exited, timer])
  late.abort()
  if (exit === undefined) throw new Error(`process ${running.pid} still runs after ${ms} ms`)
  return exit
}
