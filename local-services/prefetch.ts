import { join } from 'node:path'
import { unprivileged } from './places.ts'
import { ensurePostgres } from './postgres-binaries.ts'
import { ensureTemporal } from './temporal.ts'

/** Downloads what `npm start` needs while npm installs dependencies, so imports none of them. */
const { env } = process
const dataDir = join(env['CALLGATE_DIR'] || '.callgate', 'postgres')
// `npm start` retries, and reports errors.
const log = (): void => undefined
await Promise.allSettled([
  env['TEMPORAL_ADDRESS'] ? undefined : ensureTemporal({ env, log }),
  env['DATABASE_URL'] ? undefined : ensurePostgres({ env, log, dataDir, runAs: unprivileged() }),
])
