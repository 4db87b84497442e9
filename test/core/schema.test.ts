import { readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dumpSchema } from '../../scripts/schema/dump.ts'
import { createDatabase } from '../harness.ts'

const file = path.join(import.meta.dirname, '../../core/database/schema.sql')

let client: pg.Client
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await createDatabase()
  drop = database.drop
  client = new pg.Client(database.url)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await drop()
})

it('core/database/schema.sql is what the migrations come to', async () => {
  expect(await dumpSchema(client), 'write it anew with `npm run schema`').toBe(await readFile(file, 'utf8'))
})

it('and makes the same schema in an empty database', async () => {
  const written = await readFile(file, 'utf8')
  await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  await client.query(written)
  const withoutComments = (text: string) => text.replaceAll(/^ *-- .*\n/gm, '')
  expect(withoutComments(await dumpSchema(client))).toBe(withoutComments(written))
})

it('and docs/kept.md says of each of its tables how long what it says is kept', async () => {
  const page = await readFile(path.join(import.meta.dirname, '../../docs/kept.md'), 'utf8')
  const named = [...page.matchAll(/`(\w+)`/g)].map(([, table]) => table)
  const tables = [...(await readFile(file, 'utf8')).matchAll(/^CREATE TABLE (\w+) /gm)].map(([, table]) => table)
  expect(tables.length).toBeGreaterThan(30)
  expect(tables.filter((table) => !named.includes(table))).toEqual([])
})
