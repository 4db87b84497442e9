import type { findKeys } from './rows.ts'
import type { ApiKey, FoundKey } from './rows.ts'
import type { Context } from '../context.ts'

/** Maximum of cached keys: beyond it the oldest are evicted, which costs one query each. */
const rememberedAtMost = 10_000
/** How long a cached result may refuse a request (ms). */
const freshFor = 1_000
/** How long queries of a flood are collected into one batch (ms). */
const batchMs = 50

/** Hashes of one key, one per pepper; the first, with the newest pepper, is its cache key. */
export type KeyHashes = readonly string[]

/** The last query's result for a key. */
interface Cached {
  /** Undefined: no such valid key. */
  readonly key: ApiKey | undefined
  /** New enough to refuse a request. */
  readonly fresh: boolean
}

/** API keys by hash, one cache per API process. It may refuse requests; only a query admits one. */
export interface KeyCache {
  cached(hashes: KeyHashes): Cached | undefined
  /** Queries the database; `batched`: together with others. Undefined: the key never existed. */
  lookUp(hashes: KeyHashes, how: { readonly batched: boolean }): Promise<FoundKey | undefined>
}

/** How keys are found by hash; `renew` rehashes a key that was found by an older pepper. */
interface Finding {
  readonly find: typeof findKeys
  readonly renew?: (id: string, hash: string) => Promise<void>
}

export function createKeyCache(ctx: Pick<Context, 'db' | 'log'>, { find, renew }: Finding): KeyCache {
  const memory = new Map<string, { readonly key: ApiKey | undefined; readonly at: number }>()
  type Wanted = ReadonlyMap<string, KeyHashes>
  let batch: { readonly wanted: Map<string, KeyHashes>; readonly found: ReturnType<typeof look> } | undefined

  async function look(wanted: Wanted): Promise<ReadonlyMap<string, FoundKey>> {
    const at = performance.now()
    const found = await find(ctx, [...wanted.values()].flat())
    const keys = new Map<string, FoundKey>()
    for (const [newest, hashes] of wanted) {
      const kept = hashes.find((hash) => found.has(hash))
      const key = kept === undefined ? undefined : found.get(kept)
      if (key !== undefined) keys.set(newest, key)
      if (key?.valid === true && kept !== newest) await renew?.(key.id, newest)
      memory.delete(newest)
      memory.set(newest, { key: key?.valid === true ? key : undefined, at })
      if (memory.size > rememberedAtMost) memory.delete(memory.keys().next().value ?? newest)
    }
    return keys
  }

  /** Queries after every waiter of the batch has joined: no result is older than its request. */
  async function lookSoon(wanted: Wanted): ReturnType<typeof look> {
    await new Promise((resolve) => setTimeout(resolve, batchMs))
    batch = undefined
    return look(wanted)
  }

  return {
    cached([newest = '']) {
      const known = memory.get(newest)
      return known && { key: known.key, fresh: performance.now() - known.at < freshFor }
    },
    async lookUp(hashes, { batched }) {
      const [newest = ''] = hashes
      if (!batched) return (await look(new Map([[newest, hashes]]))).get(newest)
      if (batch === undefined) {
        const wanted = new Map<string, KeyHashes>()
        batch = { wanted, found: lookSoon(wanted) }
      }
      batch.wanted.set(newest, hashes)
      return (await batch.found).get(newest)
    },
  }
}
