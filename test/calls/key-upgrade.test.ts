import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { migrate, migrateTo } from '../../core/database/migrate.ts'

/** The last migration before keys had lines. */
const before = '0016'

let client: pg.Client
let url: string
const name = 'test_before_key_lines'
const onServer = async (text: string): Promise<void> => {
  const admin = new pg.Client({ connectionString: inject('databaseUrl') })
  await admin.connect()
  await admin.query(text)
  await admin.end()
}

beforeAll(async () => {
  await onServer(`CREATE DATABASE ${name}`)
  const address = new URL(inject('databaseUrl'))
  address.pathname = `/${name}`
  url = address.href
  client = new pg.Client({ connectionString: url })
  await client.connect()
  await migrateTo(url, before)
})
afterAll(async () => {
  await client.end()
  await onServer(`DROP DATABASE ${name} WITH (FORCE)`)
})

test('what was there before keys had lines is there afterwards, with the key that made it', async () => {
  const rows = async (text: string) => (await client.query({ text, rowMode: 'array' })).rows
  await client.query(`
    INSERT INTO users (id, email, password_hash) VALUES ('u1', 'one@example.com', 'x'), ('u2', 'two@example.com', 'x');
    INSERT INTO balances (owner) VALUES ('u1'), ('u2');
    INSERT INTO accounts (id, owner, app, external_id, label, state, data_key)
      VALUES ('a1', 'u1', 'crm', 'x', 'One', 'connected', '\\x00'), ('a2', 'u2', 'crm', 'x', 'Two', 'connected', '\\x00');
    INSERT INTO api_keys (id, owner, name, hash, hint, created_at, expires_at)
      SELECT v.id, v.owner, 'n', v.id::bytea, 'h', now() - interval '1 day' * (9 - v.n), CASE WHEN v.ended THEN now() END
      FROM (VALUES ('k1', 'u1', 1, true), ('k2', 'u1', 2, true), ('k3', 'u1', 3, false), ('lost', 'u1', 4, false),
                   ('alone', 'u1', 5, false), ('other', 'u2', 6, false)) v(id, owner, n, ended);
    -- k1 was replaced twice: by one that got lost, and then by k2.
    INSERT INTO audit_log (actor, action, detail) VALUES
      ('u1', 'key.rotated', '{"key": "k1", "new_key": "lost", "overlap_hours": 24}'),
      ('u1', 'key.rotated', '{"key": "k1", "new_key": "k2", "overlap_hours": 24}'),
      ('u1', 'key.rotated', '{"key": "k2", "new_key": "k3", "overlap_hours": 0}'),
      ('u2', 'key.rotated', '{"key": "alone", "new_key": "other", "overlap_hours": 0}');
    INSERT INTO calls (id, owner, key_id, app, endpoint, account, access, confirm, status, expires_at, content_hash,
        definition_version, credits)
      SELECT 'c_' || k.id, k.owner, k.id, 'crm', 'e', 'a' || right(k.owner, 1), 'write', true, 'awaiting_confirmation',
        now() + interval '1 day', '\\x01', 'v', 0 FROM api_keys k;
    INSERT INTO idempotency_keys (owner, key, request_hash, call_id, created_at)
      SELECT owner, 'once-' || key_id, '\\x02', id, '2026-01-01' FROM calls`)
  await migrate(url)

  expect(await rows('SELECT id, line, turn, sees_all FROM api_keys ORDER BY id')).toEqual([
    ['alone', 'alone', 0, false],
    ['k1', 'k1', 0, false],
    ['k2', 'k1', 1, false],
    ['k3', 'k1', 2, false],
    ['lost', 'lost', 0, false],
    ['other', 'other', 0, false],
  ])
  expect(
    await rows('SELECT owner, line, turn, key, call_id, created_at::date::text FROM idempotency_keys ORDER BY key'),
  ).toEqual([
    ['u1', 'alone', 0, 'once-alone', 'c_alone', '2026-01-01'],
    ['u1', 'k1', 0, 'once-k1', 'c_k1', '2026-01-01'],
    ['u1', 'k1', 1, 'once-k2', 'c_k2', '2026-01-01'],
    ['u1', 'k1', 2, 'once-k3', 'c_k3', '2026-01-01'],
    ['u1', 'lost', 0, 'once-lost', 'c_lost', '2026-01-01'],
    ['u2', 'other', 0, 'once-other', 'c_other', '2026-01-01'],
  ])
  // What waits with a key that has ended goes on with its successor.
  expect(
    await rows(`SELECT id, call_problem(key_id, owner, app, endpoint, access) FROM calls WHERE id IN ('c_k1', 'c_k2')`),
  ).toEqual([
    ['c_k1', null],
    ['c_k2', null],
  ])
  const again = (key: string, idempotencyKey: string) =>
    rows(`SELECT outcome, call_id FROM accept_call('c_new', 'u1', '${key}', 'crm', 'e', 'a1', 'write', true, 60, '\\x00', '\\x01', 'v', 0,
      ${idempotencyKey}, '\\x02', 1000)`)
  expect(await again('k3', `'once-k1'`)).toEqual([['replayed', 'c_k1']])
  expect(await again('k3', 'NULL')).toEqual([['replayed', 'c_k1']])
  expect(await again('alone', 'NULL')).toEqual([['replayed', 'c_alone']])
})
