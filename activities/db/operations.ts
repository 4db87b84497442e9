import type { CallStatus } from '../../schemas/call.ts'
import type { Db } from './pool.ts'

/** A call as operators see it: without what it says. */
export interface OperatorCall {
  readonly call_id: string
  readonly owner: string
  readonly email: string
  readonly app: string
  readonly endpoint: string
  readonly account: string
  readonly status: CallStatus
  readonly waiting_for: string | null
  readonly retry_at: Date | null
  readonly error_code: string | null
  readonly attempt: number
  readonly send: 'ready' | 'sending' | 'withdrawn'
  readonly decision: string | null
  readonly credits_used: number
  readonly resolution: unknown
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
  readonly limit: number
}

export async function findCallsOfAll(db: Db, filter: CallFilter): Promise<readonly OperatorCall[]> {
  const { rows } = await db.query<OperatorCall>(
    `SELECT c.id AS call_id, c.owner, u.email, c.app, c.endpoint, c.account, c.status,
       coalesce(c.waiting_for, CASE WHEN c.status = 'running' AND c.send = 'ready' AND p.paused THEN 'operator' END) AS waiting_for,
       c.retry_at, c.error_code, c.attempt, c.send, c.decision, c.credits_used, c.resolution, c.created_at, c.updated_at
     FROM calls c JOIN users u ON u.id = c.owner LEFT JOIN app_controls p ON p.app = c.app
     WHERE ($1::text IS NULL OR c.id = $1) AND ($2::text IS NULL OR c.owner = $2 OR lower(u.email) = lower($2))
       AND ($3::text IS NULL OR c.app = $3) AND ($4::text IS NULL OR c.status = $4)
       AND ($5::text IS NULL OR c.waiting_for = $5
            OR ($5 = 'operator' AND c.status = 'running' AND c.send = 'ready' AND p.paused))
     ORDER BY c.id DESC LIMIT $6`,
    [
      filter.call_id ?? null,
      filter.owner ?? null,
      filter.app ?? null,
      filter.status ?? null,
      filter.waiting_for ?? null,
      filter.limit,
    ],
  )
  return rows
}

/** What an operator set for an app, and how its calls stand. */
export interface AppState {
  readonly app: string
  readonly paused: boolean
  readonly app_rate: number | null
  readonly account_rate: number | null
  readonly awaiting_confirmation: number
  readonly running: number
  readonly unresolved: number
}

export async function appStates(db: Db, slugs: readonly string[]): Promise<readonly AppState[]> {
  const { rows } = await db.query<AppState>(
    `SELECT s.app, coalesce(p.paused, false) AS paused, p.app_rate, p.account_rate,
       count(*) FILTER (WHERE c.status = 'awaiting_confirmation')::integer AS awaiting_confirmation,
       count(*) FILTER (WHERE c.status = 'running')::integer AS running,
       count(*) FILTER (WHERE c.status = 'unknown')::integer AS unresolved
     FROM unnest($1::text[]) AS s(app) LEFT JOIN app_controls p ON p.app = s.app
     LEFT JOIN calls c ON c.app = s.app AND (c.status IN ('awaiting_confirmation', 'running')
       OR (c.status = 'unknown' AND c.resolution IS NULL))
     GROUP BY s.app, p.paused, p.app_rate, p.account_rate ORDER BY s.app`,
    [slugs],
  )
  return rows
}

/** Endpoints that an app refuses for now, of all accounts. */
export async function allPauses(db: Db): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { rows } = await db.query<Record<string, unknown>>(
    `SELECT a.app, p.endpoint, p.account, a.label, u.email, p.until, p.seconds,
       (SELECT count(*)::integer FROM calls c WHERE c.account = p.account AND c.endpoint = p.endpoint AND c.waiting_for = 'blocked') AS waiting
     FROM pauses p JOIN accounts a ON a.id = p.account JOIN users u ON u.id = a.owner ORDER BY p.until`,
  )
  return rows
}

export async function auditOfOperators(db: Db, limit: number): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { rows } = await db.query<Record<string, unknown>>(
    `SELECT at, actor, action, detail FROM audit_log WHERE actor NOT LIKE 'user\\_%' ORDER BY id DESC LIMIT $1`,
    [limit],
  )
  return rows
}
