import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, chown, mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { SetupError } from '../../local-services/setup-error.ts'
import { databaseUrl, findCluster, postgresService } from '../../local-services/postgres.ts'
import type { PostgresCluster } from '../../local-services/postgres.ts'
import { launch } from '../../local-services/service.ts'
import type { Running } from '../../local-services/service.ts'

const run = promisify(execFile)

/** A primary that archives its WAL, a synchronous standby, and the address they share. */
export interface Pair {
  /** Leads to whichever of them is in charge. */
  readonly databaseUrl: string
  /** As SIGKILL and a lost disk: it does not come back. */
  losePrimary(): Promise<void>
  /** The standby is in charge, and clients are led to it. */
  promote(): Promise<void>
  /** Marks this moment in the log, and returns once the archive has it. */
  mark(name: string): Promise<void>
  /** A new cluster from base backup and archive up to the mark; returns its database URL. */
  restoreTo(name: string): Promise<string>
  close(): Promise<void>
}

/** `dir`: an existing folder, in which the databases' user may be reached. */
export async function openPair(dir: string, logs: string): Promise<Pair> {
  const running: Running[] = []
  const clusterIn = async (name: string): Promise<PostgresCluster> => {
    const home = join(dir, name)
    await mkdir(home, { mode: 0o711 })
    return findCluster({ dir: home, env: process.env, log: () => undefined })
  }
  const serve = async (name: string, cluster: PostgresCluster): Promise<Running> => {
    const started = await launch(postgresService(cluster, join(logs, `${name}.log`)))
    running.push(started)
    return started
  }
  const [primary, standby] = [await clusterIn('primary'), await clusterIn('standby')]
  if (primary.binaries.major < 15) throw new SetupError('The drill needs Postgres 15 or later')
  const [archive, base, address] = ['archive', 'base', 'address'].map((name) => join(primary.dataDir, '..', name))
  if (archive === undefined || base === undefined || address === undefined) throw new Error('no places')
  await mkdir(archive, { mode: 0o700 })
  const { runAs } = primary
  if (runAs) await chown(archive, runAs.uid, runAs.gid)

  await (await serve('primary', primary)).stop()
  // A file is there whole or not at all, and is never written over.
  const keep = `test ! -f ${archive}/%f && cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f`
  await configure(primary, { archive_mode: 'on', archive_command: keep, wal_keep_size: '256MB' })
  const first = await serve('primary', primary)
  for (const place of [base, standby.dataDir]) await copyRunning(primary, place)
  await writeFile(join(standby.dataDir, 'standby.signal'), '')
  const from = `host=${primary.socketDir} user=callgate application_name=standby`
  // What looks at it there is not to be ended by what it replays.
  await configure(standby, { primary_conninfo: from, max_standby_streaming_delay: '-1', archive_mode: 'off' })
  await serve('standby', standby)
  await ask(primary, "ALTER SYSTEM SET synchronous_standby_names = 'standby'")
  await ask(primary, 'SELECT pg_reload_conf()')
  await until(primary, "SELECT sync_state = 'sync' AS done FROM pg_stat_replication")
  await symlink(primary.socketDir, address)
  const leading: PostgresCluster = { ...primary, socketDir: address }

  return {
    databaseUrl: databaseUrl(leading),
    losePrimary: () => first.kill(),
    async promote() {
      await ask(standby, 'SELECT pg_promote(false)')
      await until(standby, 'SELECT NOT pg_is_in_recovery() AS done')
      await symlink(standby.socketDir, `${address}.next`)
      await rename(`${address}.next`, address)
    },
    async mark(name) {
      const { rows } = await ask(primary, `SELECT pg_create_restore_point('${name}') AS at`)
      const { rows: files } = await ask(primary, `SELECT pg_walfile_name('${String(rows[0]?.['at'])}') AS file`)
      await ask(primary, 'SELECT pg_switch_wal()')
      const deadline = Date.now() + 30_000
      while (!(await readdir(archive)).includes(String(files[0]?.['file']))) {
        if (Date.now() > deadline) throw new Error('the archive did not get the log within 30 s')
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
    async restoreTo(name) {
      const restored = await clusterIn('restored')
      await run('cp', ['-a', base, restored.dataDir])
      await writeFile(join(restored.dataDir, 'recovery.signal'), '')
      await configure(restored, {
        restore_command: `cp ${archive}/%f %p`,
        recovery_target_name: name,
        recovery_target_action: 'promote',
        archive_mode: 'off',
      })
      await serve('restored', restored)
      await until(restored, 'SELECT NOT pg_is_in_recovery() AS done')
      return databaseUrl(restored)
    },
    async close() {
      for (const one of running.toReversed()) await one.kill()
      for (const one of [primary, standby]) await rm(one.socketDir, { recursive: true, force: true })
    },
  }
}

/** An online base backup: the files, and the label that says where WAL replay starts. */
async function copyRunning(cluster: PostgresCluster, place: string): Promise<void> {
  const { dataDir, runAs } = cluster
  const client = new Client({ connectionString: databaseUrl(cluster) })
  await client.connect()
  try {
    await client.query(`SELECT pg_backup_start('drill', true)`)
    await run('cp', ['-a', dataDir, place])
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)')
    const label = join(place, 'backup_label')
    await writeFile(label, rows[0]?.labelfile ?? '')
    if (runAs) await chown(label, runAs.uid, runAs.gid)
    await rm(join(place, 'postmaster.pid'))
    for (const file of await readdir(join(place, 'pg_wal')))
      await rm(join(place, 'pg_wal', file), { recursive: true, force: true })
    const status = join(place, 'pg_wal/archive_status')
    await mkdir(status, { mode: 0o700 })
    if (runAs) await chown(status, runAs.uid, runAs.gid)
  } finally {
    await client.end()
  }
}

async function configure({ dataDir, runAs }: PostgresCluster, settings: Readonly<Record<string, string>>) {
  const file = join(dataDir, 'postgresql.auto.conf')
  const lines = Object.entries(settings).map(([key, value]) => `${key} = '${value.replaceAll("'", "''")}'\n`)
  await appendFile(file, lines.join(''))
  for (const name of ['postgresql.auto.conf', 'standby.signal', 'recovery.signal'])
    if (runAs && existsSync(join(dataDir, name))) await chown(join(dataDir, name), runAs.uid, runAs.gid)
}

async function ask(cluster: PostgresCluster, text: string): Promise<{ rows: Record<string, unknown>[] }> {
  const client = new Client({ connectionString: databaseUrl(cluster) })
  await client.connect()
  try {
    return await client.query<Record<string, unknown>>(text)
  } finally {
    await client.end()
  }
}

async function until(cluster: PostgresCluster, text: string): Promise<void> {
  const deadline = Date.now() + 60_000
  while ((await ask(cluster, text)).rows[0]?.['done'] !== true) {
    if (Date.now() > deadline) throw new Error(`after 60 s not so: ${text}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
