import type { CallRow } from '../../core/calls/rows.ts'
import { findCallOf, listCallsOf } from '../../core/calls/covered.ts'
import type { ApiKey } from '../../core/keys/rows.ts'
import { cancelCall } from '../../core/approvals/decide.ts'
import { callRecord } from '../../core/calls/record.ts'
import type { CallRecord } from '../../core/calls/record.ts'
import { isFinal } from '../../schemas/call.ts'
import { CallgateError } from '../../schemas/errors.ts'
import { isCallId } from '../../schemas/ids.ts'
import type { Api } from '../../core/http/api.ts'
import type { CallsFilter } from './calls-query.ts'
import { sealCursor } from './list-cursor.ts'
import { waitForCall } from '../../core/http/wait.ts'

interface CallsPage {
  readonly calls: readonly CallRecord[]
  readonly next_cursor: string | null
}

/** Bytes of outputs at which a page of calls ends before its limit. */
const fullPage = 2 * 1024 * 1024

/** The room in an answer, and how much of it a value takes. */
interface Within {
  readonly room: number
  readonly sizeOf: (value: unknown) => number
}

/**
 * A page of the calls that the key sees, newest first: as many as requested, or fewer if their
 * outputs are large. `within`: without outputs, and as many as fit.
 */
export async function listOwnCalls(
  api: Api,
  { id, owner }: ApiKey,
  filter: CallsFilter,
  within?: Within,
): Promise<CallsPage> {
  const rows = await listCallsOf(api.ctx.db, id, { ...filter, limit: filter.limit + 1, maxBytes: fullPage })
  const page = rows.slice(0, filter.limit)
  const found = await Promise.all(
    page.map((row) => callRecord(api.ctx, within === undefined ? row : { ...row, output: null })),
  )
  const calls = within === undefined ? found : firstWithin(found, within)
  const last = (rows[0]?.found ?? 0) > calls.length ? calls.at(-1) : undefined
  return {
    calls,
    next_cursor: last === undefined ? null : sealCursor(api.ctx, { list: 'calls', owner }, last.call_id),
  }
}

/** At least one. */
function firstWithin(calls: readonly CallRecord[], { room, sizeOf }: Within): readonly CallRecord[] {
  let left = room
  const beyond = calls.findIndex((call) => (left -= sizeOf(call) + 1) < 0)
  return beyond === -1 ? calls : calls.slice(0, Math.max(1, beyond))
}

/** Throws unknown_call, alike for a call that does not exist and one that the key does not see. */
export async function ownCall(api: Api, key: ApiKey, id: string): Promise<CallRow> {
  const row = isCallId(id) ? await findCallOf(api.ctx.db, key.id, id) : undefined
  if (row === undefined) throw new CallgateError('unknown_call')
  return row
}

/** Throws unknown_call or not_cancellable. */
export async function cancelOwnCall(api: Api, key: ApiKey, id: string): Promise<CallRow> {
  await ownCall(api, key, id)
  await cancelCall(api.ctx, key.owner, id, key.id)
  return ownCall(api, key, id)
}

/** The call once it is final, or as it is when the wait ends. Throws unknown_call. */
export async function waitForOwnCall(api: Api, key: ApiKey, id: string, waitMs: number): Promise<CallRow> {
  const read = () => ownCall(api, key, id)
  if (waitMs === 0) return read()
  const ending = api.endings.expect(id)
  try {
    const row = await read()
    return isFinal(row.status) ? row : await waitForCall(api, ending, waitMs, read)
  } finally {
    ending.forget()
  }
}
