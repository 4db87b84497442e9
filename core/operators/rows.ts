import type { CallStatus } from '../../schemas/call.ts'
import type { AuditEntry } from '../audit.ts'
import type { Db } from '../database/pool.ts'

/** A call as operators see it: without content. */
export interface OperatorCall {
  readonly call_id: string
  readonly owner: string
  readonly email: string
  readonly app: string
  readonly endpoint: string
  readonly account: string
  readonly account_label: string
  readonly access: 'read' | 'write'
  readonly status: CallStatus
  /** `operator`: the app or the endpoint is paused; see `paused`. */
  readonly waiting_for: string | null
  readonly paused: 'app' | 'endpoint' | null
  readonly retry_at: Date | null
  readonly error_code: string | null
  /** The rule that the app's answer broke, if the connector did not understand it; no content. */
  readonly changed_rule: string | null
  readonly attempt: number
  readonly send: 'ready' | 'sending' | 'withdrawn'
  readonly decision: string | null
  readonly decided_at: Date | null
  readonly expires_at: Date | null
  readonly credits_used: number
  readonly resolution: { readonly happened: boolean; readonly by: string; readonly at: string } | null
  readonly created_at: Date
  readonly updated_at: Date
}

export interface CallFilter {
  readonly call_id?: string | undefined
  /** A user's id or email. */
  readonly owner?: string | undefined
  readonly app?: string | undefined
  readonly status?: string | undefined
  readonly waiting_for?: string | undefined
  /** Running for over ten minutes without a known reason to wait. */
  readonly stuck?: boolean | undefined
  /** Ended `unknown` and not resolved. */
  readonly unresolved?: boolean | undefined
  /** Only calls older than this one. */
  readonly before?: string | undefined
  readonly limit: number
}

/** Held by an operator: could be sent if its app and endpoint were not paused. */
const paused = `CASE WHEN c.status = 'running' AND c.send = 'ready' THEN
  CASE WHEN p.paused THEN 'app' WHEN e.paused THEN 'endpoint' END END`

const calls = `
  SELECT c.id AS call_id, c.owner, u.email, c.app, c.endpoint, c.account, a.label AS account_label, c.access, c.status,
    coalesce(c.waiting_for, CASE WHEN ${paused} IS NOT NULL THEN 'operator' END) AS waiting_for, ${paused} AS paused,
    c.retry_at, c.error_code, c.changed_rule, c.attempt, c.send, c.decision, c.decided_at, c.expires_at, c.credits_used, c.resolution,
    c.created_at, c.updated_at
  FROM calls c JOIN users u ON u.id = c.owner JOIN accounts a ON a.id = c.account
  LEFT JOIN app_controls p ON p.app = c.app
  LEFT JOIN endpoint_controls e ON e.app = c.app AND e.endpoint = c.endpoint`

export async function findCallsOfAll(db: Db, filter: CallFilter): Promise<readonly OperatorCall[]> {
  // Postgres texts cannot contain NUL: the statement would fail.
  if (Object.values(filter).some((value) => typeof value === 'string' && value.includes('\0'))) return []
  const { rows } = await db.query<OperatorCall>(
    `SELECT * FROM (${calls}) AS c
     WHERE ($1::text IS NULL OR call_id = $1) AND ($2::text IS NULL OR owner = $2 OR lower(email) = lower($2))
       AND ($3::text IS NULL OR app = $3) AND ($4::text IS NULL OR status = $4)
       AND ($5::text IS NULL OR waiting_for = $5)
       AND (NOT $6 OR (status = 'running' AND waiting_for IS NULL
            AND coalesce(decided_at, created_at) < clock_timestamp() - interval '10 minutes'))
       AND (NOT $7 OR (status = 'unknown' AND resolution IS NULL))
       AND ($8::text IS NULL OR call_id < $8)
     ORDER BY call_id DESC LIMIT $9`,
    [
      filter.call_id ?? null,
      filter.owner ?? null,
      filter.app ?? null,
      filter.status ?? null,
      filter.waiting_for ?? null,
      filter.stuck ?? false,
      filter.unresolved ?? false,
      filter.before ?? null,
      filter.limit,
    ],
  )
  return rows
}

/** An app's operator settings, and counts of its calls. */
export interface AppState {
  readonly app: string
  readonly paused: boolean
  readonly app_rate: number | null
  readonly account_rate: number | null
  /** Temporal has not received the last change yet. */
  readonly pending: boolean
  /** Seconds since that change; 0: none pending. */
  readonly pending_seconds: number
  readonly paused_endpoints: readonly string[]
  readonly awaiting_confirmation: number
  readonly running: number
  readonly unresolved: number
  /** Endpoints of accounts in cool-down. */
  readonly blocked: number
}

export async function appStates(db: Db, slugs: readonly string[]): Promise<readonly AppState[]> {
  const { rows } = await db.query<AppState>(
    `SELECT s.app, coalesce(p.paused, false) AS paused, p.app_rate, p.account_rate, coalesce(p.pacing_due, false) AS pending,
       coalesce(extract(epoch FROM clock_timestamp() - p.pacing_due_since), 0)::float8 AS pending_seconds,
       ARRAY(SELECT e.endpoint FROM endpoint_controls e WHERE e.app = s.app AND e.paused ORDER BY 1) AS paused_endpoints,
       count(*) FILTER (WHERE c.status = 'awaiting_confirmation')::integer AS awaiting_confirmation,
       count(*) FILTER (WHERE c.status = 'running')::integer AS running,
       count(*) FILTER (WHERE c.status = 'unknown')::integer AS unresolved,
       (SELECT count(*)::integer FROM pauses b JOIN accounts a ON a.id = b.account WHERE a.app = s.app) AS blocked
     FROM unnest($1::text[]) AS s(app) LEFT JOIN app_controls p ON p.app = s.app
     LEFT JOIN calls c ON c.app = s.app AND (c.status IN ('awaiting_confirmation', 'running')
       OR (c.status = 'unknown' AND c.resolution IS NULL))
     GROUP BY s.app, p.paused, p.app_rate, p.account_rate, p.pacing_due, p.pacing_due_since ORDER BY s.app`,
    [slugs],
  )
  return rows
}

/** Open calls by endpoint; endpoints without any are left out. */
export async function openByEndpoint(
  db: Db,
  app: string,
): Promise<readonly { readonly endpoint: string; readonly awaiting_confirmation: number; readonly running: number }[]> {
  const { rows } = await db.query<{ endpoint: string; awaiting_confirmation: number; running: number }>(
    `SELECT endpoint, count(*) FILTER (WHERE status = 'awaiting_confirmation')::integer AS awaiting_confirmation,
       count(*) FILTER (WHERE status = 'running')::integer AS running
     FROM calls WHERE app = $1 AND status IN ('awaiting_confirmation', 'running') GROUP BY endpoint`,
    [app],
  )
  return rows
}

/** An endpoint of an account that the app blocks for now. */
export interface BlockedEndpoint {
  readonly app: string
  readonly endpoint: string
  readonly account: string
  readonly label: string
  readonly email: string
  readonly until: Date
  /** Length of this cool-down (the backoff step). */
  readonly seconds: number
  readonly waiting: number
}

/** Of all accounts; of one app if given. */
export async function allPauses(db: Db, app: string | null = null): Promise<readonly BlockedEndpoint[]> {
  const { rows } = await db.query<BlockedEndpoint>(
    `SELECT a.app, p.endpoint, p.account, a.label, u.email, p.until, p.seconds,
       (SELECT count(*)::integer FROM calls c WHERE c.account = p.account AND c.endpoint = p.endpoint AND c.waiting_for = 'blocked') AS waiting
     FROM pauses p JOIN accounts a ON a.id = p.account JOIN users u ON u.id = a.owner
     WHERE $1::text IS NULL OR a.app = $1 ORDER BY p.until`,
    [app],
  )
  return rows
}

/** A call whose answer the connector did not understand. */
export interface ChangedCall {
  readonly call_id: string
  readonly endpoint: string
  readonly changed_rule: string
  readonly created_at: Date
}

/** The latest of an app, newest first. */
export async function changedLately(db: Db, app: string, limit: number): Promise<readonly ChangedCall[]> {
  const { rows } = await db.query<ChangedCall>(
    `SELECT id AS call_id, endpoint, changed_rule, created_at FROM calls
     WHERE app = $1 AND changed_rule IS NOT NULL ORDER BY id DESC LIMIT $2`,
    [app, limit],
  )
  return rows
}

type Done = Omit<AuditEntry, 'id'>

export async function auditOfOperators(db: Db, limit: number): Promise<readonly Done[]> {
  const { rows } = await db.query<Done>(
    `SELECT at, actor, action, detail FROM audit_log WHERE actor NOT LIKE 'user\\_%' ORDER BY id DESC LIMIT $1`,
    [limit],
  )
  return rows
}

/** Audit entries of a call, oldest first. */
export async function auditOfCall(db: Db, { owner, call_id }: OperatorCall): Promise<readonly Done[]> {
  const { rows } = await db.query<Done>(
    `SELECT at, actor, action, detail FROM audit_log WHERE detail->>'owner' = $1 AND detail->>'call' = $2 ORDER BY id`,
    [owner, call_id],
  )
  return rows
}

/** Number of calls that run for over ten minutes without a known reason to wait. */
export async function countStuck(db: Db): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM (${calls} WHERE c.status = 'running') AS c
     WHERE waiting_for IS NULL AND coalesce(decided_at, created_at) < clock_timestamp() - interval '10 minutes'`,
  )
  return rows[0]?.count ?? 0
}
