import type { Db } from './database/pool.ts'

/** Something that somebody changed. */
export interface AuditEntry {
  readonly id: string
  readonly at: Date
  /** The user who did it, or an operator's name. */
  readonly actor: string
  readonly action: string
  readonly detail: Readonly<Record<string, unknown>>
}

/** In the transaction of the change itself, so that neither stands without the other. */
export async function audit(db: Db, actor: string, action: string, detail: object): Promise<void> {
  await db.query('INSERT INTO audit_log (actor, action, detail) VALUES ($1, $2, $3)', [actor, action, detail])
}

/** What the owner changed, and what operators changed of theirs, newest first, from just below the entry `before`. */
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
