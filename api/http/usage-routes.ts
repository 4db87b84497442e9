import type Router from '@koa/router'
import type { ApiKey } from '../../core/keys/rows.ts'
import { currentMonth, readStatement, readWholeMonth } from '../../core/credits/statement.ts'
import type { Entry } from '../../core/credits/statement.ts'
import type { Api, Http } from '../../core/http/api.ts'
import { authenticate } from './authenticate.ts'
import { keyLimits } from '../../core/http/rate-limit.ts'
import { noCursor, openCursor, sealCursor } from './list-cursor.ts'
import { allowMethods } from './method.ts'
import { readLimit, readQuery } from './query.ts'
import type { Query } from './query.ts'
import { csvOf, replyCsv } from '../../core/http/csv.ts'

/** GET /usage: balance and a month's credits, as far as the key sees the calls; also as CSV. */
export function usageRoutes(router: Router, api: Api): void {
  router.all('/usage', async (http) => {
    const key = await authenticate(api, http, keyLimits.records)
    allowMethods(http, 'GET', 'HEAD')
    http.vary('Accept')
    if (wantsCsv(http)) await replyMonth(api, http, key)
    else http.body = await statement(api, key, http.querystring)
  })
}

/** `?format` decides; without it, what the client prefers. */
function wantsCsv(http: Http): boolean {
  const format = new URLSearchParams(http.querystring).get('format')
  return format === null ? http.accepts('application/json', 'text/csv') === 'text/csv' : format === 'csv'
}

async function statement(api: Api, { id: key, owner }: ApiKey, querystring: string): Promise<unknown> {
  const query = readQuery(querystring, ['month', 'limit', 'cursor', 'format'])
  const { format } = query.values
  if (format !== undefined && format !== 'json') query.refuse('format', 'must be json or csv')
  const asked = readMonth(query)
  const limit = readLimit(query)
  const scope = { list: 'usage', owner } as const
  // A cursor keeps its month: the first page may have been read in the previous one.
  const { cursor } = query.values
  const position = cursor === undefined ? undefined : openCursor(api.ctx, scope, cursor)
  if (cursor !== undefined && position === undefined) query.refuse('cursor', noCursor)
  const [cursorMonth, before = null] = position?.split('/') ?? []
  if (asked !== undefined && cursorMonth !== undefined && asked !== cursorMonth)
    query.refuse('cursor', `is of the month ${cursorMonth}`)
  query.check()
  const wanted = { owner, key, month: asked ?? cursorMonth ?? null, before, limit: limit + 1 }
  const { balance, month, totals, entries } = await readStatement(api.ctx.db, wanted)
  const page = entries.slice(0, limit)
  const last = entries.length > page.length ? page.at(-1) : undefined
  return {
    plan: balance.plan,
    monthly_credits: balance.monthly_credits,
    credits_left: balance.credits_left,
    credits_reserved: balance.credits_reserved,
    next_credits_at: balance.next_credits_at.toISOString(),
    month,
    totals,
    entries: page.map(shown),
    next_cursor: last === undefined ? null : sealCursor(api.ctx, scope, `${month}/${last.id}`),
  }
}

/** Without its ledger number, which counts the entries of all users. */
function shown({ at, kind, credits, change, reserved_change, call_id, app, endpoint, note }: Entry) {
  return {
    at: at.toISOString(),
    kind,
    credits,
    change,
    reserved_change,
    ...(call_id !== null && { call_id, app, endpoint }),
    ...(note !== null && { note }),
  }
}

const columns = ['at', 'kind', 'credits', 'change', 'reserved_change', 'call_id', 'app', 'endpoint', 'note'] as const

/** The whole month, oldest first. */
async function replyMonth(api: Api, http: Http, { id: key, owner }: ApiKey): Promise<void> {
  const query = readQuery(http.querystring, ['month', 'format'])
  const asked = readMonth(query)
  query.check()
  const month = asked ?? (await currentMonth(api.ctx.db))
  await replyCsv(http, `callgate-usage-${month}`, csvOf(columns, readWholeMonth(api.ctx.db, { owner, key }, month)))
}

function readMonth(query: Query): string | undefined {
  const { month } = query.values
  if (month !== undefined && !/^2\d{3}-(0[1-9]|1[0-2])$/.test(month))
    query.refuse('month', 'must be a month as YYYY-MM')
  return month
}
