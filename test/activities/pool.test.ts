import { setTimeout as pause } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPool, transaction } from '../../activities/db/pool.ts'
import type { Pool } from '../../activities/db/pool.ts'
import { createDatabase } from '../harness.ts'

let pool: Pool
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await createDatabase()
  drop = database.drop
  pool = openPool(database.url, pino({ level: 'silent' }), 2)
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
