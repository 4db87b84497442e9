import type { Db } from '../database/pool.ts'
import type { SendRow } from './sending-rows.ts'

// When an app blocks a call, its endpoint cools down for the account; then one call may probe.

/** Counts a block for an unapproved call that waits for another's probe: at most once in 900 ms. */
export async function countBlock(db: Db, callId: string, attempt: number): Promise<void> {
  await db.query(
    `UPDATE calls SET blocks = blocks + 1, updated_at = clock_timestamp()
     WHERE id = $1 AND attempt = $2 AND status = 'running' AND send = 'ready' AND NOT confirm
       AND (blocks = 0 OR updated_at <= clock_timestamp() - interval '900 milliseconds')`,
    [callId, attempt],
  )
}

/**
 * Records a block: refunds the attempt, readies the next one, lengthens the cool-down. Returns the
 * end of the cool-down; null: the attempt is no longer current.
 */
export async function block(db: Db, callId: string, attempt: number): Promise<Date | null> {
  const { rows } = await db.query<{ until: Date | null }>('SELECT block_call($1, $2) AS until', [callId, attempt])
  return rows[0]?.until ?? null
}

/** Cool-down after a blocked read of no call: an active one stays, one that is over doubles. */
export async function pauseAfterRead(db: Db, account: string, endpoint: string): Promise<void> {
  await db.query(
    `INSERT INTO pauses AS p (account, endpoint, until, seconds) VALUES ($1, $2, clock_timestamp() + interval '60 seconds', 60)
     ON CONFLICT (account, endpoint) DO UPDATE SET seconds = least(p.seconds * 2, 3600),
       until = clock_timestamp() + make_interval(secs => least(p.seconds * 2, 3600)) WHERE p.until <= clock_timestamp()`,
    [account, endpoint],
  )
}

/** Takes the single probe after a cool-down, for 60 s; true: this call has it. */
export async function takeProbe(db: Db, row: Pick<SendRow, 'id' | 'account' | 'endpoint'>): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE pauses SET probe_call = $3, probe_until = clock_timestamp() + interval '60 seconds'
     WHERE account = $1 AND endpoint = $2 AND until <= clock_timestamp()
       AND (probe_call IS NULL OR probe_call = $3 OR probe_until <= clock_timestamp())`,
    [row.account, row.endpoint, row.id],
  )
  return rowCount === 1
}

/** Returns the probe of an attempt that ended in neither a success nor a block. */
export async function returnProbe(db: Db, row: Pick<SendRow, 'id' | 'account' | 'endpoint'>): Promise<void> {
  await db.query('UPDATE pauses SET probe_call = NULL WHERE account = $1 AND endpoint = $2 AND probe_call = $3', [
    row.account,
    row.endpoint,
    row.id,
  ])
}

export async function endPause(db: Db, row: Pick<SendRow, 'account' | 'endpoint'>): Promise<void> {
  await db.query('DELETE FROM pauses WHERE account = $1 AND endpoint = $2', [row.account, row.endpoint])
}

/** A cool-down: the endpoint's calls on this account wait until its end. */
export interface Pause {
  readonly account: string
  readonly account_label: string
  readonly endpoint: string
  readonly until: Date
}

export async function listPauses(db: Db, owner: string, app: string): Promise<readonly Pause[]> {
  const { rows } = await db.query<Pause>(
    `SELECT p.account, a.label AS account_label, p.endpoint, p.until FROM pauses p JOIN accounts a ON a.id = p.account
     WHERE a.owner = $1 AND a.app = $2 ORDER BY p.until`,
    [owner, app],
  )
  return rows
}
