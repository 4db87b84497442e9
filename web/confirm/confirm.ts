import { barOfCall, callProblem } from '../../core/keys/access.ts'
import { listAccounts } from '../../core/accounts/accounts.ts'
import { hasLostSession } from '../../core/accounts/sessions.ts'
import type { Context } from '../../core/context.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import { changeCall } from '../../core/approvals/change.ts'
import { approvalHash, decideCall, equalCallsLately } from '../../core/approvals/decide.ts'
import { isOutdated, isVoid } from '../../core/approvals/render.ts'
import { callRecord, needsSignIn, openInput, openOriginal, openWhy } from '../../core/calls/record.ts'
import type { Detail, Endpoint } from '../../connectors/registry.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import { InvalidInput } from '../../core/calls/invalid-input.ts'
import type { FetchedFile } from '../../core/files/fetch.ts'
import { CallgateError } from '../../schemas/errors.ts'
import type { Obstacle } from '../parts/call-warnings.tsx'
import { filesForChange, openFiles } from '../../core/files/files.ts'
import { changeOf, readChange } from './change.ts'
import type { ChangeView } from './change.ts'
import { askedAgain } from './again.ts'
import { freshened } from './fresh.ts'
import { decisionOf, ownCall } from './own-call.ts'
import { lookedUp, lookUp } from './look-up.ts'
import type { LookedUp } from './look-up.ts'
import { ConfirmPage } from './page.tsx'
import { signedIn, wantedPasskey } from './passkey.ts'
import { readReason } from './reason.tsx'
import { requestOf } from './request.tsx'
import type { Reason } from './reason.tsx'
import { nextWaiting } from '../calls/waiting-rows.ts'
import { riddlesIn } from './unresolved.tsx'
import { uncovered } from '../standing/view.ts'
import { knownThings } from '../parts/known-things.ts'
import { whoAsks } from '../queries.ts'
import { passkeyBucket, tooManyTries } from '../account/login.ts'
import { PageError } from '../page-error.ts'
import { countAttempt, forgiveAttempt } from '../parts/attempt-limits.ts'
import { replyPage, seeOther } from '../reply.ts'
import type { Posted, Visit } from '../visit.ts'
import { formOf } from '../parts/form-view.ts'
import { openedCall } from '../parts/opened-call.ts'
import { headlineOf } from '../parts/headline.ts'
import { withTold } from '../parts/told.ts'
import { toldOf } from '../parts/told-view.ts'

/** Shows the request, or the outcome. Never decides anything. */
export async function showConfirm(visit: Visit<'call'>): Promise<void> {
  const row = await ownCall(visit)
  const looked = await lookedUp(visit, row)
  await showCall(visit, visit.koa.method === 'GET' ? await freshened(visit.ctx, row) : row, { looked })
}

/** The only place that decides a call: its signed-in owner, on exactly what their page showed. */
export async function decide(posted: Posted<'call'>): Promise<void> {
  const { ctx, koa, person, form } = posted
  const row = await ownCall(posted)
  if (form.get('decision') === 'change') return change(posted, row)
  const read = form.get('look')
  if (read !== undefined) return look(posted, row, read)
  const decision = decisionOf(form)
  if (decision === undefined)
    throw new PageError(422, 'Neither approved nor rejected', 'The form did not say which. Go back and decide again.')
  const reason = readReason(form)
  if (reason.tooLong) return showCall(posted, row, { status: 422, reason })
  const hash = form.get('approval_hash') ?? (decision === 'rejected' ? hashToReject(ctx, row) : undefined) ?? ''
  const signed = signedIn(posted)
  const wait = signed === undefined ? 0 : await countAttempt(ctx.db, [passkeyBucket(posted)])
  if (wait > 0) {
    ctx.security.note('sign_in_slowed', koa.ip)
    koa.set('Retry-After', String(wait))
    throw new PageError(429, 'Nothing was decided', tooManyTries(wait))
  }
  const wanted = { owner: person.owner, callId: row.id, decision, hash, reason: reason.text || undefined, signed }
  const result = await decideCall(ctx, wanted)
  if (result === 'passkey') {
    if (signed !== undefined) ctx.security.note('sign_in_failed', koa.ip)
    return showCall(posted, await ownCall(posted), { status: 403, reason, passkeyFailed: signed !== undefined })
  }
  if (signed !== undefined) await forgiveAttempt(ctx.db, [passkeyBucket(posted)])
  if (result === 'decided') return seeOther(koa, `/confirm/${row.id}`)
  await showCall(posted, await ownCall(posted), { status: 409, reason })
}

/** Runs a read for the approver; decides nothing. */
async function look(posted: Posted<'call'>, row: CallRow, read: string): Promise<void> {
  const result = await lookUp(posted, row, read)
  if ('page' in result) return seeOther(posted.koa, result.page)
  await showCall(posted, row, { status: 422, lookProblem: result.problem })
}

/** A page that cannot show the request yet carries no hash, but can still be rejected. */
function hashToReject(ctx: Context, row: CallRow): string | undefined {
  return row.request === null && openedCall(ctx, row).legible ? approvalHash(ctx, row) : undefined
}

/** Approves nothing: the page then shows the edited call, under a new hash. */
async function change(posted: Posted<'call'>, found: CallRow): Promise<void> {
  const { ctx, koa, person, form } = posted
  const { row } = openedCall(ctx, found)
  const app = ctx.apps.get(row.app)
  const endpoint = app?.endpoints.get(row.endpoint)
  if (row.status !== 'awaiting_confirmation' || row.input === null || app === undefined || endpoint?.access !== 'write')
    return showCall(posted, row, { status: 409 })
  const { input, view } = readChange(ctx, endpoint, openInput(ctx, row), form)
  if (input === undefined) return showCall(posted, row, { status: 422, change: view })
  const hash = form.get('approval_hash') ?? ''
  const files = await filesOrWhyNot(ctx, row, endpoint, input)
  if ('why' in files) return showCall(posted, row, { status: 422, change: { ...view, details: files.why } })
  const wanted = { owner: person.owner, callId: row.id, hash, app, endpoint, input, files: files.fetched }
  const result = await changeCall(ctx, wanted)
  if (result !== 'stale') return seeOther(koa, `/confirm/${row.id}`)
  await showCall(posted, await ownCall(posted), { status: 409, change: view })
}

async function filesOrWhyNot(ctx: Context, row: CallRow, endpoint: Endpoint, input: Fields): Promise<Fetched> {
  try {
    return { fetched: await filesForChange(ctx, row, endpoint, input) }
  } catch (error) {
    if (!(error instanceof CallgateError)) throw error
    return { why: error instanceof InvalidInput ? error.details : [{ path: 'Its files', message: error.message }] }
  }
}

type Fetched = { readonly fetched: readonly FetchedFile[] } | { readonly why: readonly Detail[] }

/** Why an approved call would not be sent at present; undefined: it would be. */
async function whyItCannotSucceed(ctx: Context, row: CallRow): Promise<Obstacle | undefined> {
  const { key_id: keyId, owner, app, endpoint, access, account } = row
  const [problem, accounts] = await Promise.all([
    callProblem(ctx.db, { keyId, owner, app, endpoint, access }),
    listAccounts(ctx, owner, app),
  ])
  if (problem === 'SCOPE_DENIED') return (await barOfCall(ctx.db, { keyId, owner, app, endpoint, access })) ?? problem
  return problem ?? (accounts.some(({ id }) => id === account) ? undefined : 'AUTH_REQUIRED')
}

/** Errors, and what the user typed or read, to show again. */
interface Besides {
  /** 403: a passkey is required. */
  readonly status?: 403 | 409 | 422
  readonly looked?: LookedUp | undefined
  readonly lookProblem?: string
  readonly reason?: Reason
  /** A passkey signed, but not exactly this decision, now and at this address. */
  readonly passkeyFailed?: boolean
  readonly change?: ChangeView
}

async function showCall({ ctx, koa, person }: Visit, own: CallRow, besides: Besides = {}): Promise<void> {
  const { row, locked, legible } = openedCall(ctx, own)
  const app = ctx.apps.get(row.app)
  const endpoint = app?.endpoints.get(row.endpoint)
  const [record, equal, asking, things, sessionIsLost, next] = await Promise.all([
    callRecord(ctx, row),
    equalCallsLately(ctx, row),
    whoAsks(ctx.db, row),
    knownThings(ctx, row),
    needsSignIn(row) && hasLostSession(ctx, row.owner, row.account),
    nextWaiting(ctx.db, row),
  ])
  const input = row.input === null ? undefined : openInput(ctx, row)
  const told = toldOf(ctx, row, { app, endpoint }, input)
  const inTime = row.status === 'awaiting_confirmation' && row.expires_at !== null && row.expires_at > new Date()
  // Never 200: the row may have been tampered with.
  const shut = inTime && !legible
  const open = inTime && !shut
  const obstacle = inTime ? await whyItCannotSucceed(ctx, row) : undefined
  const known = withTold(things, { app, endpoint }, told.things, row.previewed_at)
  const passkey = open ? await wantedPasskey(ctx, row) : undefined
  const standing = open && input !== undefined ? await uncovered(ctx, row, input, passkey !== undefined) : []
  replyPage(
    koa,
    besides.status ?? (shut ? 409 : 200),
    ConfirmPage({
      viewer: person,
      row,
      record,
      app,
      appName: app?.name ?? row.app,
      endpoint,
      asking,
      why: openWhy(ctx, row),
      input,
      original: openOriginal(ctx, row),
      request: requestOf(ctx, row, app),
      files: openFiles(ctx, row),
      change: besides.change ?? (endpoint && input && changeOf(endpoint, input)),
      reason: besides.reason,
      retentionDays: ctx.config.retentionDays,
      things: known,
      looked: besides.looked,
      lookProblem: besides.lookProblem,
      headline: headlineOf({ app, endpoint, name: row.endpoint, input, told: told.seen, things: known }),
      next,
      riddles: open ? riddlesIn(endpoint, input, known, told) : [],
      told,
      form: formOf(ctx, row),
      sessionIsLost,
      again: open ? await askedAgain(ctx, row, { app, endpoint }) : undefined,
      equal,
      standing,
      obstacle,
      hash: open && row.request !== null && !isOutdated(ctx, row) ? approvalHash(ctx, row) : undefined,
      locked,
      open,
      shut,
      changed: inTime && isVoid(ctx, row),
      off: ctx.apps.broken.has(row.app),
      stale: besides.status === 409,
      passkey,
      passkeyProblem: besides.status !== 403 ? undefined : besides.passkeyFailed === true ? 'failed' : 'missing',
    }),
  )
}
