import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client as Database } from 'pg'
import pino from 'pino'
import { loadSecrets } from '../../config.ts'
import { openPool } from '../../core/database/pool.ts'
import { readCalls, violations } from '../campaign/checks.ts'
import { Client } from '../campaign/client.ts'
import { Journal } from '../campaign/journal.ts'
import { ledgerDifference } from '../campaign/ledger.ts'
import { app } from '../campaign/people.ts'
import { makePlan } from '../campaign/plan.ts'
import { Random } from '../campaign/random.ts'
import type { Violations } from '../campaign/checks.ts'
import { counts, makeUsers, settle } from '../campaign/run.ts'
import { openStage } from '../campaign/stage.ts'
import { playFaults } from '../campaign/storm.ts'
import { Witness } from '../campaign/witness.ts'
import { playWishes } from '../campaign/workload.ts'
import { openPair } from './pair.ts'

export interface Failover {
  readonly calls: Readonly<Record<string, number>>
  readonly effects: number
  /** Seconds from losing the primary to the standby's promotion, and to an accepted call. */
  readonly promoted: number
  readonly away: number
  /** Seconds after the last wish until every call was final; null: not all are. */
  readonly settled: number | null
  readonly violations: Violations
  readonly ledgerDifference: number
  /** Calls before the mark that a restore to it lacks, and calls after the mark that it has. */
  readonly restore: { readonly calls: number; readonly lacks: number; readonly tooMany: number }
}

const mark = 'callgate_drill'

/**
 * Many users work while the primary database is lost and its standby takes over; then restores the
 * archive to an earlier point in time. Throws if a step is impossible.
 */
export async function failover(options: {
  readonly calls: number
  readonly seed: number
  readonly keep: boolean
  readonly log: (line: string) => void
}): Promise<Failover> {
  const { log, keep, seed, calls } = options
  const dir = mkdtempSync(join(tmpdir(), 'callgate-failover-'))
  // Postgres may have to run as another user, who must get through.
  chmodSync(dir, 0o711)
  await using done = new AsyncDisposableStack()
  const quit = (): void => void done.disposeAsync().finally(() => process.exit(130))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, quit)
  done.defer(() => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, quit)
  })
  done.defer(() => (keep ? log(`data and logs are kept in ${dir}`) : rm(dir, { recursive: true, force: true })))
  const pair = await openPair(dir, dir)
  done.defer(() => pair.close())
  const stage = await openStage({ databaseUrl: pair.databaseUrl })
  done.defer(() => stage.close({ keep }))
  log(`a primary and a standby in ${dir}; starting two API processes and two workers in ${stage.dir}`)
  await stage.start()
  const ctx = {
    db: openPool(pair.databaseUrl, pino({ level: 'silent' })),
    secrets: loadSecrets(stage.secretsFile),
  }
  done.defer(() => ctx.db.end())
  const witness = new Witness(stage.sandboxUrl, app)
  const plan = makePlan({ calls, kills: 0, seed, ms: 20_000 })
  const users = await makeUsers(ctx, witness, stage.apis, plan)
  const journal = new Journal()
  const began = Date.now()
  const half = plan.ms / 2
  const lost = async () => {
    await pause(half)
    const before = await callIds(pair.databaseUrl)
    await pair.mark(mark)
    const after = await callIds(pair.databaseUrl)
    const moment = Date.now()
    await pair.losePrimary()
    log('the primary is lost')
    await pair.promote()
    const promoted = (Date.now() - moment) / 1_000
    const away = await served()
    log(`the standby is in charge after ${promoted.toFixed(1)} s`)
    return { before, after, promoted, away: (away - moment) / 1_000 }
  }
  /** When somebody's call is taken again. */
  const served = async (): Promise<number> => {
    const [user] = users
    if (user === undefined) throw new Error('there is nobody')
    const client = new Client(stage.apis, journal, new Random(seed))
    for (const deadline = Date.now() + 120_000; ;) {
      if (Date.now() > deadline) throw new Error('two minutes after the failover nobody takes a call')
      if ((await client.call(user, 'list_listings', { limit: 5 }, { key: null, wait: 25 })) !== undefined)
        return Date.now()
      await pause(100)
    }
  }
  const [{ before, after, promoted, away }] = await Promise.all([
    lost(),
    playWishes({ plan, apis: stage.apis, users, journal, began }),
    playFaults(witness, plan, began),
  ])
  const settled = await settle(stage.apis, () => stage.ready(1_000), { ctx, witness, users, journal })
  const rows = await readCalls(ctx)
  const effects = await witness.effects()
  const restored = await callIds(await pair.restoreTo(mark))
  return {
    calls: counts(rows.map(({ status }) => status)),
    effects: effects.length,
    promoted,
    away,
    settled,
    violations: violations(ctx, rows, effects, journal),
    ledgerDifference: await ledgerDifference(ctx),
    restore: {
      calls: restored.size,
      lacks: lacking(restored, before).length,
      tooMany: lacking(after, restored).length,
    },
  }
}

const lacking = (one: ReadonlySet<string>, other: ReadonlySet<string>): readonly string[] =>
  [...other].filter((id) => !one.has(id))

async function callIds(url: string): Promise<ReadonlySet<string>> {
  const client = new Database({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ id: string }>('SELECT id FROM calls')
    return new Set(rows.map(({ id }) => id))
  } finally {
    await client.end()
  }
}
