import { csvOf, replyCsv } from '../../core/http/csv.ts'
import type { Context } from '../../core/context.ts'
import type { CallFilter } from '../../core/calls/find.ts'
import type { Visit } from '../visit.ts'
import { askersOf, filterOf, readChosen } from './filter.ts'
import { foundCalls } from './find-calls.ts'
import type { Found } from './find-calls.ts'

const columns = [
  'call_id',
  'asked_at',
  'ended_or_changed_at',
  'app',
  'account',
  'action',
  'about',
  'kind',
  'asked_by',
  'status',
  'decision',
  'decided_at',
  'happened',
  'error',
  'credits_used',
] as const

const piece = 500

/** CSV export of all calls that the list page would show, streamed. */
export async function sendCalls({ ctx, koa, person }: Visit): Promise<void> {
  const askers = await askersOf(ctx.db, person.owner)
  const { filter, words } = filterOf(person.owner, readChosen(koa.URL.searchParams, ctx.apps, askers), askers)
  const today = new Date().toISOString().slice(0, 10)
  await replyCsv(koa, `callgate-calls-${today}`, csvOf(columns, linesOf(ctx, filter, words)))
}

async function* linesOf(
  ctx: Context,
  filter: CallFilter,
  words: readonly string[],
): AsyncGenerator<readonly ReturnType<typeof cellsOf>[]> {
  for await (const { found } of foundCalls(ctx, filter, words, piece)) yield found.map(cellsOf)
}

function cellsOf({ row, line }: Found) {
  return {
    call_id: row.id,
    asked_at: row.created_at,
    ended_or_changed_at: row.updated_at,
    app: line.appName,
    account: row.account_label,
    action: line.action,
    about: line.gist ?? null,
    kind: row.access === 'write' ? 'change' : 'look-up',
    asked_by: row.key_name,
    status: row.status,
    decision: row.decision,
    decided_at: row.decided_at,
    happened: row.resolution && (row.resolution.happened ? 'yes' : 'no'),
    error: line.refusal ?? row.error_code,
    credits_used: row.credits_used,
  }
}
