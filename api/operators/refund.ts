import { refundCall } from '../../core/operators/operate.ts'
import type { Api } from '../http/api.ts'

/** An operator gives back what a call used; returns the credits, 0 when there were none to give. */
export async function refund(api: Api, callId: string, reason: string, actor: string): Promise<number> {
  const credits = await refundCall(api.ctx, callId, reason, actor)
  api.metrics.refunds.inc(credits)
  return credits
}
