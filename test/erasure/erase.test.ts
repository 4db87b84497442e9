import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unwrapDataKeys } from '../../core/secrets/crypto.ts'
import { askErasure } from '../../core/personal-data/ask.ts'
import { eraseRound } from '../../core/personal-data/erase.ts'
import { createUser, verifyPassword } from '../../core/users/rows.ts'
import { invite } from '../../core/users/invitations.ts'
import { columns } from '../../core/calls/payload.ts'
import { ask, startGateway } from '../api/http/gateway.ts'
import type { Gateway } from '../api/http/gateway.ts'
import { rowsOf } from '../api/ownership/things.ts'
import type { Person } from '../api/ownership/things.ts'
import { askAsOperator } from '../support/operator.ts'
import { Visitor, visitorOf } from '../web/visitor.ts'
import { makeWholeLife } from './whole-life.ts'

let gateway: Gateway
let dir: string
beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'callgate-erase-'))
  gateway = await startGateway({ CALLGATE_ERASED: path.join(dir, 'erased.jsonl') })
})
afterAll(async () => {
  await gateway.stop()
  rmSync(dir, { recursive: true })
})

const site = () => ({ ctx: gateway.ctx, url: gateway.publicUrl, stop: () => gateway.stop() })
const browserOf = (person: Person): Promise<Visitor> =>
  visitorOf(site(), { ...person, id: person.owner, key: '', keyId: '', account: '' })
const sql = async (text: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> =>
  (await gateway.ctx.db.query<Record<string, unknown>>(text, [...values])).rows

/** Where in the whole database, in whichever table and column, one of the texts stands. */
async function placesOf(texts: readonly string[]): Promise<readonly string[]> {
  const tables = await sql(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await sql(
      `SELECT text FROM (SELECT row_to_json(t)::text AS text FROM ${String(name)} t) r
       WHERE EXISTS (SELECT FROM unnest($1::text[]) one WHERE strpos(lower(text), lower(one)) > 0
         OR strpos(text, encode(convert_to(one, 'UTF8'), 'hex')) > 0)`,
      [texts],
    )
    found.push(...rows.map(({ text }) => `${String(name)}: ${String(text)}`))
  }
  return found
}

async function endSendingOf(owner: string): Promise<void> {
  await sql(`UPDATE calls SET status = 'executed' WHERE owner = $1 AND status = 'running' AND send = 'sending'`, [
    owner,
  ])
}

describe('somebody who is erased', () => {
  it('is nowhere in the database by name, word or address; what was done is, and nobody else loses anything', async () => {
    const { ctx } = gateway
    const olivia = await makeWholeLife(ctx, 'olivia')
    const steven = await makeWholeLife(ctx, 'steven')
    // Invited by somebody else, once with success and once more.
    const host = await createUser(ctx, { email: 'host@example.com', password: 'a long password', plan: 'small' })
    const again = await invite(ctx, { email: 'Olivia@example.com', by: host, mayInvite: false })
    await sql(`UPDATE invitations SET used_at = now(), used_by = $2 WHERE id = $1`, [again?.id, olivia.owner])
    const before = await rowsOf(ctx, steven)
    const ledger = await sql('SELECT id, kind, amount, month, call_id FROM ledger WHERE owner = $1 ORDER BY id', [
      olivia.owner,
    ])
    const audits = await sql(
      `SELECT id, at, actor, action FROM audit_log WHERE actor = $1 OR detail->>'owner' = $1 ORDER BY id`,
      [olivia.owner],
    )
    expect(audits.length).toBeGreaterThan(5)
    expect((await placesOf(['olivia'])).length).toBeGreaterThan(20)

    expect(await askErasure(ctx, olivia.owner, olivia.owner)).toBe(true)
    expect(await askErasure(ctx, olivia.owner, olivia.owner)).toBe(false)
    await eraseRound(ctx)
    await eraseRound(ctx)
    expect(await placesOf(['olivia', olivia.email, olivia.secret])).toEqual([])

    const left = await rowsOf(ctx, olivia)
    expect([...left.keys()]).toEqual([
      'accounts',
      'api_keys',
      'audit_log',
      'balances',
      'calls',
      'erasures',
      'invitations',
      'ledger',
      'rounds',
      'users',
    ])
    const calls = await sql(`SELECT * FROM calls WHERE owner = $1 ORDER BY id`, [olivia.owner])
    expect(calls.map(({ status }) => String(status)).toSorted()).toEqual(['cancelled', 'cancelled', 'unknown'])
    for (const call of calls) for (const column of columns) expect([column, call[column]]).toEqual([column, null])
    const accounts = await sql('SELECT id, state, session, origin, data_key FROM accounts WHERE owner = $1', [
      olivia.owner,
    ])
    for (const { id, state, session, data_key: key } of accounts) {
      expect([state, session]).toEqual(['disconnected', null])
      expect(unwrapDataKeys(ctx.secrets, String(id), key as Buffer)).toEqual([])
    }
    expect(accounts.length).toBeGreaterThan(0)
    expect(
      await sql(
        'SELECT FROM rounds r JOIN calls c ON c.id = r.call_id WHERE c.owner = $1 AND coalesce(r.request, r.preview) IS NOT NULL',
        [olivia.owner],
      ),
    ).toEqual([])
    const ledgerNow = await sql('SELECT id, kind, amount, month, call_id FROM ledger WHERE owner = $1 ORDER BY id', [
      olivia.owner,
    ])
    expect(ledgerNow.slice(0, ledger.length)).toEqual(ledger)
    expect(ledgerNow.slice(ledger.length).map(({ kind }) => kind)).toEqual(['release', 'release'])
    const auditsNow = await sql(
      `SELECT id, at, actor, action FROM audit_log WHERE actor = $1 OR detail->>'owner' = $1 ORDER BY id`,
      [olivia.owner],
    )
    expect(auditsNow.slice(0, audits.length)).toEqual(audits)
    expect(auditsNow.at(-1)).toMatchObject({ actor: olivia.owner, action: 'person.erased' })
    expect(await rowsOf(ctx, steven)).toEqual(before)
    expect(readFileSync(path.join(dir, 'erased.jsonl'), 'utf8')).toContain(`{"owner":"${olivia.owner}"`)
    expect(readFileSync(path.join(dir, 'erased.jsonl'), 'utf8')).not.toContain('example.com')
  })

  it('may come again with the same address, as somebody new who owns nothing', async () => {
    const id = await createUser(gateway.ctx, {
      email: 'olivia@example.com',
      password: 'another long one',
      plan: 'small',
    })
    expect(await verifyPassword(gateway.ctx, 'olivia@example.com', 'another long one')).toBe(id)
    expect(await sql('SELECT FROM calls WHERE owner = $1', [id])).toEqual([])
    expect(await sql('SELECT FROM erasures WHERE owner = $1', [id])).toEqual([])
  })

  it('is erased once more of what a request of before brings in late, and done when none can', async () => {
    const { ctx } = gateway
    const person = await makeWholeLife(ctx, 'tamara')
    await askErasure(ctx, person.owner, person.owner)
    await eraseRound(ctx)
    await sql(`INSERT INTO scopes (owner, app, mode) VALUES ($1, 'crm', 'read')`, [person.owner])
    await sql(
      `INSERT INTO api_keys (id, owner, name, hash, hint, line) VALUES ('key_late', $1, 'Late of tamara', '\\x0123', 'x', 'key_late')`,
      [person.owner],
    )
    await eraseRound(ctx)
    expect(await placesOf(['tamara'])).toEqual([])
    expect(await sql('SELECT FROM scopes WHERE owner = $1', [person.owner])).toEqual([])
    expect(await sql(`SELECT FROM api_keys WHERE id = 'key_late' AND revoked_at IS NOT NULL`)).toHaveLength(1)
    expect(await sql('SELECT done_at FROM erasures WHERE owner = $1', [person.owner])).toEqual([{ done_at: null }])
    await eraseRound(ctx, 0)
    expect(await sql('SELECT FROM erasures WHERE owner = $1 AND done_at IS NOT NULL', [person.owner])).toHaveLength(1)
  })

  it('keeps what is being sent, until it has ended: then it is emptied like the others', async () => {
    const { ctx } = gateway
    const person = await makeWholeLife(ctx, 'ulrich')
    const { running, waiting, account } = person.things
    await sql(`UPDATE calls SET send = 'sending' WHERE id = $1`, [running])
    await askErasure(ctx, person.owner, person.owner)
    await eraseRound(ctx)
    const stateOf = async (id: string) =>
      (await sql('SELECT status, input IS NOT NULL AS says FROM calls WHERE id = $1', [id]))[0]
    expect([await stateOf(running), await stateOf(waiting)]).toEqual([
      { status: 'running', says: true },
      { status: 'cancelled', says: true },
    ])
    expect(await sql('SELECT FROM accounts WHERE id = $1 AND session IS NOT NULL', [account])).toHaveLength(1)
    await endSendingOf(person.owner)
    await eraseRound(ctx)
    expect([await stateOf(running), await stateOf(waiting)]).toEqual([
      { status: 'executed', says: false },
      { status: 'cancelled', says: false },
    ])
    expect(await placesOf(['ulrich'])).toEqual([])
  })
})

describe('whoever deletes their account', () => {
  it('types whose it is, shows once more who they are, and is signed out everywhere at once', async () => {
    const { ctx } = gateway
    const person = await makeWholeLife(ctx, 'victor')
    const [here, elsewhere] = [await browserOf(person), await browserOf(person)]
    const csrf = await here.csrf('/account')
    expect((await here.get('/account')).text).toContain('Delete my account for good')
    const wrong = await here.post('/account/erase', { csrf, email: 'steven@example.com' })
    expect([wrong.status, wrong.text.includes('Nothing was deleted')]).toEqual([422, true])
    await sql(`UPDATE web_sessions SET created_at = now() - interval '1 hour', proved_at = NULL WHERE owner = $1`, [
      person.owner,
    ])
    expect((await here.post('/account/erase', { csrf, email: person.email })).status).toBe(403)
    expect(await sql('SELECT FROM erasures WHERE owner = $1', [person.owner])).toEqual([])

    const done = await here.post('/account/erase', {
      csrf,
      email: ` ${person.email.toUpperCase()} `,
      again_password: person.password,
    })
    expect([done.status, done.text.includes('Your account is deleted')]).toEqual([200, true])
    for (const browser of [here, elsewhere])
      expect((await browser.get('/account')).headers.get('location')).toMatch(/^\/login/)
    expect((await new Visitor(site()).signIn(person)).status).toBe(422)
    expect((await ask(`${gateway.url}/calls`, { key: person.secret })).status).toBe(403)
    expect(await sql('SELECT id FROM passkeys WHERE owner = $1', [person.owner])).toEqual([])
    // Nothing says any more whose address it is, before the sweeper comes.
    expect(await placesOf([person.email])).toEqual([])
  })

  it('may be an operator for them, who is in the log by name', async () => {
    const person = await makeWholeLife(gateway.ctx, 'walter')
    const told = await askAsOperator(gateway, 'POST', '/users/erase', { email: person.email })
    expect([told.status, told.body]).toEqual([200, { owner: person.owner, erasure: 'begun' }])
    const [entry] = await sql(`SELECT actor FROM audit_log WHERE action = 'person.erased' AND detail->>'owner' = $1`, [
      person.owner,
    ])
    expect(entry?.['actor']).toMatch(/^operator:/)
    expect((await askAsOperator(gateway, 'POST', '/users/erase', { email: person.email })).status).toBe(404)
  })
})
