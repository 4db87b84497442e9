import type { PoolClient } from 'pg'
import { monotonicFactory } from 'ulid'
import type { Endpoint } from '../connectors/registry.ts'
import type { CallPlan } from '../schemas/call.ts'
import { CallgateError } from '../schemas/errors.ts'
import { pickAccount } from './accounts.ts'
import { canonicalJson } from './canonical.ts'
import type { Context } from './context.ts'
import { keyedHash } from './crypto.ts'
import { isConnectionError } from './db/failures.ts'
import { CommitLost, transaction } from './db/pool.ts'
import { failPoint } from './fail-point.ts'
import { planOf } from './plan.ts'
import { sealPayload } from './payload.ts'

const defaultExpirySeconds = 72 * 3600
const caps = { waiting: 1_000, running: 50 }
const ulid = monotonicFactory()

export interface CallRequest {
  readonly owner: string
  readonly keyId: string
  readonly endpoint: Endpoint
  /** Validated, defaults filled in. */
  readonly input: Readonly<Record<string, unknown>>
  /** X-Callgate-Account as sent. */
  readonly account: string | undefined
  readonly idempotencyKey: string | undefined
}

export interface Accepted {
  readonly callId: string
  /** True: this is an earlier call; nothing was written. */
  readonly replayed: boolean
  /** What to start; null for a replay. */
  readonly plan: CallPlan | null
}

/**
 * Writes a call, its reservation and its idempotency key in one transaction, or throws the CallgateError that refuses it and writes nothing.
 * Checks in the contract's order: idempotency, account and connection, paused, caps, credits.
 */
export async function accept(ctx: Context, request: CallRequest): Promise<Accepted> {
  const callId = `call_${ulid()}`
  try {
    return await transaction(ctx.db, (db) => acceptIn(ctx, db, callId, request))
  } catch (error) {
    if (isLockTimeout(error))
      throw new CallgateError('call_in_progress', { headers: { 'Retry-After': '1' }, cause: error })
    if (!(error instanceof CommitLost)) throw error
    // A call that exists must not be reported as refused.
    const plan = await planWhenReachable(ctx, callId)
    if (plan === undefined) throw error.cause
    return { callId, replayed: false, plan }
  }
}

async function acceptIn(ctx: Context, db: PoolClient, callId: string, request: CallRequest): Promise<Accepted> {
  const earlier = await claimIdempotencyKey(ctx, db, callId, request)
  if (earlier !== undefined) return { callId: earlier, replayed: true, plan: null }

  const { endpoint, owner } = request
  const account = await pickAccount(ctx, db, {
    owner,
    app: endpoint.app,
    endpoint: endpoint.name,
    account: request.account,
  })
  const confirm = endpoint.access === 'write' && (account.confirm ?? endpoint.confirm)
  if (account.paused_seconds > 0 && !confirm) throw blockedFor(account.paused_seconds)

  // The balance row is the owner's lock: equal calls, caps and credits are judged one call at a time.
  await db.query('SELECT lock_balance($1)', [owner])
  const contentHash = keyedHash(
    ctx.secrets,
    'content',
    canonicalJson({ account: account.id, app: endpoint.app, endpoint: endpoint.name, input: request.input }),
  )
  if (confirm && request.idempotencyKey === undefined) {
    const waiting = await db.query<{ id: string }>(
      `SELECT id FROM calls WHERE owner = $1 AND content_hash = $2 AND status = 'awaiting_confirmation'
         AND expires_at > clock_timestamp() ORDER BY id LIMIT 1`,
      [owner, contentHash],
    )
    if (waiting.rows[0]) return { callId: waiting.rows[0].id, replayed: true, plan: null }
  }
  await checkCaps(db, owner, confirm)

  const { rows } = await db.query<PlanRow>(
    `INSERT INTO calls (id, owner, key_id, app, endpoint, account, access, confirm, status, expires_at, input, content_hash, definition_version, credits)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, CASE WHEN $8 THEN clock_timestamp() + make_interval(secs => $10) END, $11, $12, $13, $14)
     RETURNING id, owner, app, endpoint, account, access, confirm, created_at, expires_at, attempt`,
    [
      callId,
      owner,
      request.keyId,
      endpoint.app,
      endpoint.name,
      account.id,
      endpoint.access,
      confirm,
      confirm ? 'awaiting_confirmation' : 'running',
      account.expiry_seconds ?? defaultExpirySeconds,
      sealPayload(
        ctx.secrets,
        { callId, owner, account: account.id, dataKey: account.data_key },
        'input',
        request.input,
      ),
      contentHash,
      definitionVersion(ctx, endpoint.app),
      endpoint.credits,
    ],
  )
  const row = rows[0]
  if (row === undefined) throw new Error('the call was not inserted')
  await reserve(db, owner, callId)
  failPoint('accept.before-commit')
  return { callId, replayed: false, plan: planOf(row) }
}

type PlanRow = Parameters<typeof planOf>[0]

/** The call id that already has this key, or undefined when the key is now this call's (or none was sent). */
async function claimIdempotencyKey(
  ctx: Context,
  db: PoolClient,
  callId: string,
  request: CallRequest,
): Promise<string | undefined> {
  if (request.idempotencyKey === undefined) return undefined
  const { endpoint, owner, idempotencyKey: key } = request
  const hash = keyedHash(
    ctx.secrets,
    'request',
    canonicalJson({
      app: endpoint.app,
      endpoint: endpoint.name,
      account: request.account ?? null,
      input: request.input,
    }),
  )
  // A call with the same key that is being accepted right now holds the unique index: wait for it, but not for long.
  await db.query(`SET LOCAL lock_timeout = '5s'`)
  const claimed = await db.query(
    'INSERT INTO idempotency_keys (owner, key, request_hash, call_id) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
    [owner, key, hash, callId],
  )
  if (claimed.rowCount === 1) return undefined
  const { rows } = await db.query<{ request_hash: Buffer; call_id: string }>(
    'SELECT request_hash, call_id FROM idempotency_keys WHERE owner = $1 AND key = $2',
    [owner, key],
  )
  const first = rows[0]
  if (first === undefined) throw new Error('an idempotency key vanished')
  if (!first.request_hash.equals(hash)) throw new CallgateError('idempotency_key_reused')
  return first.call_id
}

async function checkCaps(db: PoolClient, owner: string, confirm: boolean): Promise<void> {
  const { rows } = await db.query<{ open: number }>(
    'SELECT count(*)::integer AS open FROM calls WHERE owner = $1 AND status = $2',
    [owner, confirm ? 'awaiting_confirmation' : 'running'],
  )
  const open = rows[0]?.open ?? 0
  if (confirm && open >= caps.waiting) {
    throw new CallgateError('too_many_waiting', { fields: { limit: caps.waiting } })
  }
  if (!confirm && open >= caps.running) {
    throw new CallgateError('too_many_running', { fields: { limit: caps.running }, headers: { 'Retry-After': '5' } })
  }
}

async function reserve(db: PoolClient, owner: string, callId: string): Promise<void> {
  const { rows } = await db.query<{ reserved: boolean }>('SELECT reserve_credits($1) AS reserved', [callId])
  if (rows[0]?.reserved === true) return
  const balance = await db.query<{ available: number; next: Date }>(
    `SELECT available, (this_month() + interval '1 month') AT TIME ZONE 'UTC' AS next FROM balances WHERE owner = $1`,
    [owner],
  )
  throw new CallgateError('insufficient_credits', {
    fields: { credits_left: balance.rows[0]?.available ?? 0, next_credits_at: balance.rows[0]?.next.toISOString() },
  })
}

/** The refusal of a call whose endpoint is paused for its account. */
export function blockedFor(seconds: number): CallgateError {
  const wait = Math.max(1, Math.ceil(seconds))
  return new CallgateError('TARGET_BLOCKED', {
    fields: { retry_after: wait },
    headers: { 'Retry-After': String(wait) },
  })
}

function definitionVersion(ctx: Context, slug: string): string {
  const app = ctx.apps.get(slug)
  if (app === undefined) throw new Error(`no app ${slug}`)
  return app.definitionVersion
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}

/** Whether the call was written after all, asked as soon as the database answers again; undefined: it was not. */
async function planWhenReachable(ctx: Context, callId: string): Promise<CallPlan | undefined> {
  const deadline = Date.now() + 20_000
  for (;;) {
    try {
      const { rows } = await ctx.db.query<PlanRow>('SELECT * FROM calls WHERE id = $1', [callId])
      return rows[0] && planOf(rows[0])
    } catch (error) {
      if (!isConnectionError(error) || Date.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }
}
