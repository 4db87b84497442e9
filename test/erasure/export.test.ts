import { execFile } from 'node:child_process'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { held, notInFile } from '../../core/personal-data/held.ts'
import { columnsOf } from '../../core/personal-data/held-table.ts'
import { exportOf } from '../../core/personal-data/export.ts'
import { operatorToken } from '../../core/operators/credentials.ts'
import { startGateway } from '../api/http/gateway.ts'
import type { Gateway } from '../api/http/gateway.ts'
import type { Person } from '../api/ownership/things.ts'
import { Visitor, visitorOf } from '../web/visitor.ts'
import { ownedTables } from './owned-tables.ts'
import { makeWholeLife } from './whole-life.ts'

type Line = { readonly what: string } & Readonly<Record<string, unknown>>

let gateway: Gateway
let olivia: Person
let visitor: Visitor
beforeAll(async () => {
  gateway = await startGateway()
  olivia = await makeWholeLife(gateway.ctx, 'olivia')
  await makeWholeLife(gateway.ctx, 'steven')
  visitor = await visitorOf(site(), { ...olivia, id: olivia.owner, key: '', keyId: '', account: '' })
})
afterAll(() => gateway.stop())

const site = () => ({ ctx: gateway.ctx, url: gateway.publicUrl, stop: () => gateway.stop() })
const linesOf = (text: string): readonly Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

async function exported(owner: string): Promise<string> {
  let text = ''
  for await (const line of exportOf(gateway.ctx, owner, owner)) text += line
  return text
}

describe('the file of everything that is somebody’s', () => {
  it('names every table and column that holds something of a person, or why it is not in the file', async () => {
    const tables = await ownedTables(gateway.ctx)
    expect(tables.size).toBeGreaterThan(25)
    const known = [...held.map(({ table }) => table), ...Object.keys(notInFile)]
    expect(
      [...tables.keys()].filter((table) => !known.includes(table)),
      'add them to core/personal-data',
    ).toEqual([])
    expect(known.filter((table) => !tables.has(table))).toEqual([])
    for (const table of held) {
      const named = [
        ...columnsOf(table),
        ...Object.keys(table.sealed ?? {}),
        ...Object.keys(table.leftOut).flatMap((columns) => columns.split(' ')),
      ]
      expect({ table: table.table, columns: named.toSorted() }, 'each column once, in the file or left out').toEqual({
        table: table.table,
        columns: tables.get(table.table)?.toSorted(),
      })
    }
  })

  it('has a row of each of them, opened, nothing of anybody else, and no secret', async () => {
    const { ctx } = gateway
    const text = await exported(olivia.owner)
    const lines = linesOf(text)
    expect(lines[0]).toMatchObject({ what: 'export', owner: olivia.owner })
    expect(lines.at(-1)).toEqual({ what: 'end', rows: lines.length - 2 })
    expect([...new Set(lines.slice(1, -1).map(({ what }) => what))]).toEqual(held.map(({ table }) => table))
    expect(lines.filter((line) => 'unreadable' in line)).toEqual([])
    for (const words of [
      olivia.email,
      'Secret words of olivia',
      'Secret note of olivia',
      Buffer.from('Secret picture of olivia').toString('base64'),
      'Contact of olivia',
      'trace of olivia',
      'request of olivia',
      'preview of olivia',
      'finding of olivia',
      'try of olivia',
      'https://hooks.example.com/secret-of-olivia',
      'friend-of-olivia@example.com',
      'Browser of olivia',
    ])
      expect(text).toContain(words)
    expect(text).not.toContain('steven')
    const { rows: secrets } = await ctx.db.query<{ secret: string }>(
      `SELECT password_hash AS secret FROM users WHERE id = $1
       UNION SELECT encode(b, 'hex') FROM (
         SELECT hash AS b FROM web_sessions WHERE owner = $1 UNION SELECT hash FROM api_keys WHERE owner = $1 AND hash IS NOT NULL
         UNION SELECT session FROM accounts WHERE owner = $1 UNION SELECT data_key FROM accounts WHERE owner = $1
         UNION SELECT secret FROM notice_targets WHERE owner = $1) s`,
      [olivia.owner],
    )
    expect(secrets.length).toBeGreaterThan(6)
    for (const { secret } of secrets) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(Buffer.from(secret, 'hex').toString('base64').slice(0, -3) || secret)
    }
    expect(text).not.toContain(olivia.secret)
  })

  it('is complete however many rows there are, and reads some at a time', async () => {
    const { db } = gateway.ctx
    const person = await makeWholeLife(gateway.ctx, 'paula')
    await db.query(
      `INSERT INTO calls SELECT (jsonb_populate_record(c, jsonb_build_object('id', 'call_' || lpad(n::text, 26, '0'), 'check_at', NULL))).*
       FROM calls c, generate_series(1, 130) n WHERE c.id = $1`,
      [person.things.waiting],
    )
    await db.query(
      `INSERT INTO ledger (owner, kind, amount, month, at) SELECT $1, 'lapse', 1, '2026-01-01', now() FROM generate_series(1, 450)`,
      [person.owner],
    )
    const lines = linesOf(await exported(person.owner))
    const count = (what: string): number => lines.filter((line) => line.what === what).length
    const ids = lines
      .filter(({ what }) => what === 'calls' || what === 'ledger')
      .map(({ what, id }) => `${what} ${String(id)}`)
    expect([count('calls'), new Set(ids).size]).toEqual([133, ids.length])
    expect(count('ledger')).toBeGreaterThanOrEqual(450)
    expect(lines.at(-1)).toEqual({ what: 'end', rows: lines.length - 2 })
  })

  it('names what cannot be opened any more, and has the rest', async () => {
    const person = await makeWholeLife(gateway.ctx, 'quentin')
    await gateway.ctx.db.query(
      `UPDATE calls SET input = '\\x00112233445566778899aabbccddeeff00112233445566778899' WHERE id = $1`,
      [person.things.unknown],
    )
    const lines = linesOf(await exported(person.owner))
    const call = lines.find(({ what, id }) => what === 'calls' && id === person.things.unknown)
    expect(call).toMatchObject({ status: 'unknown', unreadable: ['input'] })
    expect(lines.at(-1)?.what).toBe('end')
  })
})

describe('on the account page', () => {
  it('is saved by whoever shows once more who they are, and that is written down', async () => {
    const page = await visitor.get('/account')
    expect(page.text).toContain('Download everything')
    const csrf = await visitor.csrf('/account')
    const recent = await visitor.post('/account/export', { csrf })
    expect([recent.status, recent.headers.get('content-disposition')]).toEqual([
      200,
      expect.stringMatching(/^attachment; filename="callgate-\d{4}-\d\d-\d\d\.jsonl"$/),
    ])
    expect(linesOf(recent.text).at(-1)?.what).toBe('end')
    expect((await visitor.get('/account')).text).toContain('Downloaded everything that is yours')

    await gateway.ctx.db.query(
      `UPDATE web_sessions SET created_at = now() - interval '1 hour', proved_at = NULL WHERE owner = $1`,
      [olivia.owner],
    )
    const asked = await visitor.post('/account/export', { csrf })
    expect(asked.status).toBe(403)
    expect(asked.text).not.toContain('Secret words')
    const wrong = await visitor.post('/account/export', { csrf, again_password: 'wrong' })
    expect(wrong.status).toBe(422)
    const proven = await visitor.post('/account/export', { csrf, again_password: olivia.password })
    expect([proven.status, linesOf(proven.text).at(-1)?.what]).toEqual([200, 'end'])
  })

  it('is not to be had again and again, nor by GET', async () => {
    const csrf = await visitor.csrf('/account')
    const statuses: number[] = []
    for (let n = 0; n < 6; n++) statuses.push((await visitor.post('/account/export', { csrf })).status)
    expect(statuses.at(-1)).toBe(429)
    expect((await visitor.get('/account/export')).status).toBe(405)
  })
})

describe('for operators', () => {
  const script = path.join(import.meta.dirname, '../../scripts/admin.ts')
  const admin = (...args: string[]): Promise<{ code: unknown; out: string; err: string }> =>
    new Promise((resolve) => {
      const env = {
        ...process.env,
        CALLGATE_ADMIN_URL: gateway.adminUrl,
        CALLGATE_OPERATOR_TOKEN: operatorToken(gateway.ctx.secrets),
      }
      execFile(process.execPath, [script, ...args, '--as', 'ann'], { env, maxBuffer: 1e8 }, (error, out, err) =>
        resolve({ code: error?.code ?? 0, out, err }),
      )
    })

  it('is what admin user export writes, and its owner sees who did it', async () => {
    const told = await admin('user', 'export', olivia.email.toUpperCase())
    expect([told.code, told.err]).toEqual([0, ''])
    const lines = linesOf(told.out)
    expect(lines[0]).toMatchObject({ owner: olivia.owner })
    expect(lines.at(-1)).toEqual({ what: 'end', rows: lines.length - 2 })
    expect((await visitor.get('/account')).text).toContain('operator:ann')
    expect(await admin('user', 'export', 'nobody@example.com')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('no user with this email'),
    })
  })
})
