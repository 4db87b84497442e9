import type { CallEnd, FinalStatus, SendOutcome } from '../../schemas/call.ts'
import type { Context } from '../context.ts'
import { isKeyedHash, keyedHash } from '../secrets/crypto.ts'
import type { CallRow } from './rows.ts'

/**
 * Keyed marks of a write in Temporal's history, which only Callgate can make: `approved`, about to
 * begin after approval; `begun`, the send lease is taken; `ended`, ended as executed or unknown.
 * They count only against a row restored from an older backup; a current row knows it all itself.
 */
type Stage = 'approved' | 'begun' | 'ended'
type Secret = Pick<Context, 'secrets'>

const purpose = 'evidence'

export function evidence({ secrets }: Secret, stage: Stage, { id, attempt }: Pick<CallRow, 'id' | 'attempt'>): string {
  const what = `${stage}.${attempt}`
  return `${what}.${keyedHash(secrets, purpose, `${what}.${id}`).toString('base64url')}`
}

/** Whether `kept` proves that the write may have been sent, so that this unsent row is outdated. */
export function provesSending(
  ctx: Secret,
  row: Pick<CallRow, 'id' | 'attempt' | 'status' | 'send'>,
  kept: unknown,
): boolean {
  if (typeof kept !== 'string' || row.send !== 'ready') return false
  const [, stage, digits, seal = ''] = /^(approved|begun|ended)\.(\d{1,9})\.([\w-]{43})$/.exec(kept) ?? []
  const attempt = Number(digits)
  const what = `${stage}.${attempt}.${row.id}`
  if (!isKeyedHash(ctx.secrets, purpose, what, Buffer.from(seal, 'base64url'))) return false
  if (stage === 'ended') return true
  return attempt >= row.attempt && (stage === 'begun' || row.status === 'awaiting_confirmation')
}

/** How an attempt ended its call, or found it ended. */
export async function finalOutcome(
  ctx: Secret & Pick<Context, 'db'>,
  row: Pick<CallRow, 'id' | 'attempt' | 'access'>,
  status: FinalStatus,
): Promise<SendOutcome> {
  const sent = row.access === 'write' && (status === 'executed' || status === 'unknown')
  return { kind: 'final', ...(await endAs(ctx, row.id, status)), ...(sent && { seal: evidence(ctx, 'ended', row) }) }
}

/** With the error code, which the Temporal UI shows as the cause. */
export async function endAs({ db }: Pick<Context, 'db'>, callId: string, status: FinalStatus): Promise<CallEnd> {
  if (status !== 'failed') return { status }
  const { rows } = await db.query<{ code: string | null }>('SELECT error_code AS code FROM calls WHERE id = $1', [
    callId,
  ])
  const code = rows[0]?.code
  return { status, ...(code != null && { code }) }
}
