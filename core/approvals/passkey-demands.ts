import { isFields } from '../../connectors/kit/wire.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import type { Context } from '../context.ts'
import type { Db } from '../database/pool.ts'
import { noteTampered } from '../security-log.ts'
import { isMarked } from '../secrets/marks.ts'
import { isAbove } from './amounts.ts'
import { demandsMatch } from './passkey-proofs.ts'

/** A rule that approving calls of an endpoint requires a passkey. */
export interface PasskeyDemand {
  /** Only above this amount, in whole units of the call's currency; null: each time. */
  readonly above: string | null
  readonly since: string
}

/** By `app/endpoint`. */
export type PasskeyDemands = Readonly<Record<string, PasskeyDemand>>

/** A user's row of `passkey_demands`; both null: none. */
export interface DemandsRow {
  readonly demands: unknown
  readonly demands_proof: string | null
}

export const demandKey = (app: string, endpoint: string): string => `${app}/${endpoint}`

export async function readDemands(db: Db, owner: string): Promise<DemandsRow> {
  const { rows } = await db.query<DemandsRow>(
    'SELECT demands, proof AS demands_proof FROM passkey_demands WHERE owner = $1',
    [owner],
  )
  return rows[0] ?? { demands: null, demands_proof: null }
}

/** What a user requires passkeys for; undefined: never set. 'unproven': altered, or key gone. */
export function provenDemands(
  ctx: Pick<Context, 'secrets'>,
  owner: string,
  { demands, demands_proof: proof }: DemandsRow,
): PasskeyDemands | undefined | 'unproven' {
  if (demands === null && proof === null) return undefined
  if (proof === null || !isFields(demands) || !demandsMatch(ctx, owner, demands, proof)) return 'unproven'
  return demands as PasskeyDemands
}

interface Asked {
  readonly owner: string
  readonly account: string
  readonly data_key: Buffer
}

/**
 * Since when approving a call requires a passkey, and so approval at all; undefined: it does not.
 * Without proof of what the user requires, every write does, since the epoch.
 */
export function passkeyNeeded(
  ctx: Pick<Context, 'log' | 'secrets' | 'security'>,
  { owner, account, data_key }: Asked,
  row: DemandsRow,
  { app, name, access, inputSchema }: Endpoint,
  input: () => Fields,
): Date | undefined {
  if (access !== 'write') return undefined
  const proven = provenDemands(ctx, owner, row)
  if (proven === 'unproven' || (proven === undefined && mayMiss(ctx, account, data_key))) {
    noteTampered(ctx, `passkey-demands:${owner}`)
    ctx.log.warn(
      { owner, app, endpoint: name },
      'what a person demands a passkey for cannot be verified; all needs one',
    )
    return new Date(0)
  }
  const demand = proven?.[demandKey(app, name)]
  if (demand === undefined) return undefined
  return demand.above === null || isAbove(input(), inputSchema, demand.above) ? new Date(demand.since) : undefined
}

/** Whether a mark says that a row must exist. False if the key does not open: nothing is sent. */
function mayMiss({ secrets }: Pick<Context, 'secrets'>, account: string, dataKey: Buffer): boolean {
  try {
    return isMarked(secrets, account, dataKey)
  } catch {
    return false
  }
}
