import { join } from 'node:path'
import { temporalService } from '../../engine/dev-server.ts'
import { databaseUrl, findCluster, postgresService } from '../../engine/postgres.ts'
import type { Service } from '../../engine/service.ts'
import { ensureTemporal } from '../../engine/temporal.ts'
import { checkDatabase, checkTemporal } from './external.ts'
import type { Folders } from './folders.ts'
import type { Settings } from './settings.ts'

export interface Foundation {
  services: Service[]
  databaseUrl: string
  temporalAddress: string
}

/** Database and engine: the embedded ones, or those that the environment names, which are checked and left alone. */
export async function layFoundation(options: {
  settings: Settings
  folders: Folders
  env: NodeJS.ProcessEnv
  log: (line: string) => void
  signal: AbortSignal
}): Promise<Foundation> {
  const [database, temporal] = await Promise.all([layDatabase(options), layTemporal(options)])
  return {
    services: [...database.services, ...temporal.services],
    databaseUrl: database.url,
    temporalAddress: temporal.address,
  }
}

type Options = Parameters<typeof layFoundation>[0]

async function layDatabase({ settings, folders, env, log }: Options): Promise<{ services: Service[]; url: string }> {
  if (settings.databaseUrl) {
    await checkDatabase(settings.databaseUrl)
    return { services: [], url: settings.databaseUrl }
  }
  const cluster = await findCluster({ dir: folders.dir, env, log })
  if (!cluster.dataDir.startsWith(folders.dir))
    log(`the database stands in ${cluster.dataDir}, where its user can get to`)
  return { services: [postgresService(cluster, join(folders.logs, 'postgres.log'))], url: databaseUrl(cluster) }
}

async function layTemporal({
  settings,
  folders,
  env,
  log,
  signal,
}: Options): Promise<{ services: Service[]; address: string }> {
  if (settings.temporalAddress) {
    await checkTemporal(settings.temporalAddress, settings.temporalNamespace)
    return { services: [], address: settings.temporalAddress }
  }
  const { path } = await ensureTemporal({ env, log, signal })
  const service = temporalService({
    binary: path,
    dbFile: join(folders.dir, 'temporal.db'),
    logFile: join(folders.logs, 'temporal.log'),
    port: settings.ports.TEMPORAL_PORT,
    uiPort: settings.ports.TEMPORAL_UI_PORT,
    env,
  })
  return { services: [service], address: `127.0.0.1:${settings.ports.TEMPORAL_PORT}` }
}
