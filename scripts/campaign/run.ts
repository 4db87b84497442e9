import { setTimeout as pause } from 'node:timers/promises'
import pino from 'pino'
import type { Context } from '../../core/context.ts'
import { openPool } from '../../core/database/pool.ts'
import { loadSecrets } from '../../config.ts'
import { readCalls, violations } from './checks.ts'
import { Client } from './client.ts'
import { Journal } from './journal.ts'
import { ledgerDifference } from './ledger.ts'
import { app, firstContact, makeUser, type User } from './people.ts'
import { makePlan, type Size } from './plan.ts'
import { Random } from './random.ts'
import { recoveryOf } from './recovery.ts'
import { holds, type Report } from './report.ts'
import { openStage } from './stage.ts'
import { heal, playFaults, playKills, watch, type Held } from './storm.ts'
import { Witness } from './witness.ts'
import { playWishes } from './workload.ts'

/** Timeout for everything to settle after the last kill. */
const settleWithinMs = 120_000

/** Runs a Callgate with many users, kills its processes meanwhile, and checks every promise. */
export async function runCampaign(
  options: Size & {
    /** Keeps the folder with data and logs, which also stays after a broken promise. */
    readonly keep: boolean
    readonly log: (line: string) => void
  },
): Promise<Report> {
  const { log } = options
  const plan = makePlan(options)
  const stage = await openStage()
  const quit = (): void => void stage.close({ keep: false }).finally(() => process.exit(130))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, quit)
  let keep = options.keep
  let ctx: Pick<Context, 'db' | 'secrets'> | undefined
  try {
    log(`starting two API processes and two workers in ${stage.dir}`)
    await stage.start()
    ctx = { db: openPool(stage.databaseUrl, pino({ level: 'silent' })), secrets: loadSecrets(stage.secretsFile) }
    const witness = new Witness(stage.sandboxUrl, app)
    const users = await makeUsers(ctx, witness, stage.apis, plan)
    log(`${users.length} users; ${plan.kills.length} kills in ${Math.round(plan.ms / 1_000)} s, seed ${plan.seed}`)

    const journal = new Journal()
    const held: Held = new Map()
    const over = new AbortController()
    const began = Date.now()
    const watching = watch(ctx, witness, users, held, over.signal)
    const faults = playFaults(witness, plan, began)
    const [{ kills, missed }] = await Promise.all([
      playKills(stage, plan, began),
      playWishes({ plan, apis: stage.apis, users, journal, began }),
      faults,
    ])
    over.abort()
    await watching
    log('all killed; waiting until everything has settled')
    const settled = await settle(stage.apis, () => stage.ready(1_000), { ctx, witness, users, journal })

    const calls = await readCalls(ctx)
    const effects = await witness.effects()
    const report: Report = {
      seed: plan.seed,
      seconds: (Date.now() - began) / 1_000,
      wishes: plan.wishes.length,
      kills: counts(kills.map(({ target }) => target)),
      missedKills: missed,
      calls: counts(calls.map(({ status }) => status)),
      effects: effects.length,
      answers: Object.fromEntries([...journal.answers].toSorted(([a], [b]) => a.localeCompare(b))),
      settled,
      violations: violations(ctx, calls, effects, journal),
      ledgerDifference: await ledgerDifference(ctx),
      recovery: recoveryOf(calls, kills, held),
      recoveryAlone: recoveryOf(
        calls,
        kills.filter(({ alone }) => alone),
        held,
      ),
    }
    keep ||= !holds(report)
    if (keep) log(`data and logs are kept in ${stage.dir}`)
    return report
  } finally {
    await ctx?.db.end()
    await stage.close({ keep })
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, quit)
  }
}

export async function makeUsers(
  ctx: Pick<Context, 'db' | 'secrets'>,
  witness: Witness,
  apis: readonly string[],
  plan: ReturnType<typeof makePlan>,
): Promise<readonly User[]> {
  const random = new Random(plan.seed + 1)
  const users: User[] = []
  for (let index = 0; index < plan.users; index++) {
    users.push(
      await makeUser(ctx, witness, index < plan.hasty ? random.whole(2, 5) : 60, (key) => firstContact(apis, key)),
    )
  }
  return users
}

/** Seconds until no call is open; null: timeout. Owners cancel calls that still await approval. */
export async function settle(
  apis: readonly string[],
  ready: () => Promise<boolean>,
  scene: {
    readonly ctx: Pick<Context, 'db' | 'secrets'>
    readonly witness: Witness
    readonly users: readonly User[]
    readonly journal: Journal
  },
): Promise<number | null> {
  const { ctx, witness, users, journal } = scene
  const began = Date.now()
  const client = new Client(apis, journal, new Random(began))
  while (Date.now() - began < settleWithinMs) {
    await pause(500)
    if (!(await ready())) continue
    await heal(ctx, witness, users)
    await ctx.db.query('DELETE FROM pauses')
    const { rows: open } = await ctx.db.query<{ owner: string; waits: boolean }>(
      `SELECT owner, bool_or(status = 'awaiting_confirmation') AS waits FROM calls
       WHERE status IN ('awaiting_confirmation', 'running') GROUP BY owner`,
    )
    if (open.length === 0) return (Date.now() - began) / 1_000
    for (const { owner, waits } of open) {
      const user = users.find(({ id }) => id === owner)
      if (user && waits) for (const id of await client.waiting(user)) await client.cancel(user, id)
    }
  }
  return null
}

export function counts(names: readonly string[]): Record<string, number> {
  const found: Record<string, number> = {}
  for (const name of names.toSorted((a, b) => a.localeCompare(b))) found[name] = (found[name] ?? 0) + 1
  return found
}
