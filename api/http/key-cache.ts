import type { findKeys } from '../../core/keys/rows.ts'
import type { ApiKey, FoundKey } from '../../core/keys/rows.ts'
import type { Context } from '../../core/context.ts'

/** Keys remembered at most: beyond it the oldest are forgotten, which costs a query and nothing else. */
const rememberedAtMost = 10_000
/** For so many milliseconds a request may be refused by the last look-up of its key. */
const freshFor = 1_000
/** So long the look-ups of a flood wait for each other. */
const batchMs = 50

/** Of one key, with each pepper; the first is that of the newest, by which the key is remembered. */
export type KeyHashes = readonly string[]

/** What the last look-up of a key found. */
interface Cached {
  /** Undefined: nobody has it, or not any more. */
  readonly key: ApiKey | undefined
  /** So new that a request may be refused for it. */
  readonly fresh: boolean
}

/** API keys by their hashes, one per API process. What it remembers may refuse a request; only a look-up lets one in. */
export interface KeyCache {
  cached(hashes: KeyHashes): Cached | undefined
  /** Asks the database; `batched`: in one statement with the others that are asked for just now. Undefined: nobody has it, or ever had. */
  lookUp(hashes: KeyHashes, how: { readonly batched: boolean }): Promise<FoundKey | undefined>
}

/** How keys are found by their hashes, and what is done with one that is known by an older pepper. */
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

  /** The statement begins after everybody who waits for it has come: nobody is told what was true before their request. */
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
