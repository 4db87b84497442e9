import { loadAdded } from '../../connectors/runtime/added.ts'
import type { LoadedConnector } from '../../connectors/runtime/added.ts'
import { onThreads } from '../../connectors/runtime/threads/exchange-threads.ts'
import type { Context } from '../context.ts'
import { repeat } from '../retry.ts'
import type { Stoppable } from '../stoppable.ts'
import { addedConnectors, bundleOf } from './rows.ts'
import type { ConnectorRow } from './rows.ts'

/** Polling interval, in ms. */
const every = 1_000
/** A replaced version is disposed after this delay (ms): no attempt lasts longer than 90 s. */
const longestUse = 120_000
/** Delay before a failed load is retried, in ms: this process may only have lacked memory. */
const again = 60_000

interface Kept {
  /** The row's values that the app was loaded from, as JSON. */
  readonly made: string
  readonly loaded: LoadedConnector | undefined
  readonly at: number
}

/** Follows the database's added connectors. Resolves after the first poll, failed or not. */
export async function followConnectors(ctx: Context): Promise<Stoppable> {
  const kept = new Map<string, Kept>()
  const stopped = new AbortController()
  const first = Promise.withResolvers<void>()
  const look = async (): Promise<void> => {
    try {
      await lookOnce(ctx, kept)
    } finally {
      first.resolve()
    }
  }
  const onError = (error: unknown): void =>
    ctx.log.warn({ err: error }, 'added connectors could not be read; those that are loaded go on')
  const run = repeat(look, { every, stop: stopped.signal, onError })
  await first.promise
  return {
    async stop() {
      stopped.abort()
      await run
      for (const { loaded } of kept.values()) loaded?.dispose()
    },
  }
}

async function lookOnce(ctx: Context, kept: Map<string, Kept>): Promise<void> {
  const rows = await addedConnectors(ctx.db)
  for (const [slug, { loaded }] of kept) {
    if (rows.some((row) => row.slug === slug)) continue
    ctx.catalogue.remove(slug)
    kept.delete(slug)
    retire(loaded)
    ctx.log.info({ app: slug }, 'a connector was removed')
  }
  for (const row of rows) await take(ctx, kept, row)
}

async function take(ctx: Context, kept: Map<string, Kept>, row: ConnectorRow): Promise<void> {
  const { slug, package: from, hash, hosts, trusted, scale } = row
  const before = kept.get(slug)
  const made = JSON.stringify([hash, hosts, trusted, scale])
  const isAsWanted = before?.loaded !== undefined || Date.now() - (before?.at ?? 0) < again
  if (before?.made === made && isAsWanted) return
  const code = await bundleOf(ctx.db, hash)
  let loaded: LoadedConnector | undefined
  try {
    loaded = await loadAdded(row, code, onThreads)
    ctx.catalogue.put(loaded.app)
    ctx.log.info({ app: slug, package: from, hash }, 'a connector was loaded')
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    ctx.log.error({ app: slug, file: from, problem }, 'an added connector cannot be used: its app is off')
    if (!ctx.catalogue.isBuiltIn(slug))
      ctx.catalogue.put({ slug, file: from, problem: problem.slice(0, 500), isAdded: true })
  }
  kept.set(slug, { made, loaded, at: Date.now() })
  retire(before?.loaded)
}

function retire(loaded: LoadedConnector | undefined): void {
  if (loaded) setTimeout(() => loaded.dispose(), longestUse).unref()
}
