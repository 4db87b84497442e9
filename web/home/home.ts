import { listAccounts } from '../../core/accounts/accounts.ts'
import { countUnresolved, listCalls } from '../../core/calls/rows.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import { readStatement } from '../../core/credits/statement.ts'
import { appNames } from '../parts/known-app.ts'
import { replyPage } from '../reply.ts'
import type { Visit } from '../visit.ts'
import { callLines } from '../calls/call-lines.ts'
import type { CallLine } from '../calls/call-lines.ts'
import { HomePage } from './page.tsx'

/** What needs the person now, and what happened lately. */
export async function showHome({ ctx, koa, person }: Visit): Promise<void> {
  const { owner } = person
  const lines = async (rows: Promise<readonly CallRow[]>): Promise<CallLine[]> => callLines(ctx, await rows)
  const [waiting, unknown, unresolved, changes, latest, accounts, statement] = await Promise.all([
    lines(listCalls(ctx.db, { owner, status: 'awaiting_confirmation', limit: 5 })),
    lines(listCalls(ctx.db, { owner, status: 'unknown', unresolved: true, limit: 20 })),
    countUnresolved(ctx.db, owner),
    lines(listCalls(ctx.db, { owner, access: 'write', decided: true, limit: 10 })),
    lines(listCalls(ctx.db, { owner, limit: 10 })),
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
      latest: latest.filter(({ row }) => row.access === 'read').slice(0, 3),
      appNames: appNames(ctx.apps),
      accounts,
      balance: statement.balance,
    }),
  )
}
