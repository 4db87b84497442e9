import { callRecord, openInput } from '../../core/calls/record.ts'
import type { CallRecord } from '../../core/calls/record.ts'
import { findCall } from '../../core/calls/rows.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import { limitToolCall } from '../../core/http/rate-limit.ts'
import { runCall } from '../../core/http/run-call.ts'
import { CallgateError } from '../../schemas/errors.ts'
import { isCallId } from '../../schemas/ids.ts'
import { inputFor, readsThatTell } from '../calls/reads-that-show.ts'
import { knownThings } from '../parts/known-things.ts'
import { openedCall } from '../parts/opened-call.ts'
import { parsedInput } from '../parts/parsed-input.ts'
import type { Posted, Visit } from '../visit.ts'

/** A read that the approver ran from the approval page to identify an id of the call. */
export interface LookedUp {
  readonly row: CallRow
  readonly record: CallRecord
  readonly read: Endpoint | undefined
}

/** How long the approver waits for the page, in ms. */
const waitMs = 15_000

/**
 * Reads the entity behind an id of a waiting call, with the key's rights and without credits.
 * `page`: the page that shows the result. `problem`: why the read was not tried.
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
  // It needs more input than the call has: the user fills it in.
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

/** The read named in the page's query, if it used the call's account. */
export async function lookedUp({ ctx, koa, person }: Visit<'call'>, call: CallRow): Promise<LookedUp | undefined> {
  const id = koa.URL.searchParams.get('look') ?? ''
  const found = isCallId(id) ? await findCall(ctx.db, person.owner, id) : undefined
  if (found === undefined || found.access !== 'read' || found.account !== call.account) return undefined
  const { row } = openedCall(ctx, found)
  const read = ctx.apps.get(row.app)?.endpoints.get(row.endpoint)
  return { row, record: await callRecord(ctx, row), read }
}
