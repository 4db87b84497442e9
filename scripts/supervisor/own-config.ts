import { loadConfig } from '../../config.ts'
import type { Config } from '../../config.ts'
import { readSettings } from './settings.ts'

/** Config of the gateway in the environment; by default the one that `npm start` runs here. */
export async function ownConfig(env: NodeJS.ProcessEnv): Promise<Config> {
  const { dir, ports } = readSettings(env)
  return loadConfig({
    ...env,
    DATABASE_URL: env['DATABASE_URL'] || (await embeddedDatabase(dir, env)),
    TEMPORAL_ADDRESS: env['TEMPORAL_ADDRESS'] || `127.0.0.1:${ports.TEMPORAL_PORT}`,
  })
}

/** Loaded on demand: the production image lacks local-services. */
async function embeddedDatabase(dir: string, env: NodeJS.ProcessEnv): Promise<string> {
  const { databaseUrl, findCluster } = await import('../../local-services/postgres.ts')
  return databaseUrl(await findCluster({ dir, env, log: () => undefined }))
}
