import type { Context } from '../../core/context.ts'
import { listCalls } from '../../core/calls/rows.ts'
import { approvalHash, decideCall, equalCallsLately } from '../../core/approvals/decide.ts'
import { listKeys } from '../../core/keys/keys.ts'
import { openInput } from '../../core/calls/record.ts'
import { CallgateError } from '../../schemas/errors.ts'
import { knownThingsByAccount } from '../parts/known-things.ts'
import { WaitingCount } from '../parts/layout.tsx'
import { replyPage, replyPart, seeOther } from '../reply.ts'
import type { Posted, Visit } from '../visit.ts'
import { openedCall } from '../parts/opened-call.ts'
import type { WaitingCall } from './waiting-call.ts'
import { NewWaiting, WaitingPage } from './waiting-page.tsx'
import type { EndsFirst } from './waiting-page.tsx'
import { isCallId } from '../../schemas/ids.ts'

/** So many are shown in full; the others come up as these are decided. */
const shown = 20

/** All calls that wait, each in full. */
export async function showWaiting(visit: Visit): Promise<void> {
  await reply(visit)
}

/** `unclear`: what was ticked when the form did not say enough. */
async function reply({ ctx, koa, person }: Visit, unclear?: readonly string[]): Promise<void> {
  const { owner } = person
  const [rows, keys] = await Promise.all([
    listCalls(ctx.db, { owner, status: 'awaiting_confirmation', limit: shown + 1 }),
    listKeys(ctx.db, owner),
  ])
  const thingsOf = knownThingsByAccount(ctx)
  const calls = rows.slice(0, shown).map(async (found): Promise<WaitingCall> => {
    const { row } = openedCall(ctx, found)
    const app = ctx.apps.get(row.app)
    return {
      row,
      keyName: keys.find(({ id }) => id === row.key_id)?.name ?? row.key_id,
      equal: await equalCallsLately(ctx, row),
      appName: app?.name ?? row.app,
      endpoint: app?.endpoints.get(row.endpoint),
      content: row.input === null ? undefined : { input: openInput(ctx, row), hash: approvalHash(ctx, row) },
      things: await thingsOf(row),
      changed: app?.definitionVersion !== row.definition_version,
      off: ctx.apps.broken.has(row.app),
    }
  })
  const { searchParams } = koa.URL
  replyPage(
    koa,
    unclear === undefined ? 200 : 422,
    WaitingPage({
      viewer: person,
      calls: await Promise.all(calls),
      unclear,
      more: rows.length > shown ? await endsFirst(ctx.db, owner) : undefined,
      decided: Number(searchParams.get('decided') ?? 0),
      stale: Number(searchParams.get('stale') ?? 0),
    }),
  )
}

async function endsFirst(db: Context['db'], owner: string): Promise<EndsFirst | undefined> {
  const { rows } = await db.query<EndsFirst>(
    `SELECT id, expires_at AS ends FROM calls WHERE owner = $1 AND status = 'awaiting_confirmation'
       AND expires_at > clock_timestamp() ORDER BY expires_at, id LIMIT 1`,
    [owner],
  )
  return rows[0]
}

/** How many wait, for the menu of a page that is open. */
export function countWaiting({ koa, person }: Visit): void {
  replyPart(koa, WaitingCount({ waiting: person.waiting }))
}

/** For the page that shows those that wait: whether more have come since, after the call id `after`. */
export async function newWaiting({ ctx, koa, person }: Visit): Promise<void> {
  const asked = koa.URL.searchParams.get('after') ?? ''
  const { rows } = await ctx.db.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM calls WHERE owner = $1 AND status = 'awaiting_confirmation' AND id > $2`,
    [person.owner, isCallId(asked) ? asked : ''],
  )
  replyPart(koa, NewWaiting({ count: rows[0]?.count ?? 0 }))
}

/** Decides those that were ticked, each about exactly what was shown. */
export async function decideTicked(posted: Posted): Promise<void> {
  const { ctx, koa, person, form } = posted
  const decision = form.get('decision')
  const ticked = form.all('call').slice(0, shown)
  if ((decision !== 'approve' && decision !== 'reject') || ticked.length === 0) return reply(posted, ticked)
  let decided = 0
  for (const one of ticked) {
    const [callId = '', hash = ''] = one.split(' ')
    const wanted = {
      owner: person.owner,
      callId,
      hash,
      decision: decision === 'approve' ? 'approved' : 'rejected',
    } as const
    if ((await decideOne(ctx, wanted)) === 'decided') decided += 1
  }
  seeOther(koa, `/waiting?decided=${decided}&stale=${ticked.length - decided}`)
}

async function decideOne(ctx: Context, wanted: Parameters<typeof decideCall>[1]): Promise<'decided' | 'stale'> {
  if (!isCallId(wanted.callId)) return 'stale'
  try {
    return await decideCall(ctx, wanted)
  } catch (error) {
    // Made up, or somebody else's: told like one that was decided elsewhere.
    if (error instanceof CallgateError && error.code === 'unknown_call') return 'stale'
    throw error
  }
}
