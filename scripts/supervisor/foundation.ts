import { join } from 'node:path'
import { hiddenPlace, temporalService } from '../../local-services/dev-server.ts'
import { databaseUrl, findCluster, postgresService } from '../../local-services/postgres.ts'
import type { Service } from '../../local-services/service.ts'
import { ensureTemporal } from '../../local-services/temporal.ts'
import { checkDatabase, checkTemporal } from './external.ts'
import type { Folders } from './folders.ts'
import type { Settings } from './settings.ts'

export interface Foundation {
  services: Service[]
  databaseUrl: string
  temporalAddress: string
  /** Where the embedded server's UI listens, behind our public UI port. */
  temporalUi: string | undefined
}

/** Postgres and Temporal: embedded, or external ones (see Settings), which are only checked. */
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
    temporalUi: temporal.ui,
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
}: Options): Promise<{ services: Service[]; address: string; ui: string | undefined }> {
  if (settings.temporalAddress) {
    await checkTemporal(settings.temporalAddress, settings.temporalNamespace)
    return { services: [], address: settings.temporalAddress, ui: undefined }
  }
  const { path } = await ensureTemporal({ env, log, signal })
  const ui = await hiddenPlace()
  const service = temporalService({
    binary: path,
    dbFile: join(folders.dir, 'temporal.db'),
    logFile: join(folders.logs, 'temporal.log'),
    port: settings.ports.TEMPORAL_PORT,
    ui,
    env,
  })
  return {
    services: [service],
    address: `127.0.0.1:${settings.ports.TEMPORAL_PORT}`,
    ui: `http://${ui.host}:${ui.port}`,
  }
}
