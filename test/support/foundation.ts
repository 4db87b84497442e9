import { readFileSync } from 'node:fs'
import { mkdtemp, chmod, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { hiddenPlace, startTemporal } from '../../local-services/dev-server.ts'
import type { RunningTemporal } from '../../local-services/dev-server.ts'
import { startPostgres } from '../../local-services/postgres.ts'
import type { RunningPostgres } from '../../local-services/postgres.ts'
import { ensureTemporal } from '../../local-services/temporal.ts'

/** A Postgres and a Temporal server that one test file has for itself, and may kill. */
export interface Foundation {
  readonly url: string
  readonly temporalAddress: string
  readonly namespace: string
  /** The SQLite file in which the engine keeps everything. */
  readonly engineStore: string
  /** Where its UI is, which is hard to guess. Null: it has none. */
  readonly temporalUi: string | null
  enginePid(): number
  /** SIGKILL; resolves when it is dead. */
  killEngine(): Promise<void>
  /** Where it was, with what it knew, or with nothing. */
  startEngine(options?: { readonly empty?: boolean }): Promise<void>
  killDatabase(): Promise<void>
  startDatabase(): Promise<void>
  /** From now on it is there, takes connections, and says nothing. Returns what lets it go on. */
  freezeDatabase(): () => void
  /** Ends both and removes their data. */
  drop(): Promise<void>
}

export async function startFoundation(options: { readonly ui?: boolean } = {}): Promise<Foundation> {
  const dir = await mkdtemp(path.join(tmpdir(), 'callgate-foundation-'))
  // Postgres may have to run as another user, who must get through.
  await chmod(dir, 0o711)
  const { env } = process
  const log = (): void => undefined
  const { path: binary } = await ensureTemporal({ env, log })
  const namespace = 'alone'
  const dbFile = path.join(dir, 'temporal.db')
  const ui = options.ui === true ? await hiddenPlace() : undefined
  const runEngine = (port?: number): Promise<RunningTemporal> =>
    startTemporal({
      binary,
      dbFile,
      logFile: path.join(dir, 'temporal.log'),
      namespaces: [namespace],
      env,
      ...(port !== undefined && { port }),
      ...(ui && { ui }),
    })
  const runDatabase = (): Promise<RunningPostgres> =>
    startPostgres({ dir, env, log, logFile: path.join(dir, 'postgres.log') })

  let [engine, database] = await Promise.all([runEngine(), runDatabase()])
  const { address } = engine
  return {
    url: database.databaseUrl,
    temporalAddress: address,
    namespace,
    engineStore: dbFile,
    temporalUi: ui ? `http://${ui.host}:${ui.port}` : null,
    enginePid: () => engine.pid,
    killEngine: () => engine.kill(),
    async startEngine({ empty = false } = {}) {
      if (empty) for (const end of ['', '-wal', '-shm']) await rm(`${dbFile}${end}`, { force: true })
      engine = await runEngine(Number(address.split(':')[1]))
    },
    killDatabase: () => database.kill(),
    async startDatabase() {
      database = await runDatabase()
    },
    freezeDatabase() {
      const { pid } = database
      // First the one that would start more of them.
      process.kill(pid, 'SIGSTOP')
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
      for (const child of children) process.kill(child, 'SIGSTOP')
      return () => {
        for (const stopped of [...children, pid]) process.kill(stopped, 'SIGCONT')
      }
    },
    async drop() {
      await Promise.all([engine.kill(), database.kill()])
      const { dataDir, socketDir } = database.cluster
      for (const gone of [dir, dataDir, socketDir]) await rm(gone, { recursive: true, force: true })
    },
  }
}
