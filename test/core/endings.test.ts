import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { connect } from '../../core/accounts/sessions.ts'
import { accept } from '../../core/calls/accept.ts'
import { listenForEndings } from '../../core/calls/endings.ts'
import type { Endings } from '../../core/calls/endings.ts'
import { settleSent, withdraw } from '../../core/calls/rows.ts'
import { EndingsTold } from '../../core/calls/tell-endings.ts'
import { openPool } from '../../core/database/pool.ts'
import { startGateway } from '../api/http/gateway.ts'
import type { Gateway } from '../api/http/gateway.ts'
import { createDatabase } from '../harness.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let db: pg.Client
let endings: Endings
const unheard: string[] = []
const stop = new AbortController()
beforeAll(async () => {
  database = await createDatabase()
  db = new pg.Client(database.url)
  await db.connect()
  const log = pino({ level: 'warn' }, { write: (line) => void unheard.push(line) })
  endings = listenForEndings(database.url, log, stop.signal)
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
  await vi.waitFor(() => expect(told).toEqual(['one 0', 'one 1']), { timeout: 120_000 })
  for (const ending of expecting) ending.forget()
  await say('other')
  await pause(100)
  expect(told).toHaveLength(2)
})

it('says so while nothing is heard, and listens again by itself', async () => {
  await listening()
  expect(await listeners()).toHaveLength(1)
  await db.query('SELECT pg_terminate_backend(pid) FROM unnest($1::integer[]) AS pid', [await listeners()])
  await vi.waitFor(() => expect(heard()).toBe(false), { timeout: 120_000, interval: 10 })
  expect(unheard.join()).toContain('ends of calls are not heard')
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
  await vi.waitFor(async () => expect(await listeners()).toHaveLength(before + 1), { timeout: 120_000 })
  own.abort()
  await vi.waitFor(async () => expect(await listeners()).toHaveLength(before), { timeout: 120_000 })
  await pause(1_500)
  expect(await listeners()).toHaveLength(before)
})

describe('who tells after the commit', () => {
  const warnings: object[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void warnings.push(JSON.parse(line) as object) })
  const pool = () => openPool(database.url, log, 2)

  it('tells of all that ended meanwhile, each once', async () => {
    await listening()
    const own = pool()
    const told = new EndingsTold(own, log)
    const ids = Array.from({ length: 300 }, (_, n) => `ended ${n}`)
    const expecting = ids.map((id) => endings.expect(id))
    for (const id of ids) told.tell(id)
    await Promise.all(expecting.map((ending) => ending.told))
    for (const ending of expecting) ending.forget()
    await own.end()
    expect(warnings).toEqual([])
  })

  it('logs what it could not tell, and tells of the next', async () => {
    await listening()
    const own = pool()
    const told = new EndingsTold(own, log)
    const name = new URL(database.url).pathname.slice(1)
    const admin = new pg.Client(inject('databaseUrl'))
    await admin.connect()
    await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
    told.tell('lost')
    await vi.waitFor(() => expect(warnings).toMatchObject([{ calls: 1 }]), { timeout: 120_000 })
    await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)
    await admin.end()
    const ending = endings.expect('after the loss')
    told.tell('after the loss')
    await ending.told
    ending.forget()
    await own.end()
  })
})

describe('a call that was sent', () => {
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway()
    const session = { cookies: [], user_agent: null }
    await connect(gateway.ctx, {
      owner: gateway.owner,
      app: 'property-advertising',
      externalId: 'a1',
      label: 'Agency',
      session,
    })
  })
  afterAll(() => gateway.stop())

  it('has no word in the commit that ends it, where all others would wait for it, but one after it', async () => {
    const { ctx, owner } = gateway
    const key = await gateway.newKey()
    const endpoint = ctx.apps.get('property-advertising')?.endpoints.get('list_contacts')
    if (endpoint === undefined) throw new Error('no endpoint')
    const begun = async (): Promise<string> => {
      const wanted = { owner, keyId: key.id, endpoint, account: undefined, idempotencyKey: undefined, input: {} }
      return (await accept(ctx, wanted)).callId
    }
    const words: (string | undefined)[] = []
    const listener = await ctx.db.connect()
    try {
      listener.on('notification', ({ payload }) => words.push(payload))
      await listener.query('LISTEN callgate_ended')
      const [quiet, told, taken] = [await begun(), await begun(), await begun()]
      await ctx.db.query(`SELECT settle_call_untold($1, 0, 'executed', NULL, NULL, NULL, NULL)`, [quiet])
      expect(await settleSent(ctx, told, 0, { status: 'executed' })).toBe('executed')
      await vi.waitFor(() => expect(words).toEqual([told]), { timeout: 120_000 })
      // Any other end has it in its commit.
      await withdraw(ctx.db, taken)
      await listener.query('SELECT 1')
      expect(words).toEqual([told, taken])
      expect(await settleSent(ctx, quiet, 0, { status: 'failed' })).toBe('executed')
    } finally {
      listener.release(true)
    }
  })
})

function heard(): boolean {
  const ending = endings.expect('whichever')
  ending.forget()
  return ending.heard
}

async function listening(): Promise<void> {
  await vi.waitFor(() => expect(heard()).toBe(true), { timeout: 120_000 })
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
