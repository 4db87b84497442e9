import type { Context } from '../context.ts'
import type { Db } from '../database/pool.ts'
import { errorName } from '../error-labels.ts'
import { networkOf } from '../network.ts'

/** Uses from two networks within this many minutes count as simultaneous. */
const overlapMinutes = 10
/** A process writes each network of a grant at most once in this time. */
const freshMs = 60_000
const rememberedAtMost = 10_000

/** Records that the grant was used from this IP address. */
export async function noteNetwork(db: Db, key: string, ip: string): Promise<void> {
  await db.query(
    `INSERT INTO oauth_networks (key, network, seen_at) VALUES ($1, $2, clock_timestamp())
     ON CONFLICT (key, network) DO UPDATE SET seen_at = excluded.seen_at`,
    [key, networkOf(ip)],
  )
}

/** Whether a different network used the grant within the last minutes. */
export async function isUsedElsewhere(db: Db, key: string, ip: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `SELECT FROM oauth_networks WHERE key = $1 AND network <> $2
       AND seen_at > clock_timestamp() - make_interval(mins => $3)`,
    [key, networkOf(ip), overlapMinutes],
  )
  return (rowCount ?? 0) > 0
}

export async function forgetNetworks(db: Db): Promise<void> {
  await db.query('DELETE FROM oauth_networks WHERE seen_at < clock_timestamp() - make_interval(mins => $1)', [
    overlapMinutes,
  ])
}

/** Records uses of access tokens without delaying their requests. One per process. */
export function createNetworkLog(ctx: Pick<Context, 'db' | 'log'>): (key: string, ip: string) => void {
  const noted = new Map<string, number>()
  return (key, ip) => {
    const id = `${key} ${networkOf(ip)}`
    const now = performance.now()
    if (now - (noted.get(id) ?? -freshMs) < freshMs) return
    noted.delete(id)
    noted.set(id, now)
    if (noted.size > rememberedAtMost) noted.delete(noted.keys().next().value ?? id)
    noteNetwork(ctx.db, key, ip).catch((error: unknown) => {
      noted.delete(id)
      ctx.log.debug({ key, reason: errorName(error) }, 'the network of a grant was not noted')
    })
  }
}
