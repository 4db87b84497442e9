import type { Verify } from '../../connectors/kit/declared.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import type { ErrorCode } from '../../schemas/errors.ts'
import { reconnectCodes } from './settle.ts'
import type { Context } from '../context.ts'
import type { Db } from '../database/pool.ts'
import { errorName } from '../error-labels.ts'
import { pacingKey } from '../secrets/crypto.ts'
import { within } from '../temporal/deadline.ts'
import { appQueue, callQueue } from '../temporal/task-queues.ts'
import { findingOf, inputOfRead } from './finding.ts'
import type { Finding } from './finding.ts'
import { keep } from './findings.ts'
import { freeRead } from './free-read.ts'
import type { ReadOutcome } from './free-read.ts'
import { openInput } from './record.ts'
import type { CallRow } from './rows.ts'

/** Verifies writes whose answer was lost: once by itself (`look-at-once.ts`), then on request. */

/** Arguments of the verification workflow `look`. */
export interface LookArgs {
  readonly callId: string
  readonly taskQueue: string
  readonly pacingKey: string
}

/** Verifications not started within this time (ms) are abandoned; the workflow gives up as late. */
export const longestLook = 120_000
/** Minimum time between two verifications of one call, in ms. */
const leastPause = 60_000

/** Workflow id: one verification per call at a time. */
export function lookRun(callId: string): string {
  return `look_${callId}`
}

export interface VerifiedBy {
  readonly verify: Verify
  readonly read: Endpoint
}

/** How to verify a write; undefined: its endpoint declares no verification. */
export function verifiedBy(
  ctx: Pick<Context, 'apps'>,
  { app: slug, endpoint }: Pick<CallRow, 'app' | 'endpoint'>,
): VerifiedBy | undefined {
  const app = ctx.apps.get(slug)
  const verify = app?.endpoints.get(endpoint)?.verify ?? null
  const read = verify === null ? undefined : app?.endpoints.get(verify.read)
  return verify === null || read === undefined ? undefined : { verify, read }
}

/** Requests a verification. False: not unknown, input erased, or requested a moment ago. */
async function ask(db: Db, callId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `INSERT INTO findings AS f (call_id) SELECT id FROM calls WHERE id = $1 AND status = 'unknown' AND input IS NOT NULL
     ON CONFLICT (call_id) DO UPDATE SET asked_at = clock_timestamp()
     WHERE f.asked_at < clock_timestamp() - make_interval(secs => $2::double precision / 1000)`,
    [callId, leastPause],
  )
  return rowCount === 1
}

/** Starts a verification. False: requested a moment ago, or the write cannot be verified. */
export async function lookInApp(ctx: Context, row: CallRow): Promise<boolean> {
  if (verifiedBy(ctx, row) === undefined || !(await ask(ctx.db, row.id))) return false
  if (row.app_paused) await keep(ctx, row, { kind: 'untold', code: 'paused' })
  else if (!(await start(ctx, row))) await keep(ctx, row, { kind: 'untold', code: 'unavailable' })
  return true
}

/** False: Temporal did not accept it. */
async function start(ctx: Context, row: CallRow): Promise<boolean> {
  const args: LookArgs = { callId: row.id, taskQueue: appQueue(row.app), pacingKey: pacingKey(row.account) }
  try {
    await within(ctx, 5_000, () =>
      ctx.temporal.workflow.start('look', {
        workflowId: lookRun(row.id),
        taskQueue: callQueue,
        args: [args],
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        workflowIdConflictPolicy: 'USE_EXISTING',
        staticSummary: `did ${row.app}.${row.endpoint} happen for ${row.account}`,
      }),
    )
    return true
  } catch (error) {
    ctx.log.warn({ call: row.id, reason: errorName(error) }, 'the engine did not take a look in an app')
    return false
  }
}

type AskedRow = Pick<
  CallRow,
  'id' | 'owner' | 'app' | 'endpoint' | 'account' | 'data_key' | 'input' | 'created_at' | 'decided_at'
>

/** The call, if a verification was requested since the last result. */
export async function askedFor(db: Db, callId: string): Promise<AskedRow | undefined> {
  const { rows } = await db.query<AskedRow>(
    `SELECT c.id, c.owner, c.app, c.endpoint, c.account, c.input, c.created_at, c.decided_at, a.data_key
     FROM findings f JOIN calls c ON c.id = f.call_id JOIN accounts a ON a.id = c.account
     WHERE f.call_id = $1 AND (f.found_at IS NULL OR f.found_at < f.asked_at) AND c.status = 'unknown'`,
    [callId],
  )
  return rows[0]
}

/** Verifies the call in the app. Call it only in a worker. */
export async function findInApp(ctx: Context, row: AskedRow): Promise<Finding> {
  const by = verifiedBy(ctx, row)
  if (by === undefined) return { kind: 'untold', code: 'definition_changed' }
  const input = openInput(ctx, row)
  const outcome = await readFor(ctx, row, by, input)
  if (outcome.kind !== 'ok') return whyUntold(outcome)
  return findingOf(by.verify, input, outcome.output, row.decided_at ?? row.created_at)
}

/** Makes the verification read, once. */
export async function readFor(
  ctx: Context,
  row: Pick<CallRow, 'id' | 'app' | 'account'>,
  by: VerifiedBy,
  input: Fields,
  timeoutMs?: number,
): Promise<ReadOutcome> {
  const asked = { read: by.read, input: inputOfRead(by.verify, input), ...(timeoutMs !== undefined && { timeoutMs }) }
  const outcome = await freeRead(ctx, row.account, asked)
  if (outcome.kind === 'changed')
    ctx.log.warn(
      { call: row.id, app: row.app, endpoint: by.read.name, rule: outcome.rule },
      'an app answered a look in a shape that its connector does not know',
    )
  return outcome
}

export function whyUntold(outcome: Exclude<ReadOutcome, { kind: 'ok' }>): Finding {
  const untold = (code: ErrorCode | 'paused'): Finding => ({ kind: 'untold', code })
  switch (outcome.kind) {
    case 'paused':
      return untold('paused')
    case 'blocked':
    case 'rate_limited':
      return untold('TARGET_BLOCKED')
    case 'no_session':
      return untold('AUTH_EXPIRED')
    case 'auth_expired':
    case 'captcha':
    case 'mfa':
      return untold(reconnectCodes[outcome.kind])
    case 'rejected':
      return { kind: 'untold', code: 'app_rejected', said: outcome.appMessage }
    case 'refused':
    case 'app_error':
      return untold('app_error')
    case 'timeout':
    case 'lost':
      return untold('app_timeout')
    case 'changed':
      return untold('app_changed')
    case 'fenced':
      throw new Error('a read has no fence')
  }
}
