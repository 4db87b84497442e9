import { sleep } from '@temporalio/workflow'
import type { CallArgs, FinalStatus } from '../../schemas/call.ts'
import { call as unaltered } from '../../workflows/call.ts'

/** The workflow with one more step, not guarded by `patched()`: no history of today may replay under it. */
export async function call(args: CallArgs): Promise<FinalStatus> {
  await sleep('1s')
  return unaltered(args)
}
