import type { Endpoint } from '../../connectors/registry.ts'
import type { ErrorCode } from '../../schemas/errors.ts'
import { asksFirst } from '../approvals/asking.ts'
import type { AskingSwitch } from '../approvals/asking.ts'
import { demandKey, provenDemands } from '../approvals/passkey-demands.ts'
import type { DemandsRow } from '../approvals/passkey-demands.ts'
import type { Context } from '../context.ts'
import type { Db } from '../database/pool.ts'
import type { Bar } from './access.ts'
import type { ApiKey } from './rows.ts'

/** What a key may do with an endpoint now. */
export interface Sight {
  readonly endpoint: Endpoint
  /** Why the key may not call it; null: it may. */
  readonly problem: ErrorCode | null
  /** What in its scope keeps the key from it. */
  readonly bar: Bar | null
  /** Whether each call needs the owner's approval, by their switch for this key. */
  readonly asks: boolean
}

/** The apps in which the owner has an account, signed in or not. */
export async function connectedApps(db: Db, { owner }: ApiKey): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ app: string }>({
    name: 'connected-apps',
    text: `SELECT DISTINCT app FROM accounts WHERE owner = $1 AND state <> 'disconnected'`,
    values: [owner],
  })
  return new Set(rows.map(({ app }) => app))
}

/** One per endpoint, in the given order. */
export async function sightOf(
  ctx: Pick<Context, 'db' | 'log' | 'secrets' | 'security'>,
  { id, owner }: ApiKey,
  endpoints: readonly Endpoint[],
): Promise<readonly Sight[]> {
  const { rows } = await ctx.db.query<AskingSwitch & DemandsRow & Pick<Sight, 'problem' | 'bar'>>({
    name: 'sight-of-key',
    text: `SELECT access_problem(p_key => $1, p_owner => $2, p_app => e.app, p_endpoint => e.name, p_access => e.access) AS problem,
        scope_refusal(k, e.app, e.name, e.access) AS bar, s.confirm, s.proof,
        y.key_line, y.proof AS key_proof, d.demands, d.proof AS demands_proof
      FROM unnest($3::text[], $4::text[], $5::text[]) WITH ORDINALITY AS e (app, name, access, place)
      LEFT JOIN api_keys k ON k.id = $1 AND k.owner = $2
      LEFT JOIN endpoint_settings s ON s.owner = $2 AND s.app = e.app AND s.endpoint = e.name
      LEFT JOIN key_switches y ON y.owner = $2 AND y.app = e.app AND y.endpoint = e.name AND y.key_line = k.line
      LEFT JOIN passkey_demands d ON d.owner = $2 ORDER BY e.place`,
    values: [
      ...[id, owner, endpoints.map(({ app }) => app)],
      ...[endpoints.map(({ name }) => name), endpoints.map(({ access }) => access)],
    ],
  })
  const demands = rows[0] && provenDemands(ctx, owner, rows[0])
  const needsPasskey = ({ app, name, access }: Endpoint): boolean =>
    access === 'write' && (demands === 'unproven' || demands?.[demandKey(app, name)]?.above === null)
  return endpoints.flatMap((endpoint, at) => {
    const row = rows[at]
    if (row === undefined) return []
    const asks = needsPasskey(endpoint) || asksFirst(ctx, owner, endpoint, row)
    return [{ endpoint, problem: row.problem, bar: row.bar, asks }]
  })
}
