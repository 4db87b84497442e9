import type { App, Endpoint } from '../../connectors/registry.ts'
import type { CallArgs } from '../../schemas/call.ts'
import { CallgateError } from '../../schemas/errors.ts'
import type { Message } from '../../schemas/errors.ts'
import { refusalOf } from '../keys/access.ts'
import { beforeCall, creditsUrl, pickAccount } from '../accounts/accounts.ts'
import { asksFirst } from '../approvals/asking.ts'
import { passkeyNeeded } from '../approvals/passkey-demands.ts'
import { lookUpsOf } from '../approvals/look-ups.ts'
import { renderNow } from '../approvals/render.ts'
import { canonicalJson } from '../canonical-json.ts'
import type { Context } from '../context.ts'
import { isKeyedHash, keyedHash } from '../secrets/crypto.ts'
import { acceptCall } from './acceptance-rows.ts'
import { isConnectionError, whileAway } from '../database/failures.ts'
import { retry } from '../retry.ts'
import { findEarlier, findEqual } from './idempotency.ts'
import { CommitLost, longestOf, transaction } from '../database/pool.ts'
import { failPoint } from '../fail-point.ts'
import { addressesIn, fetchFiles, sealFile } from '../files/files.ts'
import { caps } from './caps.ts'
import { checkCursor } from './check-cursor.ts'
import type { Metadata } from './metadata.ts'
import { callArgs } from './workflow-args.ts'
import { sealPayload } from './payload.ts'
import { coveringCall } from '../approvals/standing.ts'

/** How long a user has to decide, unless their settings say otherwise. */
export const defaultExpirySeconds = 72 * 3600

export interface AcceptRequest {
  readonly owner: string
  readonly keyId: string
  readonly endpoint: Endpoint
  /** Validated, defaults filled in. */
  readonly input: Readonly<Record<string, unknown>>
  /** X-Callgate-Account as sent. */
  readonly account: string | undefined
  readonly idempotencyKey: string | undefined
  /** Why the agent makes the call, in its own words: shown to the approver, never sent. */
  readonly why?: string | undefined
  /** Self-reported name, from `clientName`: shown to the approver, never approved or sent. */
  readonly client?: string | undefined
  /** Stored beside the call; not part of what makes two requests equal. */
  readonly metadata?: Metadata | undefined
  /**
   * For an MCP tool's write: an equal one that still runs, or whose answer was never delivered, is
   * the same call unless another idempotency key is given.
   */
  readonly answerDue?: boolean | undefined
}

export interface Acceptance {
  readonly callId: string
  /** True: an earlier call matched and nothing was written. */
  readonly replayed: boolean
  /** Arguments of the workflow to start; null for a replay. */
  readonly args: CallArgs | null
}

/**
 * Writes a call, its reservation and its idempotency key in one transaction, or writes none and
 * throws the CallgateError that refuses it. Checks in the contract's order: access and scope,
 * idempotency, account and connection, paused, caps, credits.
 */
export async function accept(ctx: Context, request: AcceptRequest): Promise<Acceptance> {
  const callId = `call_${ctx.nextUlid()}`
  try {
    return await acceptAs(ctx, callId, request)
  } catch (error) {
    if (isLockTimeout(error))
      throw new CallgateError('call_in_progress', { headers: { 'Retry-After': '1' }, cause: error })
    if (!(error instanceof CommitLost)) throw error
    // The commit may have succeeded: never report such a call as refused.
    const args = await planWhenReachable(ctx, callId, request.owner).catch((cause: unknown) => {
      throw isConnectionError(cause) ? untold(callId, cause) : cause
    })
    if (args === undefined) throw error.cause
    return { callId, replayed: false, args }
  }
}

async function acceptAs(ctx: Context, callId: string, wanted: AcceptRequest): Promise<Acceptance> {
  const { endpoint, owner, keyId, input, why } = wanted
  const { app, name, access } = endpoint
  const keyed = { keyId, owner, app, endpoint: name, access }
  const { problem, accounts } = await beforeCall(ctx.db, keyed)
  if (problem !== null) throw await refusalOf(ctx, problem, keyed)
  const { idempotencyKey } = wanted
  const earlier = idempotencyKey === undefined ? undefined : await earlierCall(ctx, wanted, idempotencyKey)
  if (earlier !== undefined) return { callId: earlier, replayed: true, args: null }

  const account = pickAccount(ctx, accounts, { app: endpoint.app, account: wanted.account })
  await checkCursor(ctx, endpoint, input, account.id)
  const asked = { owner, account: account.id, data_key: account.data_key }
  const needsPasskey = passkeyNeeded(ctx, asked, account, endpoint, () => input) !== undefined
  const confirm = needsPasskey || asksFirst(ctx, owner, endpoint, account)
  if (account.paused_seconds > 0 && !confirm) throw blockedFor(account.paused_seconds)

  const place = { callId, owner, account: account.id, dataKey: account.data_key }
  const content = { account: account.id, app: endpoint.app, endpoint: endpoint.name, input }
  const contentHash = keyedHash(ctx.secrets, 'content', canonicalJson(content))
  const addresses = addressesIn(endpoint, input)
  if (addresses.length > 0 && confirm && idempotencyKey === undefined) {
    const equal = await findEqual(ctx.db, { keyId, owner, contentHash })
    if (equal !== undefined) return { callId: equal, replayed: true, args: null }
  }
  const fetched = await fetchFiles(ctx, owner, addresses)
  const files = fetched.map((one) => sealFile(ctx, place, one))
  const expirySeconds = account.expiry_seconds ?? defaultExpirySeconds
  const sealed = {
    ...content,
    id: callId,
    owner,
    input: sealPayload(ctx.secrets, place, 'input', input),
    // Rendered at send time, unless the call needs approval.
    request: null,
    preview: null,
    files: files.length === 0 ? null : files.map(({ about }) => about),
    round: 1,
    credits: endpoint.credits,
    data_key: account.data_key,
  }
  const standing =
    confirm && account.standing && !needsPasskey
      ? await coveringCall(ctx, sealed, input, { keyId, expirySeconds })
      : undefined
  const request = confirm
    ? await renderNow(ctx, {
        app: appOf(ctx, endpoint.app),
        account: account.id,
        origin: account.origin,
        endpoint,
        input,
        files: fetched.map(({ file }) => file),
      })
    : undefined
  failPoint('accept.before-commit')
  const accepted = await acceptCall(ctx.db, {
    id: callId,
    owner,
    keyId,
    app: endpoint.app,
    endpoint: endpoint.name,
    account: account.id,
    access: endpoint.access,
    confirm,
    expirySeconds,
    input: sealed.input,
    contentHash,
    request: request && sealPayload(ctx.secrets, place, 'request', request),
    files,
    why: why === undefined ? undefined : sealPayload(ctx.secrets, place, 'why', why),
    client: wanted.client,
    metadata: wanted.metadata,
    prepare: confirm && (request === undefined || lookUpsOf(endpoint, input).lookUps.length > 0),
    credits: endpoint.credits,
    idempotencyKey,
    requestHash: idempotencyKey === undefined ? undefined : keyedHash(ctx.secrets, 'request', toldApart(wanted)),
    maxOpen: confirm ? caps.waiting : caps.running,
    standing,
    maxRunning: caps.running,
    answerDue: wanted.answerDue ?? false,
  })
  switch (accepted.outcome) {
    case 'accepted': {
      const { created_at, expires_at, approved_by } = accepted
      const decided_at = approved_by === null ? null : created_at
      const row = { ...sealed, created_at, expires_at, decided_at, access: endpoint.access, confirm, attempt: 0 }
      return { callId, replayed: false, args: callArgs(row) }
    }
    case 'replayed':
      return { callId: accepted.call_id, replayed: true, args: null }
    case 'reused':
      throw new CallgateError('idempotency_key_reused')
    case 'full':
      throw tooManyOpen(confirm && accepted.approved_by === null)
    case 'poor':
      throw new CallgateError('insufficient_credits', {
        fields: {
          credits_left: accepted.credits_left,
          next_credits_at: accepted.next_credits_at.toISOString(),
          credits_url: creditsUrl(ctx.config.publicUrl),
        },
      })
  }
}

type ArgsRow = Parameters<typeof callArgs>[0]

/** Canonical text that decides whether two requests with the same idempotency key are equal. */
function toldApart({ endpoint, account, input }: AcceptRequest): string {
  return canonicalJson({ app: endpoint.app, endpoint: endpoint.name, account: account ?? null, input })
}

/**
 * The lineage's call under this idempotency key, even if its account is gone since. Throws
 * idempotency_key_reused when the request differs.
 */
async function earlierCall(ctx: Context, request: AcceptRequest, idempotencyKey: string): Promise<string | undefined> {
  const first = await findEarlier(ctx.db, request.keyId, idempotencyKey)
  if (first === undefined) return undefined
  if (!isKeyedHash(ctx.secrets, 'request', toldApart(request), first.request_hash))
    throw new CallgateError('idempotency_key_reused')
  return first.call_id
}

function tooManyOpen(confirm: boolean): CallgateError {
  return confirm
    ? new CallgateError('too_many_waiting', { fields: { limit: caps.waiting } })
    : new CallgateError('too_many_running', { fields: { limit: caps.running }, headers: { 'Retry-After': '5' } })
}

/** The refusal of a call whose endpoint is in cool-down for its account. `seconds`: time left. */
export function blockedFor(seconds: number): CallgateError {
  const wait = Math.max(1, Math.ceil(seconds))
  return new CallgateError('TARGET_BLOCKED', {
    fields: { retry_after: wait },
    headers: { 'Retry-After': String(wait) },
  })
}

function appOf(ctx: Context, slug: string): App {
  const app = ctx.apps.get(slug)
  if (app === undefined) throw new Error(`no app ${slug}`)
  return app
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}

/** Whether the call was committed after all, once Postgres answers again; undefined: it was not. */
async function planWhenReachable(ctx: Context, callId: string, owner: string): Promise<CallArgs | undefined> {
  const look = () =>
    transaction(ctx.db, async (db) => {
      // A backend may still run the lost connection's statement; it holds the balance until commit.
      await db.query('SELECT FROM balances WHERE owner = $1 FOR UPDATE', [owner])
      const { rows } = await db.query<ArgsRow>('SELECT * FROM calls WHERE id = $1', [callId])
      return rows[0] && callArgs(rows[0])
    })
  return retry(look, whileAway(Date.now() + longestOf(ctx.db)))
}

/** Postgres, or the standby it waits for, is down: the call may be committed, and be sent later. */
function untold(callId: string, cause: unknown): CallgateError {
  const message: Message = ({ idempotencyKey }) =>
    `Whether this call was accepted cannot be told right now. Look for ${callId} later, or repeat the request with the same ${idempotencyKey}; sent anew it may happen twice.`
  return new CallgateError('internal', { message, fields: { call_id: callId }, cause })
}
