import { listAccounts } from '../../core/accounts/accounts.ts'
import { countUnresolved, listCalls } from '../../core/calls/rows.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import { readStatement } from '../../core/credits/statement.ts'
import { appNames } from '../parts/known-app.ts'
import { replyPage } from '../reply.ts'
import type { Visit } from '../visit.ts'
import { listWaiting } from '../calls/waiting-rows.ts'
import { callLines } from '../calls/call-lines.ts'
import type { CallLine } from '../calls/call-lines.ts'
import type { Context } from '../../core/context.ts'
import { callIdFrom } from '../../schemas/ids.ts'
import { HomePage } from './page.tsx'
import type { Week } from './page.tsx'

/** How the owner's calls of the last seven days ended. */
async function lastWeek(db: Context['db'], owner: string): Promise<Week> {
  const { rows } = await db.query<Week>(
    `SELECT count(*)::integer AS all, count(*) FILTER (WHERE status = 'executed')::integer AS done,
       count(*) FILTER (WHERE status = 'failed')::integer AS failed,
       count(*) FILTER (WHERE status = 'unknown' AND resolution IS NULL)::integer AS uncertain
     FROM calls WHERE owner = $1 AND id > $2`,
    [owner, callIdFrom(Date.now() - 7 * 86_400_000)],
  )
  return rows[0] ?? { all: 0, done: 0, failed: 0, uncertain: 0 }
}

/** What needs the person now, and what happened lately. */
export async function showHome({ ctx, koa, person }: Visit): Promise<void> {
  const { owner } = person
  const lines = async (rows: Promise<readonly CallRow[]>): Promise<CallLine[]> => callLines(ctx, await rows)
  const [waiting, unknown, unresolved, changes, latest, week, accounts, statement] = await Promise.all([
    lines(listWaiting(ctx.db, { owner, after: undefined, limit: 5 })),
    lines(listCalls(ctx.db, { owner, status: 'unknown', unresolved: true, limit: 20 })),
    countUnresolved(ctx.db, owner),
    lines(listCalls(ctx.db, { owner, access: 'write', decided: true, limit: 10 })),
    lines(listCalls(ctx.db, { owner, access: 'read', limit: 10 })),
    lastWeek(ctx.db, owner),
    listAccounts(ctx, owner),
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
      changes,
      latest: latest.slice(0, changes.length === 0 ? latest.length : 3),
      week,
      appNames: appNames(ctx.apps),
      accounts,
      balance: statement.balance,
    }),
  )
}
