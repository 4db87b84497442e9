import { listAccounts } from '../../core/accounts/accounts.ts'
import type { Context } from '../../core/context.ts'
import { derivedKey } from '../../core/secrets/crypto.ts'
import { listKeys } from '../../core/keys/keys.ts'
import type { KeyView } from '../../core/keys/keys.ts'
import { listCalls } from '../../core/calls/rows.ts'
import { findStanding, listStanding } from '../../core/approvals/standing-rows.ts'
import { readSettings } from '../../core/accounts/settings.ts'
import { openFields, standingFields } from '../../core/approvals/standing-fields.ts'
import { makeStanding, revokeStanding } from '../../core/approvals/standing-rules.ts'
import type { App, Endpoint } from '../../connectors/registry.ts'
import { knownApp } from '../parts/known-app.ts'
import { PageError } from '../page-error.ts'
import { replyPage, seeOther } from '../reply.ts'
import type { Posted, Visit } from '../visit.ts'
import { callLines } from '../calls/call-lines.ts'
import { readBounds, typedIn } from './form.ts'
import { StandingFormPage } from './form-page.tsx'
import type { StandingProblems, TypedStanding } from './form-fields.tsx'
import { StandingListPage } from './list.tsx'
import { StandingPage } from './page.tsx'
import { standingOf } from './view.ts'
import { isCallId, isStandingId } from '../../schemas/ids.ts'

const page = 50

/** All approval rules of the owner. */
export async function showStandings({ ctx, koa, person }: Visit): Promise<void> {
  const rows = await listStanding(ctx.db, person.owner)
  replyPage(koa, 200, StandingListPage({ viewer: person, all: rows.map((row) => standingOf(ctx, row)) }))
}

/** One approval rule, with every call that it approved. */
export async function showStanding(visit: Visit<'standing'>): Promise<void> {
  const { ctx, koa, person } = visit
  const row = await ownStanding(visit)
  const { searchParams } = koa.URL
  const asked = searchParams.get('before') ?? ''
  const before = isCallId(asked) ? asked : undefined
  const uses = await listCalls(ctx.db, { owner: person.owner, decidedBy: row.id, before, limit: page + 1 })
  const endpoint = ctx.apps.get(row.app)?.endpoints.get(row.endpoint)
  replyPage(
    koa,
    200,
    StandingPage({
      viewer: person,
      standing: standingOf(ctx, row),
      uses: await callLines(ctx, uses.slice(0, page)),
      next: uses.length > page ? uses[page - 1]?.id : undefined,
      open: endpoint === undefined ? [] : openFields(endpoint, row.field),
      said: searchParams.get('said'),
    }),
  )
}

export async function changeStanding(posted: Posted<'standing'>): Promise<void> {
  const { ctx, koa, person, form } = posted
  const { id } = await ownStanding(posted)
  if (form.get('action') !== 'revoke')
    throw new PageError(422, 'Nothing was changed', 'The form did not say what to change.')
  if ((await revokeStanding(ctx, person.owner, id)) === undefined)
    throw new PageError(409, 'Already revoked', 'This standing approval was revoked before.')
  seeOther(koa, `/standing/${id}?said=revoked`)
}

/** Form for a new approval rule; opening it approves nothing. */
export async function showStandingForm(visit: Visit): Promise<void> {
  const { ctx, koa } = visit
  const query = koa.URL.searchParams
  const place = writeOf(ctx, query.get('app') ?? '', query.get('endpoint') ?? '')
  const account = query.get('account') ?? ''
  const keys = await validKeys(visit)
  const [only] = keys
  const named = keys.find(({ id }) => id === query.get('key')) ?? (keys.length === 1 ? only : undefined)
  const typed = { ...untyped, account, key: named?.id ?? '' }
  await replyForm(visit, place, { status: 200, typed, problems: {} })
}

const untyped = { perDay: '', field: '', values: '', until: '', unbounded: false }

async function validKeys({ ctx, person }: Pick<Visit, 'ctx' | 'person'>): Promise<readonly KeyView[]> {
  return (await listKeys(ctx.db, person.owner)).filter(({ valid }) => valid)
}

export async function createStanding(posted: Posted): Promise<void> {
  const { ctx, koa, person, form } = posted
  const place = writeOf(ctx, form.get('app') ?? '', form.get('endpoint') ?? '')
  const { app, endpoint } = place
  const typed = typedIn(form)
  const read = readBounds(typed, {
    endpoint,
    accounts: await listAccounts(ctx, person.owner, app.slug),
    keys: await validKeys(posted),
    fields: standingFields(endpoint),
    cursorKey: derivedKey(ctx.secrets, 'cursor'),
    now: new Date(),
  })
  const again = (status: number, problems: StandingProblems): Promise<void> =>
    replyForm(posted, place, { status, typed, problems })
  if ('problems' in read) return again(422, read.problems)
  const made = await makeStanding(ctx, { ...read.bounds, owner: person.owner, endpoint })
  if (typeof made !== 'string') return seeOther(koa, `/standing/${made.id}?said=made`)
  const [status, problems] = refusals[made]
  await again(status, problems)
}

const refusals: Readonly<
  Record<Extract<Awaited<ReturnType<typeof makeStanding>>, string>, readonly [number, StandingProblems]>
> = {
  'no account': [422, { account: 'This account is not connected any more. Choose another one.' }],
  'no key': [422, { key: 'This key is not valid any more. Choose another one, or all of them.' }],
  'too many': [422, { form: 'There are 20 for this action and account already. Revoke one that you do not need.' }],
}

interface Place {
  readonly app: App
  readonly endpoint: Endpoint
}

/** The app and write; 404 for reads, which never ask. */
function writeOf(ctx: Context, slug: string, name: string): Place {
  const app = knownApp(ctx, slug)
  const endpoint = app.endpoints.get(name)
  if (endpoint?.access !== 'write')
    throw new PageError(404, 'No such action', `${app.name} has no action of this name that could ask you first.`)
  return { app, endpoint }
}

async function replyForm(
  { ctx, koa, person }: Visit,
  { app, endpoint }: Place,
  what: { readonly status: number; readonly typed: TypedStanding; readonly problems: StandingProblems },
): Promise<void> {
  const [accounts, keys, settings] = await Promise.all([
    listAccounts(ctx, person.owner, app.slug),
    validKeys({ ctx, person }),
    readSettings(ctx, person.owner, app.slug),
  ])
  const asks = settings.confirm.get(endpoint.name)?.confirm ?? endpoint.confirm
  const { status, ...shown } = what
  const fields = standingFields(endpoint)
  replyPage(koa, status, StandingFormPage({ viewer: person, app, endpoint, accounts, keys, fields, asks, ...shown }))
}

async function ownStanding({ ctx, person, params }: Visit<'standing'>) {
  const id = params.standing
  const row = isStandingId(id) ? await findStanding(ctx.db, person.owner, id) : undefined
  if (row === undefined)
    throw new PageError(404, 'No such standing approval', 'You have no standing approval with this id.')
  return row
}
