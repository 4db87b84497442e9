import type { Db } from './database/pool.ts'

/** One entry of the audit log. */
export interface AuditEntry {
  readonly id: string
  readonly at: Date
  /** A user id, or an operator's name. */
  readonly actor: string
  readonly action: string
  readonly detail: Readonly<Record<string, unknown>>
}

/** Pass the connection of the change's own transaction, so that both commit or neither. */
export async function audit(db: Db, actor: string, action: string, detail: object): Promise<void> {
  await db.query('INSERT INTO audit_log (actor, action, detail) VALUES ($1, $2, $3)', [actor, action, detail])
}

/** Changes by the owner, and by operators to their data, newest first, older than `before`. */
export async function listAudit(
  db: Db,
  wanted: { readonly owner: string; readonly before: string | null; readonly limit: number },
): Promise<readonly AuditEntry[]> {
  const { rows } = await db.query<AuditEntry>(
    `SELECT id, at, actor, action, detail FROM audit_log
     WHERE (actor = $1 OR detail->>'owner' = $1) AND ($2::bigint IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
    [wanted.owner, wanted.before, wanted.limit],
  )
  return rows
}
