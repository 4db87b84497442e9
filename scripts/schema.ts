import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { migrate } from '../core/database/migrate.ts'
import { startPostgres } from '../local-services/postgres.ts'
import { dumpSchema } from './schema/dump.ts'
import { root } from './supervisor/settings.ts'

/** Writes what the migrations come to, in a Postgres of its own, to core/database/schema.sql: `npm run schema`. */
const dir = await mkdtemp(path.join(tmpdir(), 'callgate-schema-'))
// Postgres may have to run as another user, who must get through.
await chmod(dir, 0o711)
const log = (line: string): void => console.error(line)
const postgres = await startPostgres({ dir, env: process.env, log, logFile: path.join(dir, 'postgres.log') })
try {
  await migrate(postgres.databaseUrl)
  const client = new pg.Client(postgres.databaseUrl)
  // When something fails the server goes away under it.
  client.on('error', () => undefined)
  await client.connect()
  const schema = await dumpSchema(client)
  await client.end()
  await writeFile(path.join(root, 'core/database/schema.sql'), schema)
} finally {
  await postgres.stop()
  const { dataDir, socketDir } = postgres.cluster
  for (const place of [dataDir, socketDir, dir]) await rm(place, { recursive: true, force: true })
}
