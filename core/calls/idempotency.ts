import type { Db } from '../database/pool.ts'

/** What an idempotency key stands for already. */
export interface EarlierCall {
  readonly request_hash: Buffer
  readonly call_id: string
}

/** What this API key, or one that it replaced, made with the idempotency key: its own comes first. Never what a successor made. */
export async function findEarlier(db: Db, keyId: string, idempotencyKey: string): Promise<EarlierCall | undefined> {
  const { rows } = await db.query<EarlierCall>({
    name: 'find-earlier',
    text: `SELECT i.request_hash, i.call_id FROM api_keys k
       JOIN idempotency_keys i ON i.line = k.line AND i.key = $2 AND i.turn <= k.turn
       WHERE k.id = $1 ORDER BY i.turn DESC LIMIT 1`,
    values: [keyId, idempotencyKey],
  })
  return rows[0]
}
