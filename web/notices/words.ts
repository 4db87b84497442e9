import type { Context } from '../../core/context.ts'
import { findCall } from '../../core/calls/rows.ts'
import type { CallWords } from '../../core/notices/message.ts'
import { callLines } from '../calls/call-lines.ts'

type WordsOf = (owner: string, callIds: readonly string[]) => Promise<ReadonlyMap<string, CallWords>>

/** Names calls in notifications as the pages do. Omits calls of other owners. */
export function noticeWords(ctx: Context): WordsOf {
  return async (owner, callIds) => {
    const rows = await Promise.all(callIds.map((id) => findCall(ctx.db, owner, id)))
    const lines = await callLines(
      ctx,
      rows.flatMap((row) => row ?? []),
    )
    return new Map(lines.map(({ row, appName, action, gist }) => [row.id, { app: appName, action, gist }]))
  }
}
