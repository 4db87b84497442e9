import { switchProof } from '../approvals/approval.ts'
import { isUnproven } from '../approvals/asking.ts'
import type { AskingSwitch } from '../approvals/asking.ts'
import { provenDemands, readDemands } from '../approvals/passkey-demands.ts'
import type { PasskeyDemands } from '../approvals/passkey-demands.ts'
import type { Context } from '../context.ts'
import { audit } from '../audit.ts'
import { transaction } from '../database/pool.ts'

/** What an owner allows in an app: everything, reads only, or the chosen endpoints. */
export interface Scope {
  readonly mode: 'all' | 'read' | 'chosen'
  readonly endpoints: readonly string[]
}

/** Null = the default. */
export interface ConfirmSetting {
  readonly confirm: boolean | null
  /** The time to decide: 2 s to 30 days. */
  readonly expirySeconds: number | null
}

export interface AppSettings {
  readonly scope: Scope
  /** By endpoint; those that are as they come are not in it. */
  readonly confirm: ReadonlyMap<string, ConfirmSetting>
  /** Endpoints whose asking is switched off without a valid proof: they ask as they come. */
  readonly unproven: ReadonlySet<string>
  /** For approving what the owner demands a passkey, in all apps. 'unproven': nobody knows, so everything needs one. */
  readonly demands: PasskeyDemands | 'unproven'
}

export async function readSettings(
  ctx: Pick<Context, 'db' | 'secrets'>,
  owner: string,
  app: string,
): Promise<AppSettings> {
  const { rows: scopes } = await ctx.db.query<Scope>(
    'SELECT mode, endpoints FROM scopes WHERE owner = $1 AND app = $2',
    [owner, app],
  )
  const { rows } = await ctx.db.query<AskingSwitch & { endpoint: string; expiry_seconds: number | null }>(
    'SELECT endpoint, confirm, proof, expiry_seconds FROM endpoint_settings WHERE owner = $1 AND app = $2',
    [owner, app],
  )
  const demands = provenDemands(ctx, owner, await readDemands(ctx.db, owner)) ?? {}
  const unproven = new Set(
    rows.filter((row) => isUnproven(ctx, { owner, app, endpoint: row.endpoint }, row)).map(({ endpoint }) => endpoint),
  )
  return {
    scope: scopes[0] ?? { mode: 'all', endpoints: [] },
    confirm: new Map(
      rows.map(({ endpoint, confirm, expiry_seconds: expirySeconds }) => [
        endpoint,
        { confirm: unproven.has(endpoint) ? null : confirm, expirySeconds },
      ]),
    ),
    unproven,
    demands,
  }
}

/** The owner's confirm switch and time to decide of an endpoint. Only what is switched off here is proven: nothing else writes it. */
export async function setConfirm(
  ctx: Pick<Context, 'db' | 'secrets'>,
  owner: string,
  app: string,
  endpoint: string,
  settings: Partial<ConfirmSetting>,
): Promise<void> {
  const proof = settings.confirm === false ? switchProof(ctx, { owner, app, endpoint }) : null
  await transaction(ctx.db, async (db) => {
    await db.query(
      `INSERT INTO endpoint_settings (owner, app, endpoint, confirm, proof, expiry_seconds) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (owner, app, endpoint)
       DO UPDATE SET confirm = excluded.confirm, proof = excluded.proof, expiry_seconds = excluded.expiry_seconds`,
      [owner, app, endpoint, settings.confirm ?? null, proof, settings.expirySeconds ?? null],
    )
    await audit(db, owner, 'endpoint.settings', { app, endpoint, ...settings })
  })
}

export async function setScope(
  ctx: Pick<Context, 'db'>,
  owner: string,
  app: string,
  mode: Scope['mode'],
  endpoints: readonly string[] = [],
): Promise<void> {
  await transaction(ctx.db, async (db) => {
    await db.query(
      `INSERT INTO scopes (owner, app, mode, endpoints) VALUES ($1, $2, $3, $4)
       ON CONFLICT (owner, app) DO UPDATE SET mode = excluded.mode, endpoints = excluded.endpoints`,
      [owner, app, mode, endpoints],
    )
    await audit(db, owner, 'scope', { app, mode, endpoints })
  })
}
