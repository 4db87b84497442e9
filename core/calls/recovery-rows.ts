import type { CallStatus, FinalStatus } from '../../schemas/call.ts'
import { named } from '../database/named.ts'
import type { Db } from '../database/pool.ts'

/** This attempt ended without an outcome: recovery need not wait for it. */
export async function letGo(db: Db, callId: string, sender: number): Promise<void> {
  await db.query(`UPDATE calls SET sender = NULL WHERE id = $1 AND sender = $2`, [callId, sender])
}

/** What the row proves of a call whose attempt seems dead. `wornOut`: no read retries left. */
export type Recovered =
  | { readonly outcome: 'again'; readonly attempt: number }
  | { readonly outcome: 'sending' | 'wornOut' }
  | { readonly outcome: 'final'; readonly status: FinalStatus }

/** Readies the next attempt if safe; ends a write as unknown if a dead process held its lease. */
export async function recoverCall(db: Db, callId: string, attempt: number, readTries: number): Promise<Recovered> {
  const { rows } = await db.query<{ outcome: FinalStatus | 'again' | 'sending' | 'worn_out'; next_attempt: number }>(
    'SELECT outcome, next_attempt FROM recover_call($1, $2, $3)',
    [callId, attempt, readTries],
  )
  const [row] = rows
  if (row === undefined) throw new Error('recover_call() returned nothing')
  const { outcome, next_attempt: next } = row
  if (outcome === 'again') return { outcome, attempt: next }
  if (outcome === 'sending') return { outcome }
  return outcome === 'worn_out' ? { outcome: 'wornOut' } : { outcome: 'final', status: outcome }
}

/** Fails a call whose wait is over by its row too. `left`: ms to go, if only that is missing. */
export async function giveUpCall(
  db: Db,
  callId: string,
  waitedFor: 'app' | 'person',
  kept: { readonly error?: Buffer; readonly code: string },
): Promise<{ readonly stands: CallStatus; readonly left: number | null }> {
  const { list, values } = named({ p_call: callId, p_for: waitedFor, p_error: kept.error, p_error_code: kept.code })
  const { rows } = await db.query<{ stands: CallStatus; left: number | null }>(
    `SELECT stands, (extract(epoch FROM time_left) * 1000)::float8 AS left FROM give_up_call(${list})`,
    values,
  )
  if (rows[0] === undefined) throw new Error('give_up_call() returned nothing')
  return rows[0]
}
