import type { Db } from '../database/pool.ts'

/** A block of the app that still stands: the endpoint's calls of this account wait until then. */
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
