import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'
import { unwrapDataKeys, wrapDataKey } from '../secrets/crypto.ts'
import { isMark, newMark } from '../secrets/marks.ts'
import { demandKey, provenDemands, readDemands } from './passkey-demands.ts'
import type { PasskeyDemand } from './passkey-demands.ts'
import { demandsProof } from './passkey-proofs.ts'

type Parts = Pick<Context, 'db' | 'secrets'>

/**
 * Sets for which endpoints of an app a user requires a passkey; null removes one. Unproven rows are
 * discarded. False: they have no passkey and require something new.
 */
export async function demandPasskey(
  ctx: Parts,
  owner: string,
  app: string,
  wanted: ReadonlyMap<string, { readonly above: string | null } | null>,
): Promise<boolean> {
  return transaction(ctx.db, async (db) => {
    // Serialises concurrent changes, so that each sees the other's.
    await db.query('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [owner])
    const { rowCount } = await db.query('SELECT FROM passkeys WHERE owner = $1 LIMIT 1', [owner])
    if (rowCount === 0 && [...wanted.values()].some((one) => one !== null)) return false
    const proven = provenDemands(ctx, owner, await readDemands(db, owner))
    const demands: Record<string, PasskeyDemand> = proven === 'unproven' ? {} : { ...proven }
    const since = new Date().toISOString()
    for (const [endpoint, one] of wanted) {
      const key = demandKey(app, endpoint)
      if (one === null) delete demands[key]
      else demands[key] = { above: one.above, since }
      const said = one === null ? 'no' : one.above === null ? 'each time' : `above ${one.above}`
      await audit(db, owner, 'endpoint.passkey', { app, endpoint, passkey_for: said })
    }
    await db.query(
      `INSERT INTO passkey_demands (owner, demands, proof) VALUES ($1, $2, $3)
       ON CONFLICT (owner) DO UPDATE SET demands = excluded.demands, proof = excluded.proof`,
      [owner, demands, demandsProof(ctx, owner, demands)],
    )
    await markAccounts(ctx, db, owner)
    return true
  })
}

/** Marks the user's accounts if they ever required passkeys. Call it in a transaction. */
export async function markIfDemanded(ctx: Pick<Context, 'secrets'>, db: Db, owner: string): Promise<void> {
  const { rowCount } = await db.query('SELECT FROM passkey_demands WHERE owner = $1', [owner])
  if (rowCount === 1) await markAccounts(ctx, db, owner)
}

async function markAccounts({ secrets }: Pick<Context, 'secrets'>, db: Db, owner: string): Promise<void> {
  const { rows } = await db.query<{ id: string; data_key: Buffer }>(
    'SELECT id, data_key FROM accounts WHERE owner = $1 ORDER BY id FOR NO KEY UPDATE',
    [owner],
  )
  for (const { id, data_key: wrapped } of rows) {
    const keys = unwrapDataKeys(secrets, id, wrapped)
    if (keys.some((key) => isMark(id, key))) continue
    const marked = wrapDataKey(secrets, id, Buffer.concat([...keys, newMark(id)]))
    await db.query('UPDATE accounts SET data_key = $2 WHERE id = $1', [id, marked])
  }
}
