import { ulid } from 'ulid'
import type { Endpoint } from '../../connectors/registry.ts'
import { standingProof } from './approval.ts'
import type { Context } from '../context.ts'
import { seal, unwrapDataKey } from '../secrets/crypto.ts'
import { audit } from '../audit.ts'
import { withdraw } from '../calls/rows.ts'
import type { Db } from '../database/pool.ts'
import { transaction } from '../database/pool.ts'
import { standingAt } from './standing-rows.ts'
import type { StandingRow } from './standing-rows.ts'
import { nudgeCall } from '../temporal/call-runs.ts'
import { aboutList, openList, stateOf } from './standing.ts'

/** Maximum rules per endpoint and account: each call opens all of them. */
const most = 20

type Parts = Pick<Context, 'apps' | 'db' | 'secrets'>

/** The submitted form. */
export interface NewStanding {
  readonly owner: string
  readonly account: string
  readonly endpoint: Endpoint
  /** Id of the key whose calls, and whose successors' calls, it covers; null: all keys. */
  readonly key: string | null
  readonly perDay: number | null
  readonly only: { readonly field: string; readonly values: readonly string[] } | null
  readonly until: Date | null
}

/** Creates an approval rule and returns its id, or that of an equal rule. */
export async function makeStanding(
  ctx: Parts,
  wanted: NewStanding,
): Promise<{ readonly id: string } | 'no account' | 'no key' | 'too many'> {
  const { owner, account, endpoint, only } = wanted
  return transaction(ctx.db, async (db) => {
    const dataKey = await lockAccount(db, wanted)
    if (dataKey === undefined) return 'no account'
    const line = wanted.key === null ? null : await lineOf(db, owner, wanted.key)
    if (line === undefined) return 'no key'
    const place = { owner, account, app: endpoint.app, endpoint: endpoint.name }
    const standing = await standingAt(db, place)
    const equal = standing.find(
      (row) => stateOf(ctx, row) === 'stands' && row.key_line === line && saysTheSame(ctx, row, wanted),
    )
    if (equal !== undefined) return { id: equal.id }
    if (standing.length >= most) return 'too many'
    const row = {
      ...place,
      id: `sta_${ulid()}`,
      key_line: line,
      definition_version: '',
      per_day: wanted.perDay,
      field: only?.field ?? null,
      until: wanted.until,
      created_at: new Date(),
    }
    const list = only && seal(unwrapDataKey(ctx.secrets, account, dataKey), aboutList(row), JSON.stringify(only.values))
    await db.query(
      `INSERT INTO standing_approvals (id, owner, account, app, endpoint, definition_version, per_day, field, allowed, until, created_at, proof, key_line)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
      [
        row.id,
        owner,
        account,
        row.app,
        row.endpoint,
        row.definition_version,
        row.per_day,
        row.field,
        list,
        row.until,
        row.created_at,
        standingProof(ctx, row, only?.values ?? null),
        line,
      ],
    )
    const { app, per_day, field, until } = row
    const bounds = { key: wanted.key, per_day, field, values: only?.values.length ?? null, until }
    await audit(db, owner, 'standing.made', { standing: row.id, app, endpoint: row.endpoint, account, ...bounds })
    return { id: row.id }
  })
}

/** The data key; locks the account, so that the second of two equal forms finds the first rule. */
async function lockAccount(db: Db, { owner, account, endpoint }: NewStanding): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ data_key: Buffer }>(
    `SELECT data_key FROM accounts WHERE id = $1 AND owner = $2 AND app = $3 AND state <> 'disconnected' FOR NO KEY UPDATE`,
    [account, owner, endpoint.app],
  )
  return rows[0]?.data_key
}

/** The lineage of a key; undefined: the user has no valid key with this id. */
async function lineOf(db: Db, owner: string, keyId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ line: string }>(
    'SELECT line FROM api_keys k WHERE id = $1 AND owner = $2 AND is_valid_key(k)',
    [keyId, owner],
  )
  return rows[0]?.line
}

function saysTheSame(ctx: Parts, row: StandingRow, { perDay, only, until }: NewStanding): boolean {
  const same = (list: readonly string[] | null | undefined): string => JSON.stringify(list?.toSorted() ?? null)
  return (
    row.per_day === perDay &&
    row.field === (only?.field ?? null) &&
    row.until?.getTime() === until?.getTime() &&
    same(openList(ctx, row)) === same(only?.values)
  )
}

/**
 * Revokes an approval rule and withdraws every unsent call that it approved. Returns their number;
 * undefined: no active rule has this id. Lock order: the rule, its calls, then the balance, so that
 * it cannot deadlock with accepting or settling a call.
 */
export async function revokeStanding(ctx: Context, owner: string, id: string): Promise<number | undefined> {
  const taken = await transaction(ctx.db, async (db) => {
    await db.query('SELECT FROM standing_approvals WHERE id = $1 AND owner = $2 FOR UPDATE', [id, owner])
    const { rowCount } = await db.query(
      `UPDATE standing_approvals SET revoked_at = clock_timestamp(), proof = NULL
       WHERE id = $1 AND owner = $2 AND revoked_at IS NULL`,
      [id, owner],
    )
    if (rowCount !== 1) return undefined
    const { rows } = await db.query<{ id: string }>(
      `SELECT id FROM calls WHERE decided_by = $1 AND status = 'running' AND send = 'ready' ORDER BY id FOR UPDATE`,
      [id],
    )
    const calls: string[] = []
    for (const call of rows) if (await withdraw(db, call.id)) calls.push(call.id)
    await audit(db, owner, 'standing.revoked', { standing: id, taken_back: calls.length })
    return calls
  })
  // The reconciler repeats lost nudges.
  if (taken !== undefined) await Promise.all(taken.map((callId) => nudgeCall(ctx, callId)))
  return taken?.length
}
