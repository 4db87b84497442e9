import { defineQuery, setHandler, workflowInfo } from '@temporalio/workflow'
import type { CallArgs, FinalStatus } from '../../schemas/call.ts'
import { call as unaltered } from '../../workflows/call.ts'

/** The workflow on a machine that takes 1.2 s to answer a query. */
export async function call(args: CallArgs): Promise<FinalStatus> {
  setHandler(defineQuery('slowly'), () => {
    const { now } = workflowInfo().unsafe
    for (const until = now() + 1_200; now() < until;);
  })
  return unaltered(args)
}
