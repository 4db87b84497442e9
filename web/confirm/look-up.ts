import { callRecord, openInput } from '../../core/calls/record.ts'
import type { CallRecord } from '../../core/calls/record.ts'
import { findCall } from '../../core/calls/rows.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import { limitToolCall } from '../../api/http/rate-limit.ts'
import { runCall } from '../../api/http/run-call.ts'
import { CallgateError } from '../../schemas/errors.ts'
import { isCallId } from '../../schemas/ids.ts'
import { inputFor, readsThatTell } from '../calls/reads-that-show.ts'
import { knownThings } from '../parts/known-things.ts'
import { openedCall } from '../parts/opened-call.ts'
import { parsedInput } from '../parts/parsed-input.ts'
import type { Posted, Visit } from '../visit.ts'

/** A read that the person made from the page of a call, to see what one of its ids stands for. */
export interface LookedUp {
  readonly row: CallRow
  readonly record: CallRecord
  readonly read: Endpoint | undefined
}

/** As long as a person watches a page load. */
const waitMs = 15_000

/**
 * Looks an id of a waiting call up in the app, as its key may and without credits. `page`: what shows what came of it. `problem`: why it was
 * not tried, such as that the key may not.
 */
export async function lookUp(
  { api, ctx, koa }: Posted<'call'>,
  found: CallRow,
  wanted: string,
): Promise<{ readonly page: string } | { readonly problem: string }> {
  const { row } = openedCall(ctx, found)
  const here = `/confirm/${row.id}`
  const app = ctx.apps.get(row.app)
  const write = app?.endpoints.get(row.endpoint)
  if (row.status !== 'awaiting_confirmation' || row.input === null || !app || !write) return { page: here }
  const input = openInput(ctx, row)
  const reads = readsThatTell(app, write, input, await knownThings(ctx, row)) ?? []
  const read = reads.find(({ name }) => name === wanted)
  if (read === undefined) return { page: here }
  const parsed = parsedInput(ctx, read, inputFor(app, write, input, read))
  // It takes more than the call says: the person fills it in.
  if (!parsed.ok) return { page: `/play/${app.slug}/${read.name}?call=${row.id}` }
  const key = { id: row.key_id, owner: row.owner }
  try {
    await limitToolCall(api, key)
    const { callId } = await runCall(api, {
      key,
      endpoint: { ...read, credits: 0 },
      address: koa.ip,
      input: parsed.input,
      account: row.account,
      idempotencyKey: undefined,
      waitMs,
    })
    return { page: `${here}?look=${callId}#look` }
  } catch (error) {
    if (!(error instanceof CallgateError)) throw error
    return { problem: error.message }
  }
}

/** The read that the address of the page names, where it is one of the call's account. */
export async function lookedUp({ ctx, koa, person }: Visit<'call'>, call: CallRow): Promise<LookedUp | undefined> {
  const id = koa.URL.searchParams.get('look') ?? ''
  const found = isCallId(id) ? await findCall(ctx.db, person.owner, id) : undefined
  if (found === undefined || found.access !== 'read' || found.account !== call.account) return undefined
  const { row } = openedCall(ctx, found)
  const read = ctx.apps.get(row.app)?.endpoints.get(row.endpoint)
  return { row, record: await callRecord(ctx, row), read }
}
