import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startTemporal } from '../local-services/dev-server.ts'
import { migrate } from '../core/database/migrate.ts'
import { databaseUrl, startPostgres } from '../local-services/postgres.ts'
import { ensureTemporal } from '../local-services/temporal.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Maintenance database, as a superuser. `nextval('test_file')` in it gives each test file a number of its own. */
    databaseUrl: string
    temporalAddress: string
    /** Registered, empty, with the search attributes of Callgate; more of them than there are test files. */
    namespaces: string[]
    /** Made once for all of them: the workflows' bundle. */
    sharedDir: string
  }
}

const log = (line: string) => console.log(line)

/** One throw-away Postgres and one Temporal server for all test files, started by the same code as those of `npm start`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = mkdtempSync(join(tmpdir(), 'callgate-test-'))
  // Postgres may have to run as another user, who must get through.
  chmodSync(dir, 0o711)
  // Whatever the tests put into temporary folders goes away with this one.
  process.env['TMPDIR'] = dir
  // Some five hundred processes load the same modules.
  process.env['NODE_COMPILE_CACHE'] = join(dir, 'compiled')
  const { env } = process
  const namespaces = Array.from({ length: 240 }, (_, index) => `t${index + 1}`)
  const { path: binary } = await ensureTemporal({ env, log })
  const postgres = await startPostgres({ dir, env, log, logFile: join(dir, 'postgres.log') })
  const dirs = [dir, postgres.cluster.dataDir, postgres.cluster.socketDir]
  const endWatch = cleanUpAfterKill(dirs)
  const temporal = await startTemporal({
    binary,
    dbFile: join(dir, 'temporal.db'),
    logFile: join(dir, 'temporal.log'),
    namespaces,
    // Those of so many namespaces would take a seventh of a processor all the time. Tests of schedules and releases have an engine of their own.
    ownWorkers: false,
    env,
  })
  await makeTemplate(databaseUrl(postgres.cluster, 'postgres'))
  project.provide('databaseUrl', databaseUrl(postgres.cluster, 'postgres'))
  project.provide('temporalAddress', temporal.address)
  project.provide('namespaces', namespaces)
  project.provide('sharedDir', dir)

  return async () => {
    // Nothing here is worth a slow goodbye.
    await Promise.all([postgres.stop(), temporal.kill()])
    endWatch()
    // A process that ends at this moment may still write down what it compiled.
    await Promise.all(dirs.map((path) => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })))
  }
}

/** What each test file has a copy of: a migrated database. */
async function makeTemplate(url: string): Promise<void> {
  const { Client } = await import('pg')
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('create sequence test_file')
  await client.query('create database migrated')
  await client.end()
  const migrated = new URL(url)
  migrated.pathname = '/migrated'
  await migrate(migrated.href)
}

/**
 * When this process is killed before it can clean up, its end of the pipe closes, and the watching shell does it:
 * it ends every process that was given the folder, in its arguments or as TMPDIR.
 */
function cleanUpAfterKill(dirs: string[]): () => void {
  const script = `
    read -r _
    for process in /proc/[0-9]*; do
      pid=\${process#/proc/}
      [ "$pid" != $$ ] && grep -qsF -- "$1" "$process/cmdline" "$process/environ" && kill -9 "$pid"
    done
    sleep 1
    exec rm -rf -- "$@"`
  const shell = spawn('/bin/sh', ['-c', script, 'sh', ...dirs], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
  })
  shell.unref()
  return () => shell.kill('SIGKILL')
}
