import type { SendOutcome } from '../../schemas/call.ts'
import type { ErrorCode, ErrorFields } from '../../schemas/errors.ts'
import { heirOf, refusalOf } from '../keys/access.ts'
import { connectUrl, creditsUrl } from '../accounts/accounts.ts'
import { siteOf } from '../accounts/site.ts'
import { proofMatches } from '../approvals/approval.ts'
import { asksFirst } from '../approvals/asking.ts'
import { passkeyNeeded } from '../approvals/passkey-demands.ts'
import { passkeyProofMatches } from '../approvals/passkey-proofs.ts'
import type { Context } from '../context.ts'
import { noteTampered } from '../security-log.ts'
import { openInput } from './record.ts'
import { withdraw } from './rows.ts'
import { countBlock, takeProbe } from './blocks.ts'
import { noteWaiting, reserveAgain } from './sending-rows.ts'
import type { SendRow } from './sending-rows.ts'
import { holdIfPaused } from './operator-pause.ts'
import { lostRight } from '../temporal/failures.ts'
import { fail } from './settle.ts'
import { isStanding, stillStands } from '../approvals/standing.ts'

/** This many blocks end an unapproved call. Source: contract, "When the app blocks us". */
const mostBlocks = 4
/** Delay before a call that was refused the probe checks again, in ms. */
const probeRecheck = 2_000

/**
 * Repeats, right before sending, every check made when the call was accepted or approved.
 * Undefined: send it. Otherwise the outcome instead.
 */
export async function whyNotToSend(ctx: Context, row: SendRow): Promise<SendOutcome | undefined> {
  const problem = await ended(ctx, row)
  if (problem !== undefined) return fail(ctx, row, problem.code, problem.fields, problem.message)
  if (row.confirm && isStanding(row.decided_by) && !(await mayStand(ctx, row, row.decided_by))) {
    return takeBack(ctx, row)
  }
  await holdIfPaused(ctx, row)
  const held = stillWaits(row) ?? (await heldByPause(ctx, row))
  if (held !== undefined) return held
  if (row.credits > 0 && row.reserved_month === null && !(await reserveAgain(ctx.db, row.id))) {
    return fail(ctx, row, 'insufficient_credits', { credits_url: creditsUrl(ctx.config.publicUrl) })
  }
  return undefined
}

interface Ended {
  readonly code: ErrorCode
  readonly fields?: ErrorFields
  readonly message?: string
}

/** What has ended the call's right to be sent since it was accepted. */
async function ended(ctx: Context, row: SendRow): Promise<Ended | undefined> {
  if (row.call_problem !== null) {
    const keyId = (await heirOf(ctx.db, row.key_id)) ?? row.key_id
    return refusalOf(ctx, row.call_problem, { ...row, keyId })
  }
  if (row.account_state === 'disconnected' || row.session === null) {
    return { code: 'AUTH_REQUIRED', fields: { connect_url: connectUrl(ctx.config.publicUrl, row.app) } }
  }
  const app = ctx.apps.get(row.app)
  if (app?.endpoints.get(row.endpoint)?.access !== row.access) return { code: 'definition_changed' }
  if (siteOf(ctx, app, row.account_origin) === undefined) return { code: 'definition_changed' }
  if (!row.confirm && asksNow(ctx, row)) return { code: 'definition_changed' }
  if (row.confirm && !approved(ctx, row)) {
    ctx.log.error({ call: row.id }, 'a call came to its sending without a valid approval; refused')
    noteTampered(ctx, `call:${row.id}`)
    return { code: 'internal' }
  }
  return undefined
}

/** Whether the call needs approval after all: the user's policy changed, or the row was altered. */
function asksNow(ctx: Context, row: SendRow): boolean {
  const endpoint = ctx.apps.get(row.app)?.endpoints.get(row.endpoint)
  if (endpoint === undefined) return false
  const { asks: confirm, asks_proof: proof, asks_key_line: key_line, asks_key_proof: key_proof } = row
  if (asksFirst(ctx, row.owner, endpoint, { confirm, proof, key_line, key_proof })) return true
  return wantsPasskeySince(ctx, row) !== undefined
}

/** Since when approving the call requires a passkey; undefined: it does not. */
function wantsPasskeySince(ctx: Context, row: SendRow): Date | undefined {
  const endpoint = ctx.apps.get(row.app)?.endpoints.get(row.endpoint)
  return endpoint && passkeyNeeded(ctx, row, row, endpoint, () => openInput(ctx, row))
}

async function mayStand(ctx: Context, row: SendRow, standing: string): Promise<boolean> {
  return wantsPasskeySince(ctx, row) === undefined && (await stillStands(ctx, row, standing))
}

/** The approval rule was revoked, expired or altered: cancels the call, frees its credits. */
async function takeBack(ctx: Context, row: SendRow): Promise<SendOutcome> {
  if (!(await withdraw(ctx.db, row.id))) throw lostRight()
  ctx.log.warn({ call: row.id, standing: row.decided_by }, 'a standing approval ended before its call was sent')
  return { kind: 'final', status: 'cancelled' }
}

/** Whether exactly this was approved: by the user in time, or by one of their approval rules. */
function approved(ctx: Context, row: SendRow): boolean {
  if (row.decision !== 'approved' || row.decided_by === null || row.approval_proof === null) return false
  if (!isStanding(row.decided_by)) {
    if (row.decided_by !== row.owner || row.decided_at === null || row.expires_at === null) return false
    if (row.decided_at >= row.expires_at) return false
    const since = wantsPasskeySince(ctx, row)
    if (since && since <= row.decided_at && !passkeyProofMatches(ctx, row, row.passkey_proof)) return false
  }
  return proofMatches(ctx, row, row.decided_by, row.approval_proof)
}

/** The run woke too early: do not ask the app before the row's wait is over. */
function stillWaits(row: SendRow): SendOutcome | undefined {
  if (!row.wait_goes_on) return undefined
  if (row.waiting_for === 'reconnect')
    return { kind: 'reconnect', code: row.account_reason ?? 'AUTH_EXPIRED', attempt: row.attempt }
  return { kind: 'rate_limited', retryAt: row.retry_at?.getTime() ?? 0, attempt: row.attempt }
}

/** A cool-down holds every call except the one just blocked and, once it is over, one probe. */
async function heldByPause(ctx: Context, row: SendRow): Promise<SendOutcome | undefined> {
  if (row.paused_until === null) return undefined
  if (!row.confirm && row.blocks >= mostBlocks) return failBlocked(ctx, row, row.paused_until)
  const ownQuickRetry = !row.confirm && row.waiting_for === 'blocked'
  if (!row.pause_over && ownQuickRetry) return undefined
  if (row.pause_over && (await takeProbe(ctx.db, row))) return undefined
  if (!row.confirm && !row.pause_over) return failBlocked(ctx, row, row.paused_until)
  const retryAt = row.pause_over ? Date.now() + probeRecheck : row.paused_until
  // On an unapproved call `blocked` means that this call itself was blocked and may retry early.
  if (row.confirm) await noteWaiting(ctx.db, row.id, 'blocked', new Date(retryAt))
  else await countBlock(ctx.db, row.id, row.attempt)
  return { kind: 'blocked', retryAt, attempt: row.attempt }
}

function failBlocked(ctx: Context, row: SendRow, until: number): Promise<SendOutcome> {
  return fail(ctx, row, 'TARGET_BLOCKED', { retry_after: Math.max(1, Math.ceil((until - Date.now()) / 1_000)) })
}
