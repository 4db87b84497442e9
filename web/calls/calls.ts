import type { Context } from '../../core/context.ts'
import { isCallId } from '../../schemas/ids.ts'
import { findCall } from '../../core/calls/rows.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import { cancelCall } from '../../core/approvals/decide.ts'
import { lookOf } from '../../core/calls/findings.ts'
import { lookInApp, lookRun } from '../../core/calls/look.ts'
import { callRecord, openInput, openOriginal, openWhy } from '../../core/calls/record.ts'
import { resolveUnknown } from '../../core/calls/resolve.ts'
import { runOver } from '../../core/temporal/call-runs.ts'
import { CallgateError } from '../../schemas/errors.ts'
import { knownThings } from '../parts/known-things.ts'
import { PageError } from '../page-error.ts'
import { replyPage, seeOther } from '../reply.ts'
import type { Posted, Visit } from '../visit.ts'
import { openedCall } from '../parts/opened-call.ts'
import { withTold } from '../parts/told.ts'
import { openFiles } from '../../core/files/files.ts'
import { formOf } from '../parts/form-view.ts'
import { toldOf } from '../parts/told-view.ts'
import { CallPage } from './call-page.tsx'
import { callStory } from './call-story.ts'
import { CallsPage } from './calls-page.tsx'
import { askersOf, filterOf, readChosen } from './filter.ts'
import { foundPage } from './find-calls.ts'

const page = 50

export async function showCalls({ ctx, koa, person }: Visit): Promise<void> {
  const { owner } = person
  const query = koa.URL.searchParams
  const askers = await askersOf(ctx.db, owner)
  const chosen = readChosen(query, ctx.apps, askers)
  const older = query.get('before') ?? ''
  const { filter, words } = filterOf(owner, chosen, askers, isCallId(older) ? older : undefined)
  const found = await foundPage(ctx, filter, words, page)
  const { retentionDays } = ctx.config
  replyPage(koa, 200, CallsPage({ viewer: person, found, chosen, apps: ctx.apps.all, askers, retentionDays }))
}

/** A call with its timeline, data and run. */
export async function showCall(visit: Visit<'call'>): Promise<void> {
  await replyCall(visit, await ownCall(visit))
}

async function replyCall({ ctx, koa, person }: Visit, own: CallRow, tooLate = false): Promise<void> {
  const { row, locked } = openedCall(ctx, own)
  const app = ctx.apps.get(row.app)
  const [record, story, things, look] = await Promise.all([
    callRecord(ctx, row),
    callStory(ctx, row),
    knownThings(ctx, row),
    lookOf(ctx, row),
  ])
  const { temporalUiUrl, temporalNamespace } = ctx.config
  const endpoint = app?.endpoints.get(row.endpoint)
  const input = row.input === null ? undefined : openInput(ctx, row)
  const told = toldOf(ctx, row, { app, endpoint }, input)
  replyPage(
    koa,
    tooLate ? 409 : 200,
    CallPage({
      viewer: person,
      row,
      record,
      story,
      app,
      appName: app?.name ?? row.app,
      endpoint,
      why: openWhy(ctx, row),
      input,
      original: openOriginal(ctx, row),
      locked,
      retentionDays: ctx.config.retentionDays,
      things: withTold(things, { app, endpoint }, told.things, row.previewed_at),
      told,
      files: openFiles(ctx, row),
      form: formOf(ctx, row),
      look,
      runUrl: `${temporalUiUrl}/namespaces/${encodeURIComponent(temporalNamespace)}/workflows/${row.id}`,
      said: koa.URL.searchParams.get('said'),
      tooLate,
    }),
  )
}

/** How long a verification request waits for its result, in ms. */
const lookWait = 4_000

/** Cancels a call, verifies one that ended `unknown`, or records what its owner found out. */
export async function changeCall(posted: Posted<'call'>): Promise<void> {
  const { ctx, koa, person, form } = posted
  const row = await ownCall(posted)
  const action = form.get('action')
  if (action === 'cancel') {
    if (await cancelled(ctx, row)) return seeOther(koa, `/calls/${row.id}?said=cancelled`)
    return replyCall(posted, await ownCall(posted), true)
  }
  if (action === 'look') {
    if (!(await lookInApp(ctx, row))) return seeOther(koa, `/calls/${row.id}?said=looked`)
    await runOver(ctx, lookRun(row.id), lookWait)
    return seeOther(koa, `/calls/${row.id}`)
  }
  if (action !== 'happened' && action !== 'did-not-happen')
    throw new PageError(422, 'Nothing was done', 'The form did not say what to do with the call.')
  const found = { owner: person.owner, callId: row.id, happened: action === 'happened', by: 'owner' }
  if (!(await resolveUnknown(ctx, found)))
    throw new PageError(409, 'Already recorded', 'What happened was recorded before, or this call did not end unknown.')
  seeOther(koa, `/calls/${row.id}?said=recorded`)
}

/** False: sending had begun, or the call was settled. */
async function cancelled(ctx: Context, row: CallRow): Promise<boolean> {
  try {
    await cancelCall(ctx, row.owner, row.id)
    return true
  } catch (error) {
    if (error instanceof CallgateError && error.code === 'not_cancellable') return false
    throw error
  }
}

async function ownCall({ ctx, person, params: { call } }: Visit<'call'>): Promise<CallRow> {
  const row = isCallId(call) ? await findCall(ctx.db, person.owner, call) : undefined
  if (row === undefined) throw new PageError(404, 'No such call', 'There is no call of yours with this id.')
  return row
}
