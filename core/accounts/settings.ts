import { switchProof } from '../approvals/approval.ts'
import { isTrusted, isUnproven } from '../approvals/asking.ts'
import type { AskingSwitch } from '../approvals/asking.ts'
import { provenDemands, readDemands } from '../approvals/passkey-demands.ts'
import type { PasskeyDemands } from '../approvals/passkey-demands.ts'
import type { Context } from '../context.ts'
import { audit } from '../audit.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'

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
  /** By endpoint; without those that keep the default. */
  readonly confirm: ReadonlyMap<string, ConfirmSetting>
  /** Endpoints whose 'never ask', for all keys or one, has no valid proof: the default applies. */
  readonly unproven: ReadonlySet<string>
  /** By endpoint, the lineages (`line`) of the valid keys that never ask. */
  readonly keys: ReadonlyMap<string, readonly string[]>
  /** When the owner demands a passkey to approve, in all apps. 'unproven': always demanded. */
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
  const keys = await readKeySwitches(ctx, owner, app)
  return {
    scope: scopes[0] ?? { mode: 'all', endpoints: [] },
    confirm: new Map(
      rows.map(({ endpoint, confirm, expiry_seconds: expirySeconds }) => [
        endpoint,
        { confirm: unproven.has(endpoint) ? null : confirm, expirySeconds },
      ]),
    ),
    unproven: new Set([...unproven, ...keys.filter(({ proven }) => !proven).map(({ endpoint }) => endpoint)]),
    keys: linesOf(keys.filter(({ proven }) => proven)),
    demands,
  }
}

interface KeySwitch {
  readonly endpoint: string
  readonly line: string
  readonly proven: boolean
}

/** Switches of keys that are still valid. */
async function readKeySwitches(
  ctx: Pick<Context, 'db' | 'secrets'>,
  owner: string,
  app: string,
): Promise<readonly KeySwitch[]> {
  const { rows } = await ctx.db.query<Omit<KeySwitch, 'proven'> & { readonly proof: string }>(
    `SELECT s.endpoint, s.key_line AS line, s.proof FROM key_switches s WHERE s.owner = $1 AND s.app = $2
       AND EXISTS (SELECT FROM api_keys k WHERE k.line = s.key_line AND k.owner = s.owner AND is_valid_key(k))
       ORDER BY s.endpoint, s.key_line`,
    [owner, app],
  )
  return rows.map(({ proof, ...one }) => ({
    ...one,
    proven: isTrusted(ctx, { owner, app, endpoint: one.endpoint, keyLine: one.line }, proof),
  }))
}

function linesOf(switches: readonly KeySwitch[]): ReadonlyMap<string, readonly string[]> {
  const byEndpoint = new Map<string, readonly string[]>()
  for (const { endpoint, line } of switches) byEndpoint.set(endpoint, [...(byEndpoint.get(endpoint) ?? []), line])
  return byEndpoint
}

export interface NewConfirmSetting extends Partial<ConfirmSetting> {
  /** Lineages of the keys that never ask, whatever holds for the others; undefined: unchanged. */
  readonly keys?: readonly string[] | undefined
}

/** Sets an endpoint's approval policy and expiry. The only writer of proofs for 'never ask'. */
export async function setConfirm(
  ctx: Pick<Context, 'db' | 'secrets'>,
  owner: string,
  app: string,
  endpoint: string,
  { keys, ...settings }: NewConfirmSetting,
): Promise<void> {
  const place = { owner, app, endpoint }
  const proof = settings.confirm === false ? switchProof(ctx, place) : null
  await transaction(ctx.db, async (db) => {
    await db.query(
      `INSERT INTO endpoint_settings (owner, app, endpoint, confirm, proof, expiry_seconds) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (owner, app, endpoint)
       DO UPDATE SET confirm = excluded.confirm, proof = excluded.proof, expiry_seconds = excluded.expiry_seconds`,
      [owner, app, endpoint, settings.confirm ?? null, proof, settings.expirySeconds ?? null],
    )
    if (keys !== undefined) await trustKeys(ctx, db, place, keys)
    await audit(db, owner, 'endpoint.settings', { app, endpoint, ...settings, ...(keys && { keys }) })
  })
}

/** Lets exactly these key lineages of the owner never ask. */
async function trustKeys(
  ctx: Pick<Context, 'secrets'>,
  db: Db,
  place: { readonly owner: string; readonly app: string; readonly endpoint: string },
  lines: readonly string[],
): Promise<void> {
  const at = [place.owner, place.app, place.endpoint]
  await db.query('DELETE FROM key_switches WHERE owner = $1 AND app = $2 AND endpoint = $3', at)
  await db.query(
    `INSERT INTO key_switches (owner, app, endpoint, key_line, proof)
     SELECT DISTINCT $1, $2, $3, k.line, n.proof FROM unnest($4::text[], $5::text[]) AS n (line, proof)
     JOIN api_keys k ON k.line = n.line AND k.owner = $1`,
    [...at, lines, lines.map((keyLine) => switchProof(ctx, { ...place, keyLine }))],
  )
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
