import { setTimeout as pause } from 'node:timers/promises'
import { accept } from '../core/calls/accept.ts'
import { connectTemporal } from '../core/temporal/client.ts'
import { createContext } from '../core/context.ts'
import { createLogger } from '../core/log.ts'
import { loadConfig, loadSecrets } from '../config.ts'
import { lanes, median } from './measure.ts'
import { app, makePeople } from './people.ts'
import type { Person } from './people.ts'
import type { Site } from './site.ts'

export interface AcceptFigures {
  /** ms */
  readonly p50: number
  readonly crowdedP50: number
  readonly perSecond: number
  /** CPU time per call of this process and Postgres, in ms; 16 clients. */
  readonly cpu: number
}

/** The accepting transaction alone, in a database without a reconciler: no workflow starts. */
export async function measureAccept(site: Site, count: number): Promise<AcceptFigures> {
  const databaseUrl = await site.anotherDatabase('accepting')
  const people = await makePeople(site, databaseUrl, 20)
  const config = loadConfig({
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: site.temporalAddress,
    SANDBOX_URL: site.sandboxUrl,
    CALLGATE_SECRETS: site.secretsFile,
  })
  const { connection, temporal } = await connectTemporal(config)
  const log = createLogger('silent', 'bench')
  const ctx = createContext({ config, secrets: loadSecrets(site.secretsFile), log, temporal })
  try {
    const endpoint = ctx.apps.get(app)?.endpoints.get('list_listings')
    if (endpoint === undefined) throw new Error('there is no list_listings')
    const acceptOne = ({ owner, keyId }: Person) =>
      accept(ctx, { owner, keyId, endpoint, input: { limit: 5 }, account: undefined, idempotencyKey: undefined })
    // At most 50 calls of one owner may be open.
    const batch = (): readonly Person[] => Array.from({ length: count }, (_, i) => people[i % people.length] as Person)
    const finish = () => ctx.db.query(`UPDATE calls SET status = 'cancelled' WHERE status = 'running'`)
    await lanes(16, batch(), acceptOne)
    await finish()
    await pause(200)
    const alone = await lanes(1, batch(), acceptOne)
    await finish()
    const used = (): number =>
      process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000 + (site.cpu()['postgres'] ?? 0)
    const before = used()
    const crowded = await lanes(16, batch(), acceptOne)
    const cpu = (used() - before) / count
    return { p50: median(alone.ms), crowdedP50: median(crowded.ms), perSecond: crowded.perSecond, cpu }
  } finally {
    await ctx.db.end()
    await connection.close()
  }
}
