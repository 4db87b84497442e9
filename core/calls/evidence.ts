import type { FinalStatus, SendOutcome } from '../../schemas/call.ts'
import type { Context } from '../context.ts'
import { isKeyedHash, keyedHash } from '../secrets/crypto.ts'
import type { CallRow } from './rows.ts'

/**
 * What the engine keeps of a write, made so that nobody else can make it: `approved`, it is about to begin, after an approval; `begun`, it has
 * the right to send; `ended`, the call ended as executed or unknown. It counts only against a row that an older copy of the database brought
 * back: a row that is younger says all of it by itself.
 */
type Stage = 'approved' | 'begun' | 'ended'
type Secret = Pick<Context, 'secrets'>

const purpose = 'evidence'

export function evidence({ secrets }: Secret, stage: Stage, { id, attempt }: Pick<CallRow, 'id' | 'attempt'>): string {
  const what = `${stage}.${attempt}`
  return `${what}.${keyedHash(secrets, purpose, `${what}.${id}`).toString('base64url')}`
}

/** Whether what the engine kept proves that the write may have been sent, and that this row, which says that it was not, is older than that. */
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

/** How a try ended its call, or found it ended. */
export function finalOutcome(
  ctx: Secret,
  row: Pick<CallRow, 'id' | 'attempt' | 'access'>,
  status: FinalStatus,
): SendOutcome {
  const sent = row.access === 'write' && (status === 'executed' || status === 'unknown')
  return { kind: 'final', status, ...(sent && { seal: evidence(ctx, 'ended', row) }) }
}
