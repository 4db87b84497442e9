import { accept } from '../core/calls/accept.ts'
import { settle, settleSent } from '../core/calls/rows.ts'
import { createContext } from '../core/context.ts'
import { createLogger } from '../core/log.ts'
import { connectTemporal } from '../core/temporal/client.ts'
import { loadConfig, loadSecrets } from '../config.ts'
import { lanes } from './measure.ts'
import { app, makePeople } from './people.ts'
import type { Site } from './site.ts'
import { spread } from './straight.ts'
import type { Spread } from './straight.ts'

export interface SettleFigures {
  /** Commits a second at a flush of 2 ms; waiters are notified in the transaction or after it. */
  readonly inside: Spread
  readonly after: Spread
}

/** Calls of one owner are serialized by the lock on the balance. */
const owners = 20

/**
 * Settling alone: `each` calls of every owner in a round (50 may be open), 20 connections, a disk
 * that flushes in 2 ms, and a database without a reconciler.
 */
export async function measureSettle(site: Site, rounds: number, each: number): Promise<SettleFigures> {
  const url = new URL(await site.anotherDatabase('settling'))
  const people = await makePeople(site, url.href, owners)
  url.searchParams.set('options', '-c commit_delay=2000 -c commit_siblings=0')
  const config = loadConfig({
    DATABASE_URL: url.href,
    TEMPORAL_ADDRESS: site.temporalAddress,
    SANDBOX_URL: site.sandboxUrl,
    CALLGATE_SECRETS: site.secretsFile,
  })
  const { connection, temporal } = await connectTemporal(config)
  const secrets = loadSecrets(site.secretsFile)
  const ctx = createContext({ config, secrets, log: createLogger('silent', 'bench'), temporal })
  try {
    const endpoint = ctx.apps.get(app)?.endpoints.get('list_listings')
    if (endpoint === undefined) throw new Error('there is no list_listings')
    const running = async (): Promise<readonly string[]> => {
      const calls: string[] = []
      const wanted = Array.from({ length: each }, () => people).flat()
      await lanes(20, wanted, async ({ owner, keyId }) => {
        const request = { owner, keyId, endpoint, input: { limit: 5 }, account: undefined, idempotencyKey: undefined }
        calls.push((await accept(ctx, request)).callId)
      })
      return calls
    }
    const end = { status: 'executed', output: Buffer.alloc(2_000) } as const
    const ways = {
      inside: (call: string) => settle(ctx.db, call, 0, end),
      after: (call: string) => settleSent(ctx, call, 0, end),
    }
    const perSecond: Record<keyof typeof ways, number[]> = { inside: [], after: [] }
    for (let round = 0; round <= rounds; round++)
      for (const way of ['inside', 'after'] as const) {
        const settled = await lanes(20, await running(), async (call) => {
          if ((await ways[way](call)) !== 'executed') throw new Error('a call could not be settled')
        })
        // The first round warms up.
        if (round > 0) perSecond[way].push(settled.perSecond)
      }
    return { inside: spread(perSecond.inside), after: spread(perSecond.after) }
  } finally {
    await ctx.db.end()
    await connection.close()
  }
}
