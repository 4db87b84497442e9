import type { Db } from '../database/pool.ts'

/** The call that already uses an idempotency key. */
export interface EarlierCall {
  readonly request_hash: Buffer
  readonly call_id: string
}

/** The idempotency key's call: by this API key, else by one it replaced, never by a later one. */
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

/** A pending call of the key's lineage with the same content: what `accept_call` would return. */
export async function findEqual(
  db: Db,
  { keyId, owner, contentHash }: { readonly keyId: string; readonly owner: string; readonly contentHash: Buffer },
): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>({
    name: 'find-equal',
    text: `SELECT c.id FROM api_keys k JOIN api_keys maker ON maker.line = k.line AND maker.turn <= k.turn
       JOIN calls c ON c.key_id = maker.id
       WHERE k.id = $1 AND c.owner = $2 AND c.content_hash = $3 AND c.status = 'awaiting_confirmation' AND c.expires_at > clock_timestamp()
         AND call_problem(c.key_id, c.owner, c.app, c.endpoint, c.access) IS NULL
       ORDER BY c.id LIMIT 1`,
    values: [keyId, owner, contentHash],
  })
  return rows[0]?.id
}
