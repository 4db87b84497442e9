import { findKeys } from '../../core/keys/rows.ts'
import type { ApiKey } from '../../core/keys/rows.ts'
import type { Context } from '../../core/context.ts'

/** Keys remembered at most: beyond it the oldest are forgotten, which costs a query and nothing else. */
const rememberedAtMost = 10_000
/** For so many milliseconds a request may be refused by the last look-up of its key. */
const freshFor = 1_000
/** So long the look-ups of a flood wait for each other. */
const batchMs = 50

/** What the last look-up of a key found. */
interface Cached {
  /** Undefined: nobody has it, or not any more. */
  readonly key: ApiKey | undefined
  /** So new that a request may be refused for it. */
  readonly fresh: boolean
}

/** API keys by their hashes, one per API process; `find` may look up others, such as tokens. What it remembers may refuse a request; only a look-up lets one in. */
export interface KeyCache {
  cached(hash: string): Cached | undefined
  /** Asks the database; `batched`: in one statement with the others that are asked for just now. */
  lookUp(hash: string, how: { readonly batched: boolean }): Promise<ApiKey | undefined>
}

export function createKeyCache(ctx: Pick<Context, 'db' | 'log'>, find: typeof findKeys = findKeys): KeyCache {
  const memory = new Map<string, { readonly key: ApiKey | undefined; readonly at: number }>()
  let batch: { readonly hashes: Set<string>; readonly found: ReturnType<typeof look> } | undefined

  async function look(hashes: ReadonlySet<string>): Promise<ReadonlyMap<string, ApiKey>> {
    const at = performance.now()
    const found = await find(ctx, [...hashes])
    for (const hash of hashes) {
      memory.delete(hash)
      memory.set(hash, { key: found.get(hash), at })
      if (memory.size > rememberedAtMost) memory.delete(memory.keys().next().value ?? hash)
    }
    return found
  }

  /** The statement begins after everybody who waits for it has come: nobody is told what was true before their request. */
  async function lookSoon(hashes: ReadonlySet<string>): ReturnType<typeof look> {
    await new Promise((resolve) => setTimeout(resolve, batchMs))
    batch = undefined
    return look(hashes)
  }

  return {
    cached(hash) {
      const known = memory.get(hash)
      return known && { key: known.key, fresh: performance.now() - known.at < freshFor }
    },
    async lookUp(hash, { batched }) {
      if (!batched) return (await look(new Set([hash]))).get(hash)
      if (batch === undefined) {
        const hashes = new Set<string>()
        batch = { hashes, found: lookSoon(hashes) }
      }
      batch.hashes.add(hash)
      return (await batch.found).get(hash)
    },
  }
}
