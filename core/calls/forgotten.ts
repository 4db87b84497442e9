import { isFinal } from '../../schemas/call.ts'
import type { FinalStatus } from '../../schemas/call.ts'
import type { Context } from '../context.ts'
import { endForgotten } from './rows.ts'

/** Temporal saw a send that the row lacks: the database was restored from an older backup. */
export async function forgotten(ctx: Context, callId: string): Promise<FinalStatus> {
  ctx.log.error({ call: callId }, 'this database is older than the sending of a call, which ends as unknown')
  return finalOf(await endForgotten(ctx.db, callId))
}

/** The status of a call just settled. Throws if it is not final. */
export function finalOf(status: Parameters<typeof isFinal>[0]): FinalStatus {
  if (!isFinal(status)) throw new Error('a settled call is not final')
  return status
}
