import { isVoid } from '../../core/approvals/render.ts'
import type { Context } from '../../core/context.ts'
import { approvalHash, approvalNeedsPasskey, decideCall, equalCallsLately } from '../../core/approvals/decide.ts'
import { readDemands } from '../../core/approvals/passkey-demands.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import { listKeys } from '../../core/keys/keys.ts'
import type { KeyView } from '../../core/keys/keys.ts'
import { openInput, openWhy } from '../../core/calls/record.ts'
import { CallgateError } from '../../schemas/errors.ts'
import { knownThingsByAccount } from '../parts/known-things.ts'
import { WaitingCount } from '../parts/layout.tsx'
import { replyPage, replyPart, seeOther } from '../reply.ts'
import type { Posted, Visit } from '../visit.ts'
import { askedAgain } from '../confirm/again.ts'
import { readReason } from '../confirm/reason.tsx'
import type { Reason } from '../confirm/reason.tsx'
import { openedCall } from '../parts/opened-call.ts'
import { riddlesIn } from '../confirm/unresolved.tsx'
import type { Asking } from '../queries.ts'
import { headlineOf } from '../parts/headline.ts'
import { withTold } from '../parts/told.ts'
import { openFiles } from '../../core/files/files.ts'
import { formOf } from '../parts/form-view.ts'
import { toldOf } from '../parts/told-view.ts'
import type { WaitingCall } from './waiting-call.ts'
import { NewWaiting, WaitingPage } from './waiting-page.tsx'
import { listWaiting, newestWaiting } from './waiting-rows.ts'
import { isCallId } from '../../schemas/ids.ts'

/** Page size. */
const shown = 50

/** Waiting calls, each expandable in full: first to expire first. */
export async function showWaiting(visit: Visit): Promise<void> {
  await reply(visit)
}

/** Ticks and reason of a form that decided nothing. */
interface Refused {
  readonly ticked: readonly string[]
  readonly reason: Reason
}

async function reply({ ctx, koa, person }: Visit, refused?: Refused): Promise<void> {
  const { owner } = person
  const { searchParams } = koa.URL
  const asked = searchParams.get('after') ?? ''
  const after = isCallId(asked) ? asked : undefined
  const [rows, keys, newest, demands] = await Promise.all([
    listWaiting(ctx.db, { owner, after, limit: shown + 1 }),
    listKeys(ctx.db, owner),
    newestWaiting(ctx.db, owner),
    readDemands(ctx.db, owner),
  ])
  const thingsOf = knownThingsByAccount(ctx)
  const calls = rows.slice(0, shown).map(async (found): Promise<WaitingCall> => {
    const { row, legible } = openedCall(ctx, found)
    const app = ctx.apps.get(row.app)
    const endpoint = app?.endpoints.get(row.endpoint)
    const input = legible ? openInput(ctx, row) : undefined
    const told = toldOf(ctx, row, { app, endpoint }, input)
    const things = withTold(await thingsOf(row), { app, endpoint }, told.things, row.previewed_at)
    return {
      row,
      asking: askingOf(keys, row),
      equal: await equalCallsLately(ctx, row),
      appName: app?.name ?? row.app,
      endpoint,
      content: input && { input, hash: approvalHash(ctx, row) },
      things,
      headline: headlineOf({ app, endpoint, name: row.endpoint, input, told: told.seen, things }),
      riddles: riddlesIn(endpoint, input, things, told),
      told,
      files: openFiles(ctx, row),
      form: formOf(ctx, row),
      again: await askedAgain(ctx, row, { app, endpoint }),
      why: openWhy(ctx, row),
      changed: isVoid(ctx, row),
      off: ctx.apps.broken.has(row.app),
      isOfAdded: app?.added !== undefined,
      needsPasskey: legible && approvalNeedsPasskey(ctx, row, demands),
    }
  })
  replyPage(
    koa,
    refused === undefined ? 200 : 422,
    WaitingPage({
      viewer: person,
      calls: await Promise.all(calls),
      unclear: refused?.ticked,
      reason: refused?.reason,
      newest,
      isFirst: after === undefined,
      next: rows.length > shown ? rows[shown - 1]?.id : undefined,
      decided: Number(searchParams.get('decided') ?? 0),
      stale: Number(searchParams.get('stale') ?? 0),
      passkey: Number(searchParams.get('passkey') ?? 0),
    }),
  )
}

function askingOf(keys: readonly KeyView[], { key_id: id }: CallRow): Asking {
  const key = keys.find((one) => one.id === id)
  return { name: key?.name ?? id, isGrant: (key?.granted_for ?? null) !== null }
}

/** Number of waiting calls, for the menu of an open page. */
export function countWaiting({ koa, person }: Visit): void {
  replyPart(koa, WaitingCount({ waiting: person.waiting }))
}

/** Number of calls that arrived after the call id `after`, for an open list. */
export async function newWaiting({ ctx, koa, person }: Visit): Promise<void> {
  const asked = koa.URL.searchParams.get('after') ?? ''
  const { rows } = await ctx.db.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM calls WHERE owner = $1 AND status = 'awaiting_confirmation' AND id > $2`,
    [person.owner, isCallId(asked) ? asked : ''],
  )
  replyPart(koa, NewWaiting({ count: rows[0]?.count ?? 0 }))
}

/** Decides the ticked calls, each on exactly what was shown. */
export async function decideTicked(posted: Posted): Promise<void> {
  const { ctx, koa, person, form } = posted
  const decision = form.get('decision')
  const ticked = form.all('call').slice(0, shown)
  const reason = readReason(form)
  if ((decision !== 'approve' && decision !== 'reject') || ticked.length === 0 || reason.tooLong)
    return reply(posted, { ticked, reason })
  let decided = 0
  let passkey = 0
  for (const one of ticked) {
    const [callId = '', hash = ''] = one.split(' ')
    const wanted = {
      owner: person.owner,
      callId,
      hash,
      decision: decision === 'approve' ? 'approved' : 'rejected',
      reason: reason.text || undefined,
    } as const
    const result = await decideOne(ctx, wanted)
    if (result === 'decided') decided += 1
    if (result === 'passkey') passkey += 1
  }
  const wanting = passkey === 0 ? '' : `&passkey=${passkey}`
  seeOther(koa, `/waiting?decided=${decided}&stale=${ticked.length - decided - passkey}${wanting}`)
}

async function decideOne(ctx: Context, wanted: Parameters<typeof decideCall>[1]): ReturnType<typeof decideCall> {
  if (!isCallId(wanted.callId)) return 'stale'
  try {
    return await decideCall(ctx, wanted)
  } catch (error) {
    // Made up, or another user's: reported like one that was decided elsewhere.
    if (error instanceof CallgateError && error.code === 'unknown_call') return 'stale'
    throw error
  }
}
