import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isConnectionError } from '../../core/database/failures.ts'
import { commit, CommitLost, openPool, transaction } from '../../core/database/pool.ts'
import type { Pool } from '../../core/database/pool.ts'
import { createDatabase } from '../harness.ts'

const log = pino({ level: 'silent' })

let pool: Pool
let url: string
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await createDatabase()
  drop = database.drop
  url = database.url
  pool = openPool(url, log, 3)
})
afterAll(async () => {
  await pool.end()
  await drop()
})

const thrownBy = (work: Promise<unknown>): Promise<unknown> =>
  work.then(() => undefined).catch((error: unknown) => error)

it('a server whose name is gone with it, as that of a container is, counts as away', async () => {
  const nowhere = openPool('postgresql://callgate@no-such-host.invalid/callgate', log, 1)
  try {
    expect(isConnectionError(await thrownBy(nowhere.query('SELECT 1')))).toBe(true)
    expect(isConnectionError(await thrownBy(transaction(nowhere, (db) => db.query('SELECT 1'))))).toBe(true)
  } finally {
    await nowhere.end()
  }
})

it('a server that may only be read counts as away, and nobody has to ask whether a statement stands after all', async () => {
  const readOnly = openPool(`${url}&options=${encodeURIComponent('-c default_transaction_read_only=on')}`, log, 1)
  const statement = { text: `INSERT INTO plans VALUES ('huge', 1)` }
  try {
    const error = await thrownBy(commit(readOnly, statement))
    expect(isConnectionError(error)).toBe(true)
    expect(error).not.toBeInstanceOf(CommitLost)
  } finally {
    await readOnly.end()
  }
  expect((await pool.query(`SELECT FROM plans WHERE name = 'huge'`)).rowCount).toBe(0)
})

it('of two transactions in each other’s way, the one that the server gave up may be repeated', async () => {
  const lock = (key: number) => `SELECT pg_advisory_xact_lock(${key})`
  const cross = (first: number, second: number) =>
    transaction(pool, async (db) => {
      await db.query(lock(first))
      await sleep(200)
      await db.query(lock(second))
    })
  const ended = await Promise.all([thrownBy(cross(1, 2)), thrownBy(cross(2, 1))])
  const [given, ...others] = ended.filter((error) => error !== undefined)
  expect(others).toEqual([])
  expect(isConnectionError(given)).toBe(true)
})

it('a statement that is wrong does not count as a server that is away', async () => {
  expect(isConnectionError(await thrownBy(pool.query('SELECT nothing FROM plans')))).toBe(false)
  expect(isConnectionError(await thrownBy(pool.query(`INSERT INTO plans VALUES ('small', 1)`)))).toBe(false)
})

it('who goes silent in a transaction holds its locks no longer than a statement may take', async () => {
  const silent = openPool(url, log, 1, 400)
  try {
    const held = transaction(silent, async (db) => {
      await db.query(`SELECT FROM plans WHERE name = 'small' FOR UPDATE`)
      await sleep(3_000)
      await db.query('SELECT 1')
    })
    const broken = thrownBy(held)
    await sleep(1_500)
    await pool.query(`SELECT FROM plans WHERE name = 'small' FOR UPDATE NOWAIT`)
    expect(isConnectionError(await broken)).toBe(true)
  } finally {
    await silent.end()
  }
})
