import { coversMaker } from '../calls/covered.ts'
import type { Db } from '../database/pool.ts'

export interface ConnectedAccount {
  readonly id: string
  readonly app: string
  readonly label: string
  /** The app's origin; '' for an app with one fixed origin. */
  readonly origin: string
  readonly state: 'connected' | 'expired' | 'needs_check' | 'blocked'
  readonly connected_at: Date | null
  /** When a call that the key may see was last updated, once it had begun to send; null = never. */
  readonly last_used_at: Date | null
}

/**
 * The accounts of the key's owner in apps that the key may use. `blocked`: one endpoint cools down.
 * An approved call may be sent long after younger ones, so the last use is the maximum over many.
 */
export async function connectedAccounts(db: Db, keyId: string): Promise<readonly ConnectedAccount[]> {
  const { rows } = await db.query<ConnectedAccount>(
    `SELECT a.id, a.app, a.label, a.origin, a.connected_at, used.last_used_at,
       CASE WHEN a.state = 'connected'
         AND EXISTS (SELECT FROM pauses p WHERE p.account = a.id AND p.until > clock_timestamp()) THEN 'blocked'
         ELSE a.state END AS state
     FROM api_keys k JOIN accounts a ON a.owner = k.owner AND (k.apps IS NULL OR a.app = ANY (k.apps))
     CROSS JOIN LATERAL (
       SELECT max(recent.updated_at) AS last_used_at FROM api_keys maker CROSS JOIN LATERAL (
         SELECT c.updated_at FROM calls c
         WHERE c.account = a.id AND c.key_id = maker.id AND c.send = 'sending' ORDER BY c.id COLLATE "C" DESC LIMIT 100
       ) recent WHERE maker.owner = k.owner AND ${coversMaker}) used
     WHERE k.id = $1 AND a.state <> 'disconnected' ORDER BY a.app, a.label, a.id`,
    [keyId],
  )
  return rows
}
