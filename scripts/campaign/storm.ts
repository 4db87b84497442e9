import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../core/context.ts'
import { liftPause } from '../../core/operators/pauses.ts'
import { connectAgain, type User } from './people.ts'
import type { Plan, PlannedKill } from './plan.ts'
import type { Stage } from './stage.ts'
import type { Witness } from './witness.ts'

/** A kill that happened, at this time (ms since the epoch). */
export interface Kill extends Pick<PlannedKill, 'target' | 'alone'> {
  readonly moment: number
}

/** Kills as planned. Skips a process that is still down after 10 s; `missed` counts these. */
export async function playKills(stage: Stage, plan: Plan, began: number): Promise<{ kills: Kill[]; missed: number }> {
  const kills: Kill[] = []
  let missed = 0
  for (const { at, target, number, alone } of plan.kills) {
    await pause(Math.max(0, began + at - Date.now()))
    const name = target === 'api' || target === 'worker' ? `${target}-${number}` : target
    const moment = Date.now()
    if (target === 'tree') await stage.killTree()
    else if (!(await stage.kill(name))) {
      missed++
      continue
    }
    kills.push({ target, alone, moment: target === 'tree' ? moment : Date.now() })
  }
  return { kills, missed }
}

/** Arms the planned faults of the app, until it is aborted. */
export async function playFaults(witness: Witness, plan: Plan, began: number): Promise<void> {
  for (const { at, kind, settings } of plan.faults) {
    await pause(Math.max(0, began + at - Date.now()))
    await witness.fault(kind, settings)
  }
}

type Ctx = Pick<Context, 'db' | 'secrets'>

/** Recovery by users and operators: clears faults, reconnects accounts, lifts pauses. */
export async function heal(ctx: Ctx, witness: Witness, users: readonly User[]): Promise<void> {
  await witness.clearFaults()
  const { rows: lost } = await ctx.db.query<{ owner: string }>(
    `SELECT owner FROM accounts WHERE state IN ('expired', 'needs_check')`,
  )
  for (const { owner } of lost) {
    const user = users.find(({ id }) => id === owner)
    if (user) await connectAgain(ctx, owner, user.seeded)
  }
  const { rows: paused } = await ctx.db.query<{ account: string; endpoint: string }>(
    `SELECT account, endpoint FROM pauses WHERE until < clock_timestamp() + interval '57 seconds'`,
  )
  for (const { account, endpoint } of paused) await liftPause(ctx, account, endpoint, 'campaign')
}

/** Call id → when it was first seen to wait for the app or the user rather than for Callgate. */
export type Held = Map<string, number>

/** Heals, and records which calls wait for others, until aborted. The database may be down. */
export async function watch(
  ctx: Ctx,
  witness: Witness,
  users: readonly User[],
  held: Held,
  stop: AbortSignal,
): Promise<void> {
  for (let round = 0; !stop.aborted; round++) {
    // Failures are retried in the next round; lasting ones show up as calls that are never final.
    await noteHeld(ctx, held).catch(() => undefined)
    if (round % 15 === 14) await heal(ctx, witness, users).catch(() => undefined)
    await pause(300)
  }
}

async function noteHeld(ctx: Ctx, held: Held): Promise<void> {
  const { rows } = await ctx.db.query<{ id: string }>('SELECT id FROM calls WHERE waiting_for IS NOT NULL')
  for (const { id } of rows) if (!held.has(id)) held.set(id, Date.now())
}
