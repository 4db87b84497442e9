import { loadConfig } from '../../config.ts'
import type { Config } from '../../config.ts'
import { databaseUrl, findCluster } from '../../local-services/postgres.ts'
import { readSettings } from './settings.ts'

/** Of the gateway that the environment names, as its processes have it; without a name, of the one that `npm start` runs here. */
export async function ownConfig(env: NodeJS.ProcessEnv): Promise<Config> {
  const { dir, ports } = readSettings(env)
  return loadConfig({
    ...env,
    DATABASE_URL: env['DATABASE_URL'] || databaseUrl(await findCluster({ dir, env, log: () => undefined })),
    TEMPORAL_ADDRESS: env['TEMPORAL_ADDRESS'] || `127.0.0.1:${ports.TEMPORAL_PORT}`,
  })
}
