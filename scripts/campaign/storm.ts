import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../core/context.ts'
import { liftPause } from '../../core/operators/pauses.ts'
import { connectAgain, type User } from './people.ts'
import type { Plan, PlannedKill } from './plan.ts'
import type { Stage } from './stage.ts'
import type { Witness } from './witness.ts'

/** A kill that happened, at this moment (ms since the epoch). */
export interface Kill extends Pick<PlannedKill, 'target' | 'alone'> {
  readonly moment: number
}

/** Kills as planned. One that finds its process still away for 10 s is left out: `missed` counts them. */
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

/** Arms the planned faults of the app, until told to stop. */
export async function playFaults(witness: Witness, plan: Plan, began: number): Promise<void> {
  for (const { at, kind, settings } of plan.faults) {
    await pause(Math.max(0, began + at - Date.now()))
    await witness.fault(kind, settings)
  }
}

type Ctx = Pick<Context, 'db' | 'secrets'>

/** What people and operators do every few seconds: the app is well again, accounts are reconnected, pauses lifted. */
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

/** Call id → when it was first seen to wait for the app or the person, rather than for us. */
export type Held = Map<string, number>

/** Heals, and notes which calls wait for others, until stopped. The database may be away at any moment. */
export async function watch(
  ctx: Ctx,
  witness: Witness,
  users: readonly User[],
  held: Held,
  stop: AbortSignal,
): Promise<void> {
  for (let round = 0; !stop.aborted; round++) {
    // What fails here is tried again in the next round; what stays undone shows as a call that is never final.
    await noteHeld(ctx, held).catch(() => undefined)
    if (round % 15 === 14) await heal(ctx, witness, users).catch(() => undefined)
    await pause(300)
  }
}

async function noteHeld(ctx: Ctx, held: Held): Promise<void> {
  const { rows } = await ctx.db.query<{ id: string }>('SELECT id FROM calls WHERE waiting_for IS NOT NULL')
  for (const { id } of rows) if (!held.has(id)) held.set(id, Date.now())
}
