import { coversMaker } from '../calls/covered.ts'
import type { Db } from '../database/pool.ts'

export interface ConnectedAccount {
  readonly id: string
  readonly app: string
  readonly label: string
  /** The address of its app; '' for an app that is at one address for everybody. */
  readonly origin: string
  readonly state: 'connected' | 'expired' | 'needs_check' | 'blocked'
  readonly connected_at: Date | null
  /** When one of its calls that the key covers was last sent or ended after that; null = never. */
  readonly last_used_at: Date | null
}

/**
 * The accounts that the key's owner has connected, of apps that the key may use. `blocked`: the app paused one of its endpoints.
 * A call that waited for its approval is sent long after younger ones, so the last use is the latest of many, not of the youngest.
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
