import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Connection } from '@temporalio/client'
import pino from 'pino'
import { openPool } from '../../core/database/pool.ts'
import { loadSecrets } from '../../config.ts'
import { isFinal } from '../../schemas/call.ts'
import { Journal } from '../campaign/journal.ts'
import { ledgerDifference } from '../campaign/ledger.ts'
import { app, firstContact, makeUser } from '../campaign/people.ts'
import { openStage, type Stage } from '../campaign/stage.ts'
import { Witness } from '../campaign/witness.ts'
import { findMark } from '../campaign/workload.ts'
import { cases, type Case } from './cases.ts'
import { Player, type Ctx } from './play.ts'

export type Older = 'postgres' | 'temporal'

export interface Result {
  readonly name: string
  readonly wanted: string
  readonly status: string
  readonly effects: number
  readonly good: boolean
}

export interface Drill {
  readonly results: readonly Result[]
  readonly ledgerDifference: number
  /** Runs that the engine still shows as running. */
  readonly openRuns: number
  readonly seconds: number
}

/** People have this long to decide: what nobody decides must be over by the end of the drill. */
const expirySeconds = 90
const settleWithinMs = 180_000

/** Copies the stopped stores, works on, kills everything, restores one store and restarts. */
export async function drill(older: Older, options: { keep: boolean; log: (line: string) => void }): Promise<Drill> {
  const { log } = options
  const stage = await openStage()
  let ctx: Ctx | undefined
  try {
    log(`${older} is put back; everything stands in ${stage.dir}`)
    await stage.start()
    ctx = { db: openPool(stage.databaseUrl, pino({ level: 'silent' })), secrets: loadSecrets(stage.secretsFile) }
    const witness = new Witness(stage.sandboxUrl, app)
    const scene = { ctx, apis: stage.apis, witness, journal: new Journal() }
    const players: [Case, Player][] = []
    for (const each of cases) {
      const user = await makeUser(ctx, witness, expirySeconds, (key) => firstContact(stage.apis, key))
      players.push([each, new Player(scene, user, each.mark)])
    }
    for (const [each, player] of players) await each.before?.(player)
    await stage.stop()
    await copy(stage, older, 'away')
    log('copied; going on')
    await stage.start()
    await stage.ready(30_000)
    for (const [each, player] of players) await each.after?.(player)
    for (const [each, player] of players) await each.atCrash?.(player)
    await stage.crash()
    log('everything killed; putting the copy back')
    await copy(stage, older, 'back')
    await witness.clearFaults()
    await stage.start()
    const began = Date.now()
    await settle(players.map(([, player]) => player))
    const openRuns = await runsEnd(stage, began + settleWithinMs)
    const effects = await witness.effects()
    const results: Result[] = []
    for (const [each, player] of players) {
      const happened = effects.filter(({ body }) => findMark(JSON.stringify(body)) === player.mark).length
      results.push(judge(each, older, (await player.row())?.status ?? null, happened))
    }
    const difference = await ledgerDifference(ctx)
    return { results, ledgerDifference: difference, openRuns, seconds: (Date.now() - began) / 1_000 }
  } finally {
    await ctx?.db.end()
    await stage.close(options)
  }
}

function judge(each: Case, older: Older, status: string | null, effects: number): Result {
  const wanted = older === 'postgres' ? each.olderPostgres : each.olderTemporal
  const most = status === 'executed' || status === 'unknown' || status === null ? 1 : 0
  const least = status === 'executed' ? 1 : 0
  return {
    name: each.name,
    wanted: wanted ?? 'not known',
    status: status ?? 'not known',
    effects,
    good: status === wanted && effects >= least && effects <= most,
  }
}

/** Users decide all that is still asked, as often as it is, until no call is open. */
async function settle(players: readonly Player[]): Promise<void> {
  const deadline = Date.now() + settleWithinMs
  for (;;) {
    const rows = await Promise.all(players.map((player) => player.row()))
    const open = players.filter((_, index) => rows[index] && !isFinal(rows[index].status))
    if (open.length === 0 || Date.now() > deadline) return
    for (const player of open) {
      if ((await player.row())?.status === 'awaiting_confirmation') await player.decide('approve')
      await player.lift()
    }
    await pause(500)
  }
}

/** Waits until the engine has no open run; how many are left when the time is over. */
async function runsEnd(stage: Stage, deadline: number): Promise<number> {
  const connection = await Connection.connect({ address: stage.temporalAddress, connectTimeout: '10s' })
  try {
    for (;;) {
      const query = { namespace: 'default', query: "ExecutionStatus = 'Running'" }
      const { executions } = await connection.workflowService.listWorkflowExecutions(query)
      if (executions.length === 0 || Date.now() > deadline) return executions.length
      await pause(500)
    }
  } finally {
    await connection.close()
  }
}

async function copy(stage: Stage, older: Older, direction: 'away' | 'back'): Promise<void> {
  const aside = join(stage.dir, 'copy')
  const [parent, names] =
    older === 'postgres'
      ? [join(stage.cluster.dataDir, '..'), ['postgres']]
      : [stage.dir, readdirSync(stage.dir).filter((name) => name.startsWith('temporal.db'))]
  if (direction === 'back') {
    for (const name of names) await rm(join(parent, name), { recursive: true })
    await run('cp', ['-a', ...readdirSync(aside).map((name) => join(aside, name)), parent])
    return
  }
  await mkdir(aside, { mode: 0o700 })
  await run('cp', ['-a', ...names.map((name) => join(parent, name)), aside])
}

const run = promisify(execFile)
