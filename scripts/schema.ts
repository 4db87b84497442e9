import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { functionSet, hashOfFunctions } from '../core/database/functions.ts'
import { migrate } from '../core/database/migrate.ts'
import { startPostgres } from '../local-services/postgres.ts'
import { dumpSchema } from './schema/dump.ts'
import { previousRelease } from './schema/previous-release.ts'
import { root } from './supervisor/settings.ts'

/**
 * `npm run schema`, after a change of migrations or functions: writes core/database/schema.sql by
 * migrating a database of the previous release, and raises the number of a changed function set.
 */
const functions = path.join(root, 'core/database/functions')
const [set, sha256] = [await functionSet(functions), await hashOfFunctions(functions)]
if (set.sha256 !== sha256) {
  const next = { number: set.number + 1, sha256 }
  await writeFile(path.join(functions, 'set.json'), `${JSON.stringify(next)}\n`)
}

const previous = await previousRelease()
const dir = await mkdtemp(path.join(tmpdir(), 'callgate-schema-'))
// Postgres may run as another user, who must traverse this folder.
await chmod(dir, 0o711)
const log = (line: string): void => console.error(line)
const postgres = await startPostgres({ dir, env: process.env, log, logFile: path.join(dir, 'postgres.log') })
try {
  await previous.migrate(postgres.databaseUrl)
  await migrate(postgres.databaseUrl)
  const client = new pg.Client(postgres.databaseUrl)
  // On failure the server stops under this client.
  client.on('error', () => undefined)
  await client.connect()
  const schema = await dumpSchema(client)
  await client.end()
  await writeFile(path.join(root, 'core/database/schema.sql'), schema)
} finally {
  await postgres.stop()
  const { dataDir, socketDir } = postgres.cluster
  for (const place of [dataDir, socketDir, dir, previous.root]) await rm(place, { recursive: true, force: true })
}
