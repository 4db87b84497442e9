import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { startPostgres, type RunningPostgres } from '../../local-services/postgres.ts'
import { temporaryFolder } from './temp.ts'

async function start(dir: string): Promise<RunningPostgres> {
  const running = await startPostgres({
    dir,
    env: process.env,
    logFile: join(dir, 'postgres.log'),
    log: () => undefined,
  })
  onTestFinished(async () => {
    await running.kill()
    const { dataDir, socketDir } = running.cluster
    for (const path of [dataDir, socketDir, dirname(dataDir)]) await rm(path, { recursive: true, force: true })
  })
  return running
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  // Its server is killed under it.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

function openFolder(): string {
  const dir = temporaryFolder()
  chmodSync(dir, 0o711)
  return dir
}

test('a killed postmaster is followed by a new one at once, while its backends were busy, and committed rows are there', async () => {
  const dir = openFolder()
  const first = await start(dir)
  const writer = await connect(first.databaseUrl)
  await writer.query('create table kept (n int)')
  await writer.query('insert into kept values (42)')
  const busy = await Promise.all(Array.from({ length: 4 }, () => connect(first.databaseUrl)))
  const queries = busy.map((client) => client.query('select pg_sleep(30)').catch(() => 'lost'))
  process.kill(first.pid, 'SIGKILL')
  await first.exited

  const second = await start(dir)
  const reader = await connect(second.databaseUrl)
  expect((await reader.query('select n from kept')).rows).toEqual([{ n: 42 }])
  expect(await Promise.all(queries)).toEqual(['lost', 'lost', 'lost', 'lost'])
  await Promise.all([writer, reader, ...busy].map((client) => client.end().catch(() => undefined)))
})

test('the lock of a killed server is no obstacle when its pid belongs to another process by now', async () => {
  const dir = openFolder()
  const { cluster, pid, exited } = await start(dir)
  process.kill(pid, 'SIGKILL')
  await exited
  const { dataDir, socketDir, runAs } = cluster
  const other = spawn('sleep', ['60'], { ...runAs, cwd: '/', stdio: 'ignore' })
  onTestFinished(() => void other.kill('SIGKILL'))
  for (const lock of [join(socketDir, '.s.PGSQL.5432.lock'), join(dataDir, 'postmaster.pid')]) {
    const [, ...rest] = readFileSync(lock, 'utf8').split('\n')
    writeFileSync(lock, [other.pid, ...rest].join('\n'))
  }
  const client = await connect((await start(dir)).databaseUrl)
  await client.end()
})

test('a second server on the same data is refused with a line that names the first', async () => {
  const dir = openFolder()
  const { pid } = await start(dir)
  await expect(start(dir)).rejects.toThrow(`Another Postgres (process ${pid}) already runs on`)
})

test('it listens nowhere but on a socket that others cannot open', async () => {
  const { cluster, databaseUrl } = await start(openFolder())
  expect(statSync(cluster.socketDir).mode & 0o777).toBe(0o700)
  const client = await connect(databaseUrl)
  const { rows } = await client.query('show listen_addresses')
  expect(rows).toEqual([{ listen_addresses: '' }])
  await client.end()
})

test('a folder path too long for a socket gets its socket elsewhere', async () => {
  const dir = join(openFolder(), 'a'.repeat(60), 'b'.repeat(60))
  mkdirSync(dir, { recursive: true })
  const { cluster, databaseUrl } = await start(dir)
  expect(Buffer.byteLength(join(cluster.socketDir, '.s.PGSQL.5432'))).toBeLessThanOrEqual(107)
  const client = await connect(databaseUrl)
  await client.end()
})

test('its data stand in the folder, or in /var/tmp when that is closed to the user that root gives it', async () => {
  const dir = temporaryFolder()
  const { cluster } = await start(dir)
  const elsewhere = /^\/var\/tmp\/callgate-[0-9a-f]{12}\/postgres$/
  expect(cluster.dataDir).toMatch(process.getuid?.() === 0 ? elsewhere : dir)
})
