import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../local-services/dev-server.ts'
import { databaseUrl, findCluster, type PostgresCluster } from '../../local-services/postgres.ts'
import { identify, isAlive, isProcessIdentity, signalProcess } from '../../local-services/process-identity.ts'
import { begin, launch, type Running } from '../../local-services/service.ts'
import { makeFolders } from '../supervisor/folders.ts'
import { nodeService } from '../supervisor/node-service.ts'

/** A Callgate in its own folder, to be killed piece by piece; its sandbox survives as witness. */
export interface Stage {
  readonly dir: string
  readonly cluster: PostgresCluster
  readonly databaseUrl: string
  readonly secretsFile: string
  readonly sandboxUrl: string
  readonly temporalAddress: string
  /** URLs of the two API processes. */
  readonly apis: readonly string[]
  /** Starts everything, also after the whole tree was killed. */
  start(): Promise<void>
  /** SIGKILL, after waiting for a restarting process. False: it did not come back in time. */
  kill(name: string): Promise<boolean>
  /** SIGKILL for the supervisor and all its processes; everything restarts at once. */
  killTree(): Promise<void>
  /** Whether both API processes become ready. */
  ready(withinMs: number): Promise<boolean>
  /** A graceful stop, as by Ctrl-C. The sandbox keeps running. */
  stop(): Promise<void>
  /** SIGKILL for everything but the sandbox, without a restart. */
  crash(): Promise<void>
  close(options: { readonly keep: boolean }): Promise<void>
}

/** `databaseUrl`, `temporalAddress`: servers that outlive the stage. Two workers by default. */
export async function openStage(
  own: { readonly databaseUrl?: string; readonly temporalAddress?: string; readonly workers?: number } = {},
): Promise<Stage> {
  const dir = mkdtempSync(join(tmpdir(), 'callgate-campaign-'))
  // Postgres may run as another user, who needs access.
  chmodSync(dir, 0o711)
  const { run, logs } = makeFolders(dir)
  const names = ['PORT', 'ADMIN_PORT', 'PORT_2', 'ADMIN_PORT_2', 'SANDBOX_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT']
  const ports: Record<string, string> = {}
  for (const name of names) ports[name] = String(await freePort())
  const env: NodeJS.ProcessEnv = { PATH: process.env['PATH'], HOME: process.env['HOME'], CALLGATE_DIR: dir, ...ports }
  for (const name of ['XDG_CACHE_HOME', 'GOFLAGS', 'GOPROXY']) if (process.env[name]) env[name] = process.env[name]
  if (own.databaseUrl !== undefined) env['DATABASE_URL'] = own.databaseUrl
  if (own.temporalAddress !== undefined) env['TEMPORAL_ADDRESS'] = own.temporalAddress
  env['CAMPAIGN_WORKERS'] = String(own.workers ?? 2)

  const cluster = await findCluster({ dir, env, log: () => undefined })
  const sandbox = await launch(
    nodeService({ name: 'sandbox', script: 'sandbox/main.ts', env, logs, stopWithinMs: 10_000 }),
  )
  const treeService = nodeService({
    name: 'tree',
    script: 'scripts/campaign/tree.ts',
    env,
    logs,
    stopWithinMs: 90_000,
    // For the start of all services together, on a busy machine.
    stalledAfterMs: 300_000,
  })

  let tree: Running | undefined
  let stopping = false
  const spawnTree = async (): Promise<Running> => {
    const running = await begin(treeService)
    tree = running
    // In production a service manager restarts it.
    void running.exited.then(async () => {
      if (stopping) return
      await endAll(run)
      if (!stopping) await spawnTree()
    })
    return running
  }

  const stop = async (): Promise<void> => {
    stopping = true
    await tree?.stop()
    tree = undefined
  }
  return {
    dir,
    cluster,
    databaseUrl: own.databaseUrl ?? databaseUrl(cluster),
    secretsFile: join(dir, 'secrets.json'),
    sandboxUrl: `http://127.0.0.1:${ports['SANDBOX_PORT']}`,
    temporalAddress: own.temporalAddress ?? `127.0.0.1:${ports['TEMPORAL_PORT']}`,
    apis: [ports['PORT'], ports['PORT_2']].map((port) => `http://127.0.0.1:${port}`),
    async start() {
      stopping = false
      await (
        await spawnTree()
      ).ready
    },
    kill: (name) => killService(run, name),
    async killTree() {
      await tree?.kill()
    },
    ready: (withinMs) =>
      readyWithin(
        [ports['ADMIN_PORT'], ports['ADMIN_PORT_2']].map((port) => `http://127.0.0.1:${port}/readyz`),
        withinMs,
      ),
    stop,
    async crash() {
      stopping = true
      await tree?.kill()
      await endAll(run)
    },
    async close({ keep }) {
      await stop()
      await sandbox.stop()
      if (keep) return
      for (const path of [cluster.dataDir, cluster.socketDir, dir]) await rm(path, { recursive: true, force: true })
    },
  }
}

function identityOf(run: string, name: string) {
  const file = join(run, `${name}.json`)
  if (!existsSync(file)) return undefined
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
  return isProcessIdentity(value) && isAlive(value) ? value : undefined
}

async function killService(run: string, name: string): Promise<boolean> {
  const deadline = Date.now() + 10_000
  for (;;) {
    const found = identityOf(run, name)
    if (found) {
      signalProcess(found.pid, 'SIGKILL')
      return true
    }
    if (Date.now() > deadline) return false
    await pause(20)
  }
}

/** Kills the processes that a killed supervisor left running, as in the kill of a whole tree. */
async function endAll(run: string): Promise<void> {
  const names = readdirSync(run).flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -'.json'.length)] : []))
  const living = names.flatMap((name) => identityOf(run, name) ?? [])
  for (const { pid } of living) signalProcess(-pid, 'SIGKILL')
  while (living.some(({ pid, started }) => identify(pid)?.started === started)) await pause(10)
}

/** Each API serves and is connected to Temporal, which accepting calls requires. */
async function readyWithin(urls: readonly string[], withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs
  const answers = async (url: string): Promise<boolean> => {
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) })
      return answer.ok && ((await answer.json()) as { engine?: boolean }).engine === true
    } catch {
      return false
    }
  }
  while (Date.now() < deadline) {
    if ((await Promise.all(urls.map(answers))).every(Boolean)) return true
    await pause(100)
  }
  return false
}
