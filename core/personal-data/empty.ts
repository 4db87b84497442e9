import { disconnected, shredIfEmpty } from '../accounts/forget.ts'
import { columns } from '../calls/payload.ts'
import type { Context } from '../context.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'
import { failPoint } from '../fail-point.ts'

/** Rows per statement: no other call waits for them. */
const batch = 500

/** Deletes the content of a user's calls, which have all ended; keeps time and status. */
export async function emptyCalls(db: Db, owner: string): Promise<void> {
  for (let after = ''; ;) {
    const { rows } = await db.query<{ id: string }>(
      `WITH span AS (SELECT id FROM calls WHERE owner = $1 AND id > $2 ORDER BY id LIMIT $3),
         emptied AS (
           UPDATE calls c SET ${columns.map((column) => `${column} = NULL`).join(', ')}, client = NULL, changed = NULL,
             approval_proof = NULL, passkey_proof = NULL, content_hash = ''
           FROM span WHERE c.id = span.id AND c.content_hash <> ''),
         ${beside.map((table) => `${table}_gone AS (DELETE FROM ${table} WHERE call_id IN (SELECT id FROM span))`).join(', ')},
         rounds_emptied AS (UPDATE rounds SET request = NULL, preview = NULL WHERE call_id IN (SELECT id FROM span)
           AND coalesce(request, preview) IS NOT NULL)
       SELECT id FROM span ORDER BY id`,
      [owner, after, batch],
    )
    failPoint('erase.halfway')
    const last = rows.at(-1)
    if (rows.length < batch || last === undefined) return
    after = last.id
  }
}

/** Tables beside calls that are deleted with their content. */
const beside = ['call_files', 'call_metadata', 'findings', 'tries', 'answers_due', 'idempotency_keys'] as const

/** Audit details that are kept: ids and settings. Others may be names, addresses or free text. */
const kept =
  'owner key new_key account app endpoint call watch standing invitation passkey webhook apps sees_all read_only days overlap_hours happened credits topped_up plan kinds on count channel mode endpoints may_invite taken_back per_day until'

/** Deletes names, addresses and free text from a user's audit log; keeps the actions. */
export async function emptyAudit(db: Db, owner: string): Promise<void> {
  for (let after = '0'; ;) {
    const { rows } = await db.query<{ id: string }>(
      `WITH span AS (SELECT id FROM audit_log WHERE (actor = $1 OR detail->>'owner' = $1) AND id > $2 ORDER BY id LIMIT $3),
         emptied AS (
           UPDATE audit_log a SET detail = (
             SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(detail) WHERE key = ANY ($4))
           FROM span WHERE a.id = span.id AND EXISTS (SELECT FROM jsonb_object_keys(a.detail) key WHERE key <> ALL ($4)))
       SELECT id FROM span ORDER BY id`,
      [owner, after, batch, kept.split(' ')],
    )
    const last = rows.at(-1)
    if (rows.length < batch || last === undefined) return
    after = last.id
  }
}

/** Empties the user's other tables; accounts stay as bare ids. False: one still has sealed data. */
export async function emptyRest(ctx: Pick<Context, 'db' | 'secrets'>, owner: string): Promise<boolean> {
  return transaction(ctx.db, async (db) => {
    for (const table of theirs) await db.query(`DELETE FROM ${table} WHERE owner = $1`, [owner])
    await db.query('DELETE FROM oauth_grants g USING api_keys k WHERE k.id = g.key AND k.owner = $1', [owner])
    await db.query('DELETE FROM pauses p USING accounts a WHERE a.id = p.account AND a.owner = $1', [owner])
    await db.query('DELETE FROM rate_limits WHERE strpos(bucket, $1) > 0', [owner])
    const { rows } = await db.query<{ id: string }>(
      `UPDATE accounts SET ${disconnected} WHERE owner = $1 AND data_key_since < 'infinity' RETURNING id`,
      [owner],
    )
    let all = true
    for (const { id } of rows) all = (await shredIfEmpty(ctx, db, id)) && all
    failPoint('erase.before-end')
    return all
  })
}

/** Ordered by foreign keys: referencing tables first. */
const theirs = [
  'notices',
  'notice_targets',
  'quiet_hours',
  'scopes',
  'endpoint_settings',
  'passkey_demands',
  'key_switches',
  'standing_approvals',
  'watches',
  'traces',
] as const
