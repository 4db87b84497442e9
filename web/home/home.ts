import { listAccounts } from '../../core/accounts/accounts.ts'
import { countUnresolved, listCalls } from '../../core/calls/rows.ts'
import { readStatement } from '../../core/credits/statement.ts'
import { appNames } from '../parts/known-app.ts'
import { replyPage } from '../reply.ts'
import type { Visit } from '../visit.ts'
import { callLines } from '../calls/call-lines.ts'
import { HomePage } from './page.tsx'

/** What needs the person now, and what happened lately. */
export async function showHome({ ctx, koa, person }: Visit): Promise<void> {
  const { owner } = person
  const [waiting, unknown, unresolved, changes, latest, accounts, statement] = await Promise.all([
    listCalls(ctx.db, { owner, status: 'awaiting_confirmation', limit: 5 }),
    listCalls(ctx.db, { owner, status: 'unknown', unresolved: true, limit: 20 }),
    countUnresolved(ctx.db, owner),
    listCalls(ctx.db, { owner, access: 'write', decided: true, limit: 10 }),
    listCalls(ctx.db, { owner, limit: 10 }),
    listAccounts(ctx, owner),
    readStatement(ctx.db, { owner, key: null, month: null, before: null, limit: 1 }),
  ])
  replyPage(
    koa,
    200,
    HomePage({
      viewer: person,
      waiting: callLines(ctx, waiting),
      unknown: callLines(ctx, unknown),
      unresolved,
      changes: callLines(ctx, changes),
      latest: callLines(ctx, latest.filter(({ access }) => access === 'read').slice(0, 3)),
      appNames: appNames(ctx.apps),
      accounts,
      balance: statement.balance,
    }),
  )
}
