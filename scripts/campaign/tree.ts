import { join } from 'node:path'
import { migrate } from '../../core/database/migrate.ts'
import { makeFolders } from '../supervisor/folders.ts'
import { layFoundation } from '../supervisor/foundation.ts'
import { nodeService } from '../supervisor/node-service.ts'
import { endLeftovers } from '../supervisor/pid-files.ts'
import { makeSecrets } from '../supervisor/secrets.ts'
import { readSettings } from '../supervisor/settings.ts'
import { supervise } from '../supervisor/supervise.ts'

/** As `npm start`, with two API processes and some workers, in one tree to be killed whole. */
process.umask(0o077)
const halt = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.on(signal, () => halt.abort())
const log = (line: string) => console.log(`${new Date().toISOString()} ${line}`)

const settings = readSettings(process.env)
const folders = makeFolders(settings.dir)
await endLeftovers(folders.run)
const secretsFile = join(folders.dir, 'secrets.json')
makeSecrets(secretsFile)
const { services, databaseUrl, temporalAddress } = await layFoundation({
  settings,
  folders,
  env: process.env,
  log,
  signal: halt.signal,
})

const env = (port: string | undefined, adminPort: string | undefined): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  DATABASE_URL: databaseUrl,
  TEMPORAL_ADDRESS: temporalAddress,
  TEMPORAL_CONFIG_FILE: join(folders.dir, 'temporal.toml'),
  HOST: settings.host,
  PORT: port,
  ADMIN_PORT: adminPort,
  PUBLIC_URL: settings.publicUrl,
  SANDBOX_URL: settings.sandboxUrl,
  CALLGATE_DIR: folders.dir,
  CALLGATE_SECRETS: secretsFile,
  DRAIN_SECONDS: '0',
})
const own = process.env
const { logs } = folders
const api = (name: string, port: string | undefined, adminPort: string | undefined) =>
  nodeService({ name, script: 'server/main.ts', env: env(port, adminPort), logs, stopWithinMs: 30_000 })
const worker = (name: string) =>
  nodeService({
    name,
    script: 'activities/worker.ts',
    env: env(own['PORT'], own['ADMIN_PORT']),
    logs,
    stopWithinMs: 30_000,
  })

const supervision = await supervise({
  run: folders.run,
  foundation: services,
  seed: () => migrate(databaseUrl),
  programs: [
    api('api-1', own['PORT'], own['ADMIN_PORT']),
    api('api-2', own['PORT_2'], own['ADMIN_PORT_2']),
    ...Array.from({ length: Number(own['CAMPAIGN_WORKERS']) }, (_, n) => worker(`worker-${n + 1}`)),
  ],
  log,
  signal: halt.signal,
})
process.send?.({ ready: true })
if (!halt.signal.aborted) await new Promise((resolve) => halt.signal.addEventListener('abort', resolve))
await supervision.stop()
process.exit()
