import { findKeys } from '../../core/keys/rows.ts'
import type { ApiKey } from '../../core/keys/rows.ts'
import type { Context } from '../../core/context.ts'

/** Keys remembered at most: beyond it the oldest are forgotten, which costs a query and nothing else. */
const rememberedAtMost = 10_000
/** For so many milliseconds a key may be refused by what the database said of it, and never let in. */
const freshFor = 1_000
/** So long the look-ups of a flood wait for each other. */
const togetherMs = 50

/** What the database said of a key when it was asked last. */
interface Seen {
  /** Undefined: nobody has it, or not any more. */
  readonly key: ApiKey | undefined
  /** Said so lately that a request may be refused for it. */
  readonly fresh: boolean
}

/** One per API process: looks keys up by their hashes. */
export interface KeyLookUp {
  seen(hash: string): Seen | undefined
  /** Asks the database; with `together`, in one statement with the others that are asked for just now. */
  find(hash: string, together: boolean): Promise<ApiKey | undefined>
}

export function createKeyLookUp(ctx: Pick<Context, 'db' | 'log'>): KeyLookUp {
  const memory = new Map<string, { readonly key: ApiKey | undefined; readonly at: number }>()
  let next: { readonly hashes: Set<string>; readonly found: ReturnType<typeof look> } | undefined

  async function look(hashes: ReadonlySet<string>): Promise<ReadonlyMap<string, ApiKey>> {
    const at = performance.now()
    const found = await findKeys(ctx, [...hashes])
    for (const hash of hashes) {
      memory.delete(hash)
      memory.set(hash, { key: found.get(hash), at })
      if (memory.size > rememberedAtMost) memory.delete(memory.keys().next().value ?? hash)
    }
    return found
  }

  /** The statement begins after everybody who waits for it has come: nobody is told what was true before their request. */
  async function lookSoon(hashes: ReadonlySet<string>): ReturnType<typeof look> {
    await new Promise((resolve) => setTimeout(resolve, togetherMs))
    next = undefined
    return look(hashes)
  }

  return {
    seen(hash) {
      const known = memory.get(hash)
      return known && { key: known.key, fresh: performance.now() - known.at < freshFor }
    },
    async find(hash, together) {
      if (!together) return (await look(new Set([hash]))).get(hash)
      if (next === undefined) {
        const hashes = new Set<string>()
        next = { hashes, found: lookSoon(hashes) }
      }
      next.hashes.add(hash)
      return (await next.found).get(hash)
    },
  }
}
