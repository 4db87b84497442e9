import { condition, upsertSearchAttributes } from '@temporalio/workflow'
import type { CallPlan, CallView } from '../schemas/call.ts'

/** What the workflow remembers besides its place in the story. */
export class CallState {
  view: CallView
  nudged = false

  constructor(plan: CallPlan) {
    this.view = { phase: plan.confirm ? 'deciding' : 'sending', retryAt: plan.expiresAt }
  }

  look(): void {
    this.nudged = true
  }

  /** The list of runs shows what a call waits for; a call that waits for nothing never gets here. */
  enter(phase: CallView['phase'], retryAt: number | null = null): void {
    this.view = { phase, retryAt }
    this.nudged = false
    upsertSearchAttributes({ CallgateWaitingFor: phase === 'sending' ? [] : [phase] })
  }

  /** Returns at a nudge, or at that moment (ms since the epoch). */
  async nudgedBefore(moment: number): Promise<void> {
    await condition(() => this.nudged, Math.max(1, moment - Date.now()))
    this.nudged = false
  }
}
