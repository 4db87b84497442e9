import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { settle } from '../../../core/calls/rows.ts'
import { cancelCall } from '../../../core/approvals/decide.ts'
import { balancedLedger } from '../../support/ledger.ts'
import { withinOneDay } from '../../support/one-day.ts'
import { ask, startGateway } from './gateway.ts'
import type { Gateway, Got } from './gateway.ts'
import { accepted, app, newOwner } from './owners.ts'
import type { Owner } from './owners.ts'

let gateway: Gateway
let owner: Owner
beforeAll(async () => {
  gateway = await startGateway()
})
beforeEach(async () => {
  await withinOneDay()
  owner = await newOwner(gateway)
})
afterAll(() => gateway.stop())

const get = (path: string, who: Owner = owner) => ask(`${gateway.url}${path}`, { key: who.key })
const codeOf = ({ status, body }: Got) => [status, body['error']]

interface Usage {
  readonly credits_left: number
  readonly credits_reserved: number
  readonly month: string
  readonly totals: Record<string, number>
  readonly entries: readonly {
    readonly kind: string
    readonly credits: number
    readonly change: number
    readonly reserved_change: number
    readonly call_id?: string
  }[]
  readonly next_cursor: string | null
}

async function usage(query = '', who: Owner = owner): Promise<Usage> {
  const { status, body } = await get(`/usage${query}`, who)
  expect(status).toBe(200)
  return body as unknown as Usage
}

describe('the statement', () => {
  /** One executed, one failed, one cancelled, one that runs. */
  async function fourCalls() {
    const { ctx } = gateway
    const [executed, failed, running] = [
      await accepted(gateway, owner),
      await accepted(gateway, owner),
      await accepted(gateway, owner),
    ]
    const cancelled = await accepted(gateway, owner, 'reactivate_listing')
    await settle(ctx.db, executed, 0, { status: 'executed' })
    await settle(ctx.db, failed, 0, { status: 'failed', code: 'app_rejected' })
    await cancelCall(ctx, owner.id, cancelled)
    return { executed, failed, running, cancelled }
  }

  it('begins with this month’s credits, before anything was called', async () => {
    const { body } = await get('/usage')
    const month = new Date().toISOString().slice(0, 7)
    expect(body).toEqual({
      plan: 'small',
      monthly_credits: 1000,
      credits_left: 1000,
      credits_reserved: 0,
      next_credits_at: expect.stringMatching(/^\d{4}-\d\d-01T00:00:00\.000Z$/),
      month,
      totals: { granted: 1000, refunded: 0, used: 0, reserved: 0, lapsed: 0, left: 1000 },
      entries: [{ at: expect.any(String), kind: 'grant', credits: 1000, change: 1000, reserved_change: 0 }],
      next_cursor: null,
    })
    expect(Date.parse(String(body['next_credits_at']))).toBeGreaterThan(Date.now())
  })

  it('explains the balance after executed, failed, cancelled and running calls', async () => {
    const calls = await fourCalls()
    const { entries, totals, credits_left, credits_reserved } = await usage()
    expect([credits_left, credits_reserved]).toEqual([998, 1])
    expect(totals).toEqual({ granted: 1000, refunded: 0, used: 1, reserved: 1, lapsed: 0, left: 998 })
    const sum = (of: 'change' | 'reserved_change') => entries.reduce((total, entry) => total + entry[of], 0)
    expect([sum('change'), sum('reserved_change')]).toEqual([credits_left, credits_reserved])
    const kindsOf = (id: string) => entries.filter(({ call_id }) => call_id === id).map(({ kind }) => kind)
    expect(kindsOf(calls.executed)).toEqual(['capture', 'reserve'])
    expect(kindsOf(calls.failed)).toEqual(['release', 'reserve'])
    expect(kindsOf(calls.cancelled)).toEqual(['release', 'reserve'])
    expect(kindsOf(calls.running)).toEqual(['reserve'])
    expect(entries[0]).toMatchObject({ kind: 'release', app, endpoint: 'reactivate_listing', credits: 3, change: 3 })
    await balancedLedger(gateway.ctx, owner.id)
  })

  it('comes page by page, each entry once', async () => {
    await fourCalls()
    const whole = await usage()
    const seen: unknown[] = []
    let cursor = ''
    for (let page = 0; page < 3; page++) {
      const { entries, next_cursor } = await usage(`?limit=3${cursor}`)
      seen.push(...entries)
      expect(next_cursor === null).toBe(page === 2)
      cursor = `&cursor=${next_cursor}`
    }
    expect(seen).toEqual(whole.entries)
  })

  it('closes each month: what was granted in it was used or has lapsed', async () => {
    const { db } = gateway.ctx
    const executed = await accepted(gateway, owner)
    const late = await accepted(gateway, owner)
    await settle(db, executed, 0, { status: 'executed' })
    // As if all of this had been in a month that is over.
    await db.query('ALTER TABLE ledger DISABLE TRIGGER ledger_append_only')
    await db.query(`UPDATE ledger SET month = '2025-02-01' WHERE owner = $1`, [owner.id])
    await db.query('ALTER TABLE ledger ENABLE TRIGGER ledger_append_only')
    await db.query(`UPDATE balances SET month = '2025-02-01' WHERE owner = $1`, [owner.id])
    await db.query(`UPDATE calls SET reserved_month = '2025-02-01' WHERE id = $1`, [late])

    const now = await usage()
    expect([now.credits_left, now.credits_reserved]).toEqual([1000, 1])
    expect(now.totals).toMatchObject({ granted: 1000, reserved: 0, left: 1000 })
    expect((await usage('?month=2025-02')).totals).toMatchObject({ used: 1, reserved: 1, lapsed: 998, left: 0 })

    await settle(db, late, 0, { status: 'failed', code: 'app_error' })
    const closed = await usage('?month=2025-02')
    expect(closed.totals).toEqual({ granted: 1000, refunded: 0, used: 1, reserved: 0, lapsed: 999, left: 0 })
    expect((await usage()).credits_left).toBe(1000)
    expect((await usage('?month=2024-01')).entries).toEqual([])
    await balancedLedger(gateway.ctx, owner.id)
  })

  it('is nobody else’s, and neither is its cursor', async () => {
    const calls = await fourCalls()
    const other = await newOwner(gateway)
    const theirs = await get('/usage', other)
    expect(JSON.stringify(theirs.body)).not.toContain(calls.executed)
    const { next_cursor } = await usage('?limit=1')
    expect(codeOf(await get(`/usage?cursor=${next_cursor}`, other))).toEqual([400, 'invalid_input'])
    const list = await get('/calls?limit=1')
    expect(codeOf(await get(`/usage?cursor=${String(list.body['next_cursor'])}`))).toEqual([400, 'invalid_input'])
    expect(codeOf(await get(`/usage?month=2025-01&cursor=${next_cursor}`))).toEqual([400, 'invalid_input'])
    const csv = await (await fetch(`${gateway.url}/usage?format=csv`, { headers: { 'X-API-Key': other.key } })).text()
    expect(csv.trim().split('\r\n')).toHaveLength(2)
  })

  it.each([
    ['month=2026-13', 'month'],
    ['month=0000-01', 'month'],
    ['month=july', 'month'],
    ['limit=0', 'limit'],
    ['format=xml', 'format'],
    ['cursor=made-up', 'cursor'],
    ['format=csv&limit=5', 'limit'],
    ['format=csv&month=x', 'month'],
    ['format=csv&format=json', 'format'],
  ])('refuses ?%s and names the field', async (query, path) => {
    const answer = await get(`/usage?${query}`)
    expect(codeOf(answer)).toEqual([400, 'invalid_input'])
    expect(answer.body['details']).toEqual([expect.objectContaining({ path })])
  })
})

describe('the statement as CSV', () => {
  const csv = async (query: string, accept: string) => {
    const response = await fetch(`${gateway.url}/usage${query}`, {
      headers: { 'X-API-Key': owner.key, Accept: accept },
    })
    return { response, lines: (await response.text()).split('\r\n') }
  }

  it.each([
    ['?format=csv', '*/*'],
    ['', 'text/csv'],
    ['', 'text/csv, application/json;q=0.5'],
  ])('is the whole month, oldest first: /usage%s, Accept: %s', async (query, accept) => {
    const id = await accepted(gateway, owner)
    await settle(gateway.ctx.db, id, 0, { status: 'executed' })
    const { response, lines } = await csv(query, accept)
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(response.headers.get('Content-Disposition')).toMatch(
      /^attachment; filename="callgate-usage-\d{4}-\d\d\.csv"$/,
    )
    expect(response.headers.get('Vary')).toBe('Accept')
    const cells = lines.map((line) => line.split(',').slice(1))
    expect(cells).toEqual([
      ['kind', 'credits', 'change', 'reserved_change', 'call_id', 'app', 'endpoint', 'note'],
      ['grant', '1000', '1000', '0', '', '', '', ''],
      ['reserve', '1', '-1', '1', id, app, 'get_listing', ''],
      ['capture', '1', '0', '-1', id, app, 'get_listing', ''],
      [],
    ])
  })

  it('is JSON where both are welcome, and by ?format=json', async () => {
    for (const [query, accept] of [
      ['', '*/*'],
      ['', 'application/json, text/csv'],
      ['?format=json', 'text/csv'],
    ] as const)
      expect((await csv(query, accept)).response.headers.get('Content-Type')).toContain('application/json')
  })

  it('runs nothing in a spreadsheet, and keeps commas, quotes and line breaks in their cell', async () => {
    await usage()
    const notes = ['=HYPERLINK("http://evil.example")', '+1', '-1', '@x', '\tx', 'plain, "quoted"\nand long']
    for (const [i, note] of notes.entries())
      await gateway.ctx.db.query(
        `INSERT INTO ledger (owner, kind, amount, month, note) VALUES ($1, 'lapse', $2, this_month(), $3)`,
        [owner.id, i + 1, note],
      )
    const text = (await csv('?format=csv', '*/*')).lines.join('\r\n')
    for (const cell of [
      `,"'=HYPERLINK(""http://evil.example"")"\r\n`,
      `,'+1\r\n`,
      `,'-1\r\n`,
      `,'@x\r\n`,
      `,'\tx\r\n`,
      `,"plain, ""quoted""\nand long"\r\n`,
    ])
      expect(text).toContain(cell)
  })

  it('has no body for HEAD', async () => {
    const init = { method: 'HEAD', headers: { 'X-API-Key': owner.key } }
    const head = await fetch(`${gateway.url}/usage?format=csv`, init)
    expect([head.status, await head.text(), head.headers.get('Content-Type')]).toEqual([
      200,
      '',
      'text/csv; charset=utf-8',
    ])
  })

  it('is complete however long it is', async () => {
    await usage()
    await gateway.ctx.db.query(
      `INSERT INTO ledger (owner, kind, amount, month) SELECT $1, 'lapse', 1, this_month() FROM generate_series(1, 2500)`,
      [owner.id],
    )
    const { lines } = await csv('?format=csv', '*/*')
    expect(lines).toHaveLength(1 + 1 + 2500 + 1)
  })
})
