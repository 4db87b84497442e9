import { isFinal } from '../../schemas/call.ts'
import type { FinalStatus } from '../../schemas/call.ts'
import type { Context } from '../context.ts'
import { endForgotten } from './rows.ts'

/** The engine saw a write go out, and the row knows nothing of it: this database was put back to an older copy. */
export async function forgotten(ctx: Context, callId: string): Promise<FinalStatus> {
  ctx.log.error({ call: callId }, 'this database is older than the sending of a call, which ends as unknown')
  return finalOf(await endForgotten(ctx.db, callId))
}

/** The status of a call that was just settled. */
export function finalOf(status: Parameters<typeof isFinal>[0]): FinalStatus {
  if (!isFinal(status)) throw new Error('a settled call is not final')
  return status
}
