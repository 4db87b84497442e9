import { callProblem } from '../../core/keys/access.ts'
import { listAccounts } from '../../core/accounts/accounts.ts'
import type { Context } from '../../core/context.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import { findCall } from '../../core/calls/rows.ts'
import { approvalHash, decideCall, equalCallsLately } from '../../core/approvals/decide.ts'
import { callRecord, openInput } from '../../core/calls/record.ts'
import type { ErrorCode } from '../../schemas/errors.ts'
import { ConfirmPage } from './page.tsx'
import { uncovered } from '../standing/view.ts'
import { knownThings } from '../parts/known-things.ts'
import { keyName } from '../queries.ts'
import { PageError } from '../page-error.ts'
import { replyPage, seeOther } from '../reply.ts'
import type { Posted, Visit } from '../visit.ts'
import { openedCall } from '../parts/opened-call.ts'
import { isCallId } from '../../schemas/ids.ts'

const decisions: ReadonlyMap<string | undefined, 'approved' | 'rejected'> = new Map([
  ['approve', 'approved'],
  ['reject', 'rejected'],
])

/** Shows what would be sent, or how it ended. Never decides anything. */
export async function showConfirm(visit: Visit<'call'>): Promise<void> {
  await showCall(visit, await ownCall(visit))
}

/** The only place where a call is decided: by its signed-in owner, about exactly what their page showed. */
export async function decide(posted: Posted<'call'>): Promise<void> {
  const { ctx, koa, person, form } = posted
  const row = await ownCall(posted)
  const decision = decisions.get(form.get('decision'))
  if (decision === undefined)
    throw new PageError(422, 'Neither approved nor rejected', 'The form did not say which. Go back and decide again.')
  const hash = form.get('approval_hash') ?? ''
  const result = await decideCall(ctx, { owner: person.owner, callId: row.id, decision, hash })
  if (result === 'decided') return seeOther(koa, `/confirm/${row.id}`)
  await showCall(posted, await ownCall(posted), true)
}

/** 404 for a call of somebody else's as for one that never was. */
export async function ownCall({ ctx, person, params: { call } }: Visit<'call'>): Promise<CallRow> {
  const row = isCallId(call) ? await findCall(ctx.db, person.owner, call) : undefined
  if (row?.confirm !== true)
    throw new PageError(
      404,
      'No such call',
      'There is no call of yours at this address. Perhaps you are signed in as somebody else.',
    )
  return row
}

/** Why an approved call would not be sent, as things stand; undefined: it would. */
async function whyItCannotSucceed(ctx: Context, row: CallRow): Promise<ErrorCode | undefined> {
  const { key_id: keyId, owner, app, endpoint, access, account } = row
  const [problem, accounts] = await Promise.all([
    callProblem(ctx.db, { keyId, owner, app, endpoint, access }),
    listAccounts(ctx, owner, app),
  ])
  return problem ?? (accounts.some(({ id }) => id === account) ? undefined : 'AUTH_REQUIRED')
}

async function showCall({ ctx, koa, person }: Visit, own: CallRow, stale = false): Promise<void> {
  const { row, locked } = openedCall(ctx, own)
  const app = ctx.apps.get(row.app)
  const [record, equal, key, things] = await Promise.all([
    callRecord(ctx, row),
    equalCallsLately(ctx, row),
    keyName(ctx.db, row),
    knownThings(ctx, row),
  ])
  const input = row.input === null ? undefined : openInput(ctx, row)
  const open = row.status === 'awaiting_confirmation' && row.expires_at !== null && row.expires_at > new Date()
  const obstacle = open ? await whyItCannotSucceed(ctx, row) : undefined
  const standing = open && input !== undefined ? await uncovered(ctx, row, input) : []
  const hash = open && input !== undefined ? approvalHash(ctx, row) : undefined
  // No 200: it may be that somebody changed the row.
  const shut = open && hash === undefined
  replyPage(
    koa,
    stale || shut ? 409 : 200,
    ConfirmPage({
      viewer: person,
      row,
      record,
      app,
      appName: app?.name ?? row.app,
      endpoint: app?.endpoints.get(row.endpoint),
      keyName: key,
      input,
      retentionDays: ctx.config.retentionDays,
      things,
      equal,
      standing,
      obstacle,
      hash,
      locked,
      shut,
      changed: app?.definitionVersion !== row.definition_version,
      off: ctx.apps.broken.has(row.app),
      stale,
    }),
  )
}
