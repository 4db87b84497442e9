import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig, localUrl } from '../config.ts'
import { messageOf, SetupError } from '../local-services/setup-error.ts'
import { seedDemo } from './demo.ts'
import { endLeftovers } from './supervisor/pid-files.ts'
import { layFoundation } from './supervisor/foundation.ts'
import { makeFolders } from './supervisor/folders.ts'
import { greeting } from './supervisor/greeting.ts'
import { nodeService } from './supervisor/node-service.ts'
import { checkPorts, wantedPorts } from './supervisor/ports.ts'
import { makeSecrets } from './supervisor/secrets.ts'
import { readSettings, type Settings } from './supervisor/settings.ts'
import { takeFolder } from './supervisor/single.ts'
import { supervise } from './supervisor/supervise.ts'

// Files of this process and its children are private to the user.
process.umask(0o077)

const log = (line: string) => console.log(`  ${line}`)
const stopped = stopSignal()
// A closed terminal or pipe must not prevent an orderly shutdown.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

try {
  await start(readSettings(process.env))
} catch (error) {
  if (!stopped.aborted) {
    console.error(error instanceof SetupError ? error.message : error)
    process.exitCode = 1
  }
}
process.exit()

async function start(settings: Settings): Promise<void> {
  checkPrograms(settings)
  const folders = makeFolders(settings.dir)
  const launcher = process.env['CALLGATE_LAUNCHER']
  const giveBack = await takeFolder({ run: folders.run, launcher: launcher ? Number(launcher) : undefined, log })
  try {
    const leftovers = await endLeftovers(folders.run)
    if (leftovers.length > 0) log(`stopped ${leftovers.join(', ')}, left by an npm start that was killed`)
    await checkPorts(wantedPorts(settings))
    const secretsFile = join(folders.dir, 'secrets.json')
    makeSecrets(secretsFile)
    log('starting Postgres, Temporal and the sandbox')
    const { services, databaseUrl, temporalAddress, temporalUi } = await layFoundation({
      settings,
      folders,
      env: process.env,
      log,
      signal: stopped,
    })
    const env = programEnv(settings, { databaseUrl, temporalAddress, temporalUi, secretsFile })
    const { logs } = folders
    const supervision = await supervise({
      run: folders.run,
      foundation: [
        ...services,
        nodeService({
          name: 'sandbox',
          script: 'sandbox/main.ts',
          env: sandboxEnv(settings),
          logs,
          stopWithinMs: 10_000,
        }),
      ],
      seed: () =>
        seedDemo({ databaseUrl, secretsFile, sandboxUrl: settings.sandboxUrl, dir: folders.dir, urls: urls(settings) }),
      programs: [
        nodeService({ name: 'api', script: 'server/main.ts', env, logs, stopWithinMs: 30_000 }),
        nodeService({ name: 'worker', script: 'activities/worker.ts', env, logs, stopWithinMs: 30_000 }),
      ],
      log,
      signal: stopped,
    })
    writeAddresses(folders.dir, settings)
    console.log(greeting(settings, supervision.seeded))
    await new Promise((resolve) => {
      if (stopped.aborted) resolve(undefined)
      else stopped.addEventListener('abort', resolve)
    })
    console.log('  stopping …')
    await supervision.stop()
  } finally {
    giveBack()
  }
}

/** Aborted by Ctrl-C, SIGTERM, a closed terminal, and the exit of the parent process. */
function stopSignal(): AbortSignal {
  const controller = new AbortController()
  const abort = () => controller.abort()
  process.on('SIGINT', abort)
  process.on('SIGTERM', abort)
  process.on('SIGHUP', abort)
  process.on('disconnect', abort)
  return controller.signal
}

/** Reports invalid API and worker config before anything starts. Throws SetupError. */
function checkPrograms(settings: Settings): void {
  const databaseUrl = settings.databaseUrl ?? 'postgresql://localhost/callgate'
  try {
    loadConfig(programEnv(settings, { databaseUrl, temporalAddress: 'localhost:7233', secretsFile: 'secrets.json' }))
  } catch (error) {
    throw new SetupError(messageOf(error))
  }
}

function programEnv(
  { dir, host, ports, publicUrl, sandboxUrl, temporalAddress, temporalNamespace, temporalUiUrl }: Settings,
  found: { databaseUrl: string; temporalAddress: string; temporalUi?: string | undefined; secretsFile: string },
): NodeJS.ProcessEnv {
  return {
    ...(temporalAddress === undefined ? forEmbedded(process.env, dir) : process.env),
    DATABASE_URL: found.databaseUrl,
    TEMPORAL_ADDRESS: found.temporalAddress,
    TEMPORAL_NAMESPACE: temporalNamespace,
    TEMPORAL_UI_URL: temporalUiUrl,
    TEMPORAL_UI_PORT: String(ports.TEMPORAL_UI_PORT),
    TEMPORAL_UI_UPSTREAM: found.temporalUi,
    HOST: host,
    PORT: String(ports.PORT),
    ADMIN_PORT: String(ports.ADMIN_PORT),
    PUBLIC_URL: publicUrl,
    SANDBOX_URL: sandboxUrl,
    CALLGATE_DIR: dir,
    CALLGATE_SECRETS: found.secretsFile,
    // Two processes cannot share the port.
    SDK_METRICS_PORT: '',
    // No load balancer in front: Ctrl-C need not wait.
    DRAIN_SECONDS: process.env['DRAIN_SECONDS'] || '0',
  }
}

/** Hides other servers' settings (variables, user's temporal.toml) from the embedded one. */
function forEmbedded(env: NodeJS.ProcessEnv, dir: string): NodeJS.ProcessEnv {
  const rest = Object.entries(env).filter(([name]) => !name.startsWith('TEMPORAL_'))
  return { ...Object.fromEntries(rest), TEMPORAL_CONFIG_FILE: join(dir, 'temporal.toml') }
}

/** The sandbox gets neither the gateway's database nor its keys. */
function sandboxEnv({ dir, ports }: Settings): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], CALLGATE_DIR: dir, SANDBOX_PORT: String(ports.SANDBOX_PORT) }
}

/** Tells operators' commands where this folder's gateway listens. */
function writeAddresses(dir: string, { host, ports, publicUrl }: Settings): void {
  const addresses = { admin_url: localUrl(host, ports.ADMIN_PORT), base_url: `${publicUrl}/api/v1` }
  writeFileSync(join(dir, 'gateway.json'), JSON.stringify(addresses, null, 2))
}

function urls({ publicUrl, sandboxUrl, temporalUiUrl }: Settings) {
  return {
    base_url: `${publicUrl}/api/v1`,
    mcp_url: `${publicUrl}/mcp`,
    dashboard_url: publicUrl,
    temporal_ui_url: temporalUiUrl,
    sandbox_url: sandboxUrl,
  }
}
