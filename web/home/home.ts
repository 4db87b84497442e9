import type { Context } from '../../core/context.ts'
import { findCalls } from '../../core/calls/find.ts'
import type { CallFilter } from '../../core/calls/find.ts'
import { countUnresolved } from '../../core/calls/rows.ts'
import { readStatement } from '../../core/credits/statement.ts'
import { callsByDayAndApp } from '../../core/credits/usage-days.ts'
import { callIdFrom } from '../../schemas/ids.ts'
import { callLines } from '../calls/call-lines.ts'
import type { CallLine, ListedRow } from '../calls/call-lines.ts'
import { listWaiting } from '../calls/waiting-rows.ts'
import { appNames } from '../parts/known-app.ts'
import { knownThingsByAccount } from '../parts/known-things.ts'
import { replyPage } from '../reply.ts'
import type { Visit } from '../visit.ts'
import { firstDay, latelyOf } from './days.ts'
import { accountNeeds } from './needs.ts'
import { HomePage } from './page.tsx'

/** For each list, at most this many of the owner's newest calls are searched. */
const looks = 5_000
const weekMs = 7 * 86_400_000

/** What needs the user now, recent failures, recent activity, and credits. */
export async function showHome({ ctx, koa, person }: Visit): Promise<void> {
  const { owner } = person
  const now = Date.now()
  const first = firstDay(now)
  const from = callIdFrom(now - weekMs)
  const thingsOf = knownThingsByAccount(ctx)
  const lines = async (rows: Promise<readonly ListedRow[]>): Promise<CallLine[]> => callLines(ctx, await rows, thingsOf)
  const newest = (most: number, filter: Omit<CallFilter, 'owner'>): Promise<CallLine[]> =>
    lines(newestOf(ctx, { owner, ...filter }, most))
  const [waiting, unknown, unresolved, failed, expired, changes, reads, counted, needs, statement] = await Promise.all([
    lines(listWaiting(ctx.db, { owner, after: undefined, limit: 5 })),
    newest(20, { status: 'unknown', unresolved: true }),
    countUnresolved(ctx.db, owner),
    newest(3, { status: 'failed', from }),
    newest(3, { status: 'expired', from }),
    newest(5, { access: 'write', decided: true }),
    newest(10, { access: 'read' }),
    callsByDayAndApp(ctx.db, { owner, from: first }),
    accountNeeds(ctx, owner),
    readStatement(ctx.db, { owner, key: null, month: null, before: null, limit: 1 }),
  ])
  replyPage(
    koa,
    200,
    HomePage({
      viewer: person,
      waiting,
      unknown,
      unresolved,
      wrong: [...failed, ...expired].toSorted((a, b) => (a.row.id < b.row.id ? 1 : -1)).slice(0, 3),
      changes,
      reads: reads.slice(0, changes.length === 0 ? reads.length : 3),
      lately: latelyOf(counted, first),
      needs,
      appOf: (slug) => ctx.apps.get(slug),
      appNames: appNames(ctx.apps),
      statement,
    }),
  )
}

async function newestOf({ db }: Pick<Context, 'db'>, filter: CallFilter, most: number): Promise<readonly ListedRow[]> {
  for await (const { calls } of findCalls(db, filter, { most, looks })) return calls
  return []
}
