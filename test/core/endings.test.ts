import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { listenForEndings } from '../../core/calls/endings.ts'
import type { Endings } from '../../core/calls/endings.ts'
import { createDatabase } from '../harness.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let db: pg.Client
let endings: Endings
const stop = new AbortController()
beforeAll(async () => {
  database = await createDatabase()
  db = new pg.Client(database.url)
  await db.connect()
  endings = listenForEndings(database.url, pino({ level: 'silent' }), stop.signal)
})
afterAll(async () => {
  stop.abort()
  await db.end()
  await database.drop()
})

it('tells everybody who expects that call, nobody else, and nobody who has left', async () => {
  await listening()
  const told: string[] = []
  const expecting = ['one', 'one', 'other', 'one'].map((callId, n) => {
    const ending = endings.expect(callId)
    void ending.told.then(() => told.push(`${callId} ${n}`))
    return ending
  })
  expecting[3]?.forget()
  await say('one')
  await vi.waitFor(() => expect(told).toEqual(['one 0', 'one 1']), { timeout: 30_000 })
  for (const ending of expecting) ending.forget()
  await say('other')
  await pause(100)
  expect(told).toHaveLength(2)
})

it('says so while nothing is heard, and listens again by itself', async () => {
  await listening()
  expect(await listeners()).toHaveLength(1)
  await db.query('SELECT pg_terminate_backend(pid) FROM unnest($1::integer[]) AS pid', [await listeners()])
  await vi.waitFor(() => expect(heard()).toBe(false), { timeout: 30_000, interval: 10 })
  await listening()
  const ending = endings.expect('after the break')
  await say('after the break')
  await ending.told
  ending.forget()
})

it('keeps one connection, opened at the first wait and closed in the end', async () => {
  const own = new AbortController()
  const before = (await listeners()).length
  const mine = listenForEndings(database.url, pino({ level: 'silent' }), own.signal)
  expect(await listeners()).toHaveLength(before)
  for (let i = 0; i < 3; i++) mine.expect(`call ${i}`).forget()
  await vi.waitFor(async () => expect(await listeners()).toHaveLength(before + 1), { timeout: 30_000 })
  own.abort()
  await vi.waitFor(async () => expect(await listeners()).toHaveLength(before), { timeout: 30_000 })
  await pause(1_500)
  expect(await listeners()).toHaveLength(before)
})

function heard(): boolean {
  const ending = endings.expect('whichever')
  ending.forget()
  return ending.heard
}

async function listening(): Promise<void> {
  await vi.waitFor(() => expect(heard()).toBe(true), { timeout: 30_000 })
}

async function say(callId: string): Promise<void> {
  await db.query(`SELECT pg_notify('callgate_ended', $1)`, [callId])
}

async function listeners(): Promise<readonly number[]> {
  const { rows } = await db.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
  )
  return rows.map(({ pid }) => pid)
}
