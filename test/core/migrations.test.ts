import { mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate, migrateTo, migrationsFolder } from '../../core/database/migrate.ts'
import { dumpSchema } from '../../scripts/schema/dump.ts'
import { createDatabase } from '../harness.ts'

/** Those up to here have no way back but a restore. */
const lastWithout = '0026'

let url: string
let client: pg.Client
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ url, drop } = await createDatabase())
  client = new pg.Client(url)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await drop()
})

describe('the migrations', () => {
  it(`each have a way back after ${lastWithout}`, async () => {
    const files = await readdir(migrationsFolder)
    const needy = files.filter((file) => file > `${lastWithout}_~` && !file.endsWith('.down.sql'))
    const without = needy.filter((file) => !files.includes(file.replace(/\.sql$/, '.down.sql')))
    expect(without).toEqual([])
  })

  it('go back to there and up again, to the same schema', async () => {
    const today = await dumpSchema(client)
    await migrateTo(url, lastWithout)
    const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY name DESC LIMIT 1')
    expect(rows[0]?.name.slice(0, 4)).toBe(lastWithout)
    const then = await dumpSchema(client)
    await migrate(url)
    expect(await dumpSchema(client)).toBe(today)
    await migrateTo(url, lastWithout)
    expect(await dumpSchema(client)).toBe(then)
    await migrate(url)
  })

  it.each([
    ['beyond what can be taken back', '0016', 'no way back but a restore'],
    ['to one that there is not', '0999', 'there is no migration 0999'],
  ])('go nowhere when asked to go back %s', async (_, to, reason) => {
    const today = await dumpSchema(client)
    await expect(migrateTo(url, to)).rejects.toThrow(reason)
    expect(await dumpSchema(client)).toBe(today)
  })
})

describe('the migrations of a release', () => {
  let dir: string
  beforeAll(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'migrations-'))
    await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
    await add('0001_things', 'CREATE TABLE things (id bigint, name text); INSERT INTO things VALUES (1, $$a;b$$)')
    await migrate(url, dir)
  })

  const add = (name: string, text: string) => writeFile(path.join(dir, `${name}.sql`), `-- Up Migration\n\n${text};\n`)
  const addIndex = (name: string, text: string) =>
    writeFile(path.join(dir, `${name}.sql`), `-- No transaction\n\n${text};\n`)
  const indexes = async () =>
    (
      await client.query<{ name: string; valid: boolean }>(
        `SELECT indexrelid::regclass::text AS name, indisvalid AS valid FROM pg_index WHERE indrelid = 'things'::regclass ORDER BY 1`,
      )
    ).rows

  it('build an index while others write, anew where it was left half-built, and two processes come at once', async () => {
    // What a process that was killed while it built leaves behind: duplicates break the unique one here.
    await client.query('INSERT INTO things VALUES (1, $$c$$)')
    await expect(client.query('CREATE UNIQUE INDEX CONCURRENTLY things_id ON things (id)')).rejects.toThrow('unique')
    expect(await indexes()).toEqual([{ name: 'things_id', valid: false }])
    await client.query('DELETE FROM things WHERE name = $$c$$')
    await addIndex(
      '0002_index',
      'CREATE UNIQUE INDEX CONCURRENTLY things_id ON things (id);\nCREATE INDEX CONCURRENTLY things_name ON things (name)',
    )
    await addIndex('0002_index.down', 'DROP INDEX CONCURRENTLY things_name; DROP INDEX CONCURRENTLY things_id')

    const other = new pg.Client(url)
    await other.connect()
    await other.query('BEGIN; INSERT INTO things VALUES (2, $$d$$)')
    const both = Promise.allSettled([migrate(url, dir), migrate(url, dir)])
    const building = async () =>
      (
        await client.query(
          `SELECT FROM pg_stat_activity WHERE query LIKE '%INDEX CONCURRENTLY%things_id%' AND wait_event = 'virtualxid'`,
        )
      ).rowCount
    await expect.poll(building, { interval: 20 }).toBe(1)
    // It waits for the transaction that was there before, and holds up nobody else meanwhile.
    await client.query('INSERT INTO things VALUES (3, $$e$$)')
    await other.query('COMMIT')
    await other.end()
    expect((await both).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect(await indexes()).toEqual(['things_id', 'things_name'].map((name) => ({ name, valid: true })))
  })

  it('are taken back by it, and not by an older one that does not know them', async () => {
    const older = await mkdtemp(path.join(tmpdir(), 'migrations-'))
    await writeFile(path.join(older, '0001_things.sql'), '')
    await expect(migrateTo(url, '0001', older)).rejects.toThrow(`0002_index: made by a newer release`)
    await migrate(url, older)
    expect(await migrateTo(url, '0001', dir)).toEqual(['0002_index'])
    expect(await indexes()).toEqual([])
  })

  it('stay undone whole when one of their statements fails', async () => {
    await add('0003_broken', 'CREATE TABLE others (id bigint); SELECT nothing FROM nowhere')
    await expect(migrate(url, dir)).rejects.toThrow('nowhere')
    const { rows } = await client.query(
      `SELECT to_regclass('others') AS others, to_regclass('things_id')::text AS index`,
    )
    expect(rows).toEqual([{ others: null, index: 'things_id' }])
  })
})
