import { Pool } from 'undici'
import type { Gateway } from './gateway.ts'
import { lanes, quantile } from './measure.ts'
import { app } from './people.ts'
import type { Person } from './people.ts'
import type { Site } from './site.ts'

export interface FloodFigures {
  /** p50 and p99 of reads of other keys in ms, one client. */
  readonly quiet: { readonly p50: number; readonly p99: number }
  readonly flooded: { readonly p50: number; readonly p99: number }
  /** Refused requests per second. */
  readonly refusedPerSecond: number
}

const perSecond = 500

/** Reads with many keys, alone and while one key exceeds its rate limit, alternately. */
export async function measureFlood(
  site: Pick<Site, 'publicUrl'>,
  gateway: Gateway,
  people: readonly Person[],
  sizes: { readonly rounds: number; readonly alone: number },
): Promise<FloodFigures> {
  const [flooder, ...others] = people
  if (flooder === undefined) throw new Error('nobody is there')
  const [quiet, flooded]: [number[], number[]] = [[], []]
  let refused = 0
  let seconds = 0
  let turn = 0
  const reads = async (): Promise<readonly number[]> => {
    const who = Array.from({ length: sizes.alone * 2 }, () => others[turn++ % others.length] as Person)
    return (await lanes(1, who, (person) => gateway.call(person, 'list_contacts', {}))).ms
  }
  for (let round = 0; round < sizes.rounds; round++) {
    quiet.push(...(await reads()))
    const flood = startFlood(site.publicUrl, flooder)
    const began = performance.now()
    flooded.push(...(await reads()))
    seconds += (performance.now() - began) / 1000
    refused += await flood.stop()
  }
  const spread = (ms: readonly number[]) => ({ p50: quantile(ms, 0.5), p99: quantile(ms, 0.99) })
  return { quiet: spread(quiet), flooded: spread(flooded), refusedPerSecond: refused / seconds }
}

/** One key at some hundred times its rate limit. `stop` returns how often it was refused. */
function startFlood(publicUrl: string, { key }: Person): { stop(): Promise<number> } {
  const pool = new Pool(publicUrl, { connections: 8 })
  const open = new Set<Promise<void>>()
  let refused = 0
  const ask = async (): Promise<void> => {
    const { statusCode, body } = await pool.request({
      path: `/api/v1/${app}/no_such_endpoint`,
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
    })
    await body.dump()
    if (statusCode === 429) refused++
  }
  const timer = setInterval(() => {
    for (let i = 0; i < perSecond / 100; i++) {
      const asked: Promise<void> = ask().finally(() => open.delete(asked))
      open.add(asked)
    }
  }, 10)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(open)
      await pool.destroy()
      return refused
    },
  }
}
