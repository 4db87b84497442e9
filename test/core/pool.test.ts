import { setTimeout as pause } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isConnectionError } from '../../core/database/failures.ts'
import { openPool, queryFresh, transaction } from '../../core/database/pool.ts'
import type { Pool } from '../../core/database/pool.ts'
import { createDatabase } from '../harness.ts'

let pool: Pool
let url: string
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await createDatabase()
  drop = database.drop
  url = database.url
  pool = openPool(url, pino({ level: 'silent' }), 2)
})
afterAll(async () => {
  await pool.end()
  await drop()
})

it('a connection that breaks between two statements of a transaction fails the transaction, not the process', async () => {
  const broken = transaction(pool, async (db) => {
    const { rows } = await db.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    await pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
    // Nobody waits for an answer of it now: what tells of the break is an event.
    await pause(200)
    await db.query('SELECT 1')
  })
  await expect(broken).rejects.toThrow()
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
})

it('a statement that takes too long is ended by the server, and counts as a database that is away', async () => {
  const hasty = openPool(url, pino({ level: 'silent' }), 1, 300)
  try {
    const error = await hasty.query('SELECT pg_sleep(20)').catch((thrown: unknown) => thrown)
    expect(isConnectionError(error)).toBe(true)
    const { rows } = await hasty.query(
      `SELECT FROM pg_stat_activity WHERE query LIKE '%pg_sleep(20)%' AND state = 'active' AND pid <> pg_backend_pid()`,
    )
    expect(rows).toEqual([])
  } finally {
    await hasty.end()
  }
})

it.for(['one statement', 'a transaction'])('a server that says nothing any more is given up: %s', async (kind) => {
  const hasty = openPool(url, pino({ level: 'silent' }), 1, 300)
  const { rows } = await hasty.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const pid = rows[0]?.pid ?? 0
  process.kill(pid, 'SIGSTOP')
  try {
    const asked = kind === 'one statement' ? hasty.query('SELECT 1') : transaction(hasty, (db) => db.query('SELECT 1'))
    const error = await asked.catch((thrown: unknown) => thrown)
    expect(isConnectionError(error)).toBe(true)
    expect((await hasty.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  } finally {
    process.kill(pid, 'SIGCONT')
    await hasty.end()
  }
})

it('a named statement that selects * is answered after a migration added a column, whichever connections had prepared it', async () => {
  await pool.query('CREATE TABLE grown (a integer); INSERT INTO grown VALUES (1)')
  const statement = { name: 'grown', text: 'SELECT * FROM grown' }
  const both = [await pool.connect(), await pool.connect()]
  for (const one of both) await queryFresh(one, statement)
  for (const one of both) one.release()
  await pool.query('ALTER TABLE grown ADD COLUMN b integer')
  await expect(pool.query(statement)).rejects.toThrow('cached plan')
  for (let turn = 0; turn < 3; turn++) expect(await queryFresh(pool, statement)).toEqual([{ a: 1, b: null }])
})
