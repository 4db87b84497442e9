import { isDeepStrictEqual } from 'node:util'
import pino from 'pino'
import type { Context } from '../../../core/context.ts'
import { openPool } from '../../../core/database/pool.ts'
import type { Pool } from '../../../core/database/pool.ts'
import { goBack, makeCurrent, ramp, readReleases } from '../../../core/temporal/releases.ts'
import { loadSecrets } from '../../../config.ts'
import { dumpFunctions } from '../../schema/dump.ts'
import { readCalls, violations } from '../checks.ts'
import type { Violations } from '../checks.ts'
import { Journal } from '../journal.ts'
import { ledgerDifference } from '../ledger.ts'
import { app } from '../people.ts'
import { makePlan } from '../plan.ts'
import type { Plan, Wish } from '../plan.ts'
import { counts, makeUsers, settle } from '../run.ts'
import { playFaults, watch } from '../storm.ts'
import { Witness } from '../witness.ts'
import { playWishes } from '../workload.ts'
import { makeReleases } from './releases.ts'
import { openSite } from './site.ts'
import type { Place, Site } from './site.ts'

export interface Upgrade {
  readonly seed: number
  readonly seconds: number
  readonly calls: Readonly<Record<string, number>>
  /** Runs by the release that made their last step. */
  readonly runs: Readonly<Record<string, number>>
  /** Requests without an answer, or with a broken connection. */
  readonly refused: number
  readonly definitionChanged: readonly string[]
  /** Checks that found other SQL functions than those which the newer release first installed. */
  readonly functionsChanged: number
  readonly settled: number | null
  readonly violations: Violations
  readonly ledgerDifference: number
}

interface Release {
  readonly name: string
  readonly root: string
}

/** Deploys a release under load, rolls back and deploys it again, one process at a time. */
export async function runUpgrade(options: {
  readonly calls: number
  readonly seed: number
  readonly keep: boolean
  readonly log: (line: string) => void
}): Promise<Upgrade> {
  const { calls, seed, log } = options
  const site = await openSite()
  let keep = options.keep
  let ctx: Pick<Context, 'db' | 'secrets'> | undefined
  try {
    const roots = await makeReleases(site.dir)
    const first = { name: 'first', root: roots.first }
    const second = { name: 'second', root: roots.second }
    log(`starting the first release in ${site.dir}`)
    await site.replace('api-1', first)
    for (const place of ['api-2', 'worker-1', 'worker-2'] as const) await site.replace(place, first)
    ctx = { db: openPool(site.databaseUrl, pino({ level: 'silent' })), secrets: loadSecrets(site.secretsFile) }
    const witness = new Witness(site.sandboxUrl, app)
    const plan = withLongWaits(makePlan({ calls, kills: 0, seed, ms: 90_000 }))
    const users = await makeUsers(ctx, witness, site.ready, plan)
    await until(async () => (await readReleases(site.temporal)).current === first.name)
    await ctx.db.query('UPDATE endpoint_settings SET expiry_seconds = 600 WHERE expiry_seconds = 60')

    const journal = new Journal()
    const { db } = ctx
    const functions: (readonly string[])[] = []
    const over = new AbortController()
    const began = Date.now()
    const watching = watch(ctx, witness, users, new Map(), over.signal)
    await Promise.all([
      deployTwice(site, first, second, async (line) => {
        log(line)
        functions.push(await functionsIn(db))
      }),
      playWishes({ plan, apis: site.ready, users, journal, began }),
      playFaults(witness, plan, began),
    ])
    over.abort()
    await watching
    log('deployed; waiting until everything has settled')
    const settled = await settle(site.ready, async () => site.ready.length > 0, { ctx, witness, users, journal })
    const rows = await readCalls(ctx)
    const upgrade: Upgrade = {
      seed,
      seconds: (Date.now() - began) / 1_000,
      calls: counts(rows.map(({ status }) => status)),
      runs: counts(
        await releasesOf(
          site,
          rows.map(({ id }) => id),
        ),
      ),
      refused: journal.answers.get('no answer') ?? 0,
      functionsChanged: functions.filter((each) => !isDeepStrictEqual(each, functions[0])).length,
      definitionChanged: rows.filter(({ error_code }) => error_code === 'definition_changed').map(({ id }) => id),
      settled,
      violations: violations(ctx, rows, await witness.effects(), journal),
      ledgerDifference: await ledgerDifference(ctx),
    }
    keep ||= !upgradeHolds(upgrade)
    if (keep) log(`data and logs are kept in ${site.dir}`)
    return upgrade
  } finally {
    await ctx?.db.end()
    await site.close(keep)
  }
}

export function upgradeHolds(upgrade: Upgrade): boolean {
  const { refused, definitionChanged, functionsChanged, settled, ledgerDifference: difference } = upgrade
  const lists: readonly (readonly string[])[] = Object.values(upgrade.violations)
  const broken = lists.some((list) => list.length > 0)
  return (
    refused === 0 &&
    definitionChanged.length === 0 &&
    functionsChanged === 0 &&
    settled !== null &&
    difference === 0 &&
    !broken
  )
}

/** Makes some early approvals wait through a deploy and the rollback. */
function withLongWaits(plan: Plan): Plan {
  const isLong = ({ kind, at, index }: Wish): boolean => kind === 'approve' && at < 30_000 && index % 3 !== 0
  return { ...plan, wishes: plan.wishes.map((wish) => (isLong(wish) ? { ...wish, thinking: 70_000 } : wish)) }
}

async function functionsIn(db: Pool): Promise<readonly string[]> {
  const client = await db.connect()
  try {
    return await dumpFunctions(client)
  } finally {
    client.release()
  }
}

async function deployTwice(
  site: Site,
  first: Release,
  second: Release,
  then: (line: string) => Promise<void>,
): Promise<void> {
  const { temporal } = site
  const replace = async (release: Release, ...places: Place[]): Promise<void> => {
    for (const place of places) {
      await site.replace(place, release)
      await then(`${place} is of the ${release.name} release`)
    }
  }
  await replace(second, 'api-1')
  await until(async () => (await readReleases(temporal)).all.some(({ release }) => release === second.name))
  for (const percent of [10, 50]) await ramp(temporal, second.name, percent)
  await replace(second, 'worker-1')
  await makeCurrent(temporal, second.name)
  await replace(second, 'api-2', 'worker-2')

  await replace(first, 'api-1')
  if ((await goBack(temporal)) !== first.name) throw new Error('the way back leads elsewhere')
  await replace(first, 'api-2', 'worker-1', 'worker-2')

  await replace(second, 'api-1')
  await makeCurrent(temporal, second.name)
  await replace(second, 'api-2', 'worker-1', 'worker-2')
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 100))
}

function releasesOf(site: Site, ids: readonly string[]): Promise<readonly string[]> {
  return Promise.all(
    ids.map(async (id) => {
      const { raw } = await site.temporal.workflow.getHandle(id).describe()
      return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId ?? 'none'
    }),
  )
}
