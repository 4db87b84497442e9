import { refundCall } from './operate.ts'
import type { Context } from '../context.ts'
import type { Metrics } from './metrics.ts'

/** Refunds a call and counts it in the metrics; returns the credits, 0 if none. */
export async function refund(
  { ctx, metrics }: { readonly ctx: Context; readonly metrics: Metrics },
  callId: string,
  reason: string,
  actor: string,
): Promise<number> {
  const credits = await refundCall(ctx, callId, reason, actor)
  metrics.refunds.inc(credits)
  return credits
}
