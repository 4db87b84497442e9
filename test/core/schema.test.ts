import { readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPool } from '../../core/database/pool.ts'
import { findKeys } from '../../core/keys/rows.ts'
import { findTokens } from '../../core/oauth/tokens.ts'
import { dumpSchema } from '../../scripts/schema/dump.ts'
import { createDatabase } from '../harness.ts'

const file = path.join(import.meta.dirname, '../../core/database/schema.sql')

let client: pg.Client
let database: Awaited<ReturnType<typeof createDatabase>>
beforeAll(async () => {
  database = await createDatabase()
  client = new pg.Client(database.url)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

it('core/database/schema.sql is what a new database is', async () => {
  expect(await dumpSchema(client), 'write it with `npm run schema`').toBe(await readFile(file, 'utf8'))
})

it('and the look-ups of keys and of tokens are planned a few times on a connection, not at each request', async () => {
  const log = pino({ level: 'silent' })
  const db = openPool(database.url, log, 1)
  for (let n = 0; n < 8; n++) for (const find of [findKeys, findTokens]) await find({ db, log }, ['00'])
  const { rows } = await db.query('SELECT custom_plans::int AS planned FROM pg_prepared_statements')
  await db.end()
  expect(rows).toEqual([{ planned: 5 }, { planned: 5 }])
})

it('and docs/kept.md says of each of its tables how long what it says is kept', async () => {
  const page = await readFile(path.join(import.meta.dirname, '../../docs/kept.md'), 'utf8')
  const named = [...page.matchAll(/`(\w+)`/g)].map(([, table]) => table)
  const tables = [...(await readFile(file, 'utf8')).matchAll(/^CREATE TABLE (\w+) /gm)].map(([, table]) => table)
  expect(tables.length).toBeGreaterThan(30)
  expect(tables.filter((table) => !named.includes(table))).toEqual([])
})
