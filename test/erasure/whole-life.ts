import { randomBytes } from 'node:crypto'
import { findCall } from '../../core/calls/rows.ts'
import { placeOf, sealPayload } from '../../core/calls/payload.ts'
import { aboutTrace } from '../../core/connectors/traces.ts'
import type { Context } from '../../core/context.ts'
import { seal, unwrapDataKey, wrapDataKey } from '../../core/secrets/crypto.ts'
import { standingFor } from '../support/standing.ts'
import { app, makePerson } from '../api/ownership/things.ts'
import type { Person } from '../api/ownership/things.ts'

/** Somebody of whom every table that can has something; each text of theirs has their name in it. Who adds such a table adds it here. */
export async function makeWholeLife(ctx: Context, name: string): Promise<Person> {
  const person = await makePerson(ctx, name)
  const { owner } = person
  const { account, key, running, unknown, waiting } = person.things
  const sql = (text: string, values: readonly unknown[]) => ctx.db.query(text, [...values])
  const row = await findCall(ctx.db, owner, unknown)
  if (row === undefined) throw new Error('no such call')
  const sealed = (column: 'request' | 'finding' | 'try' | 'preview'): Buffer =>
    sealPayload(ctx.secrets, placeOf(row), column, { told: `${column} of ${name}` })
  const only = { field: 'contact_id', values: [`Contact of ${name}`] }
  await standingFor(ctx, { id: owner, account: { id: account } }, { only })
  await sql(`UPDATE traces SET account = $2, trace = $3, ended_at = now(), exchanges = 1 WHERE id = $1`, [
    person.things.trace,
    account,
    seal(
      unwrapDataKey(ctx.secrets, account, row.data_key),
      aboutTrace({ id: person.things.trace, owner, account }),
      JSON.stringify({ told: `trace of ${name}` }),
    ),
  ])
  await sql(
    `INSERT INTO rounds (call_id, round, decided_by, decided_at, request, preview) VALUES ($1, 1, $2, now(), $3, $4)`,
    [unknown, owner, sealed('request'), sealed('preview')],
  )
  await sql(`INSERT INTO findings (call_id, found_at, finding) VALUES ($1, now(), $2)`, [unknown, sealed('finding')])
  await sql(`INSERT INTO answers_due (call_id, owner, content_hash) VALUES ($1, $2, '\\x01')`, [unknown, owner])
  await sql(
    `INSERT INTO tries (id, app, endpoint, begun_by, expires_at, call_id, recording)
     VALUES ($1, $2, 'add_contact_note', 'operator', now() + interval '1 hour', $3, $4)`,
    [randomBytes(18).toString('hex'), app, unknown, sealed('try')],
  )
  await sql(`INSERT INTO call_metadata (call_id, metadata) VALUES ($1, $2)`, [unknown, { run: `Run of ${name}` }])
  await sql(
    `INSERT INTO idempotency_keys (owner, key, request_hash, call_id, line, turn) VALUES ($1, $2, '\\x01', $3, $4, 0)`,
    [owner, `Key of ${name}'s agent`, running, key],
  )
  await sql(`UPDATE calls SET client = $2 WHERE id = $1`, [waiting, `Program of ${name}`])
  await sql(`INSERT INTO scopes (owner, app, mode) VALUES ($1, 'crm', 'read')`, [owner])
  await sql(
    `INSERT INTO endpoint_settings (owner, app, endpoint, expiry_seconds) VALUES ($1, 'crm', 'list_leads', 60)`,
    [owner],
  )
  await sql(
    `INSERT INTO key_switches (owner, app, endpoint, key_line, proof) VALUES ($1, 'crm', 'list_leads', $2, 'k1.none')`,
    [owner, key],
  )
  await sql(`INSERT INTO quiet_hours (owner, from_minute, to_minute, zone) VALUES ($1, 1200, 400, 'Europe/Madrid')`, [
    owner,
  ])
  await sql(
    `INSERT INTO watches (id, owner, app, endpoint, account, input, asked_by, shape)
     VALUES ($1, $2, $3, 'get_listing', $4, $5, 'operator', '{}')`,
    [`watch_${randomBytes(6).toString('hex')}`, owner, app, account, JSON.stringify({ listing_id: `Of ${name}` })],
  )
  await sql(`INSERT INTO notices (id, owner, target, kind) VALUES ($1, $2, $3, 'test')`, [
    `ntc_${randomBytes(8).toString('hex')}`,
    owner,
    person.things.webhook,
  ])
  await sql(
    `INSERT INTO web_sessions (hash, owner, expires_at, network, browser) VALUES ($1, $2, now() + interval '1 day', '203.0.113.0', $3)`,
    [randomBytes(32), owner, `Browser of ${name}`],
  )
  await sql(`INSERT INTO passkey_demands (owner, demands, proof) VALUES ($1, $2, 'k1.x') ON CONFLICT DO NOTHING`, [
    owner,
    JSON.stringify({ [`crm/of_${name}`]: {} }),
  ])
  await sql(`INSERT INTO totp (id, owner, secret) VALUES ($1, $1, $2) ON CONFLICT DO NOTHING`, [
    owner,
    wrapDataKey(ctx.secrets, owner, randomBytes(20)),
  ])
  await sql(`INSERT INTO recovery_codes (hash, owner) VALUES ($1, $2)`, [randomBytes(32), owner])
  await signedInWith(ctx, person, name)
  return person
}

/** A program that the person let in. */
async function signedInWith({ db }: Context, { owner }: Person, name: string): Promise<void> {
  const key = `grant_${randomBytes(8).toString('hex')}`
  await db.query(`INSERT INTO api_keys (id, owner, name, hint, line) VALUES ($1, $2, $3, '', $1)`, [
    key,
    owner,
    `Program of ${name}`,
  ])
  await db.query(`INSERT INTO oauth_grants (key, client, goes_to, resource) VALUES ($1, $2, $3, '/mcp')`, [
    key,
    `https://${name}.example/client`,
    `${name}.example`,
  ])
  await db.query(
    `INSERT INTO oauth_tokens (hash, key, kind, expires_at) VALUES ($1, $2, 'refresh', now() + interval '1 day')`,
    [randomBytes(32), key],
  )
  await db.query(
    `INSERT INTO oauth_codes (hash, client, client_name, redirect_uri, challenge, resource, owner, read_only, expires_at)
     VALUES ($1, 'c', $3, 'https://example.com/', 'x', '/mcp', $2, true, now() + interval '1 minute')`,
    [randomBytes(32), owner, `Program of ${name}`],
  )
}
