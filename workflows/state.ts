import { condition, upsertSearchAttributes } from '@temporalio/workflow'
import type { CallArgs, CallView } from '../schemas/call.ts'

/** What the workflow remembers besides its place in the story. */
export class CallState {
  view: CallView
  private wasNudged = false
  private onNudge: (() => void) | undefined

  constructor(args: CallArgs) {
    this.view = { phase: args.confirm ? 'deciding' : 'sending', retryAt: args.expiresAt }
  }

  look(): void {
    this.wasNudged = true
    this.onNudge?.()
  }

  /** The list of runs shows what a call waits for; a call that waits for nothing never gets here. */
  enter(phase: CallView['phase'], retryAt: number | null = null): void {
    this.view = { phase, retryAt }
    this.wasNudged = false
    upsertSearchAttributes({
      CallgateWaitingFor: phase === 'sending' ? [] : [phase === 'deciding' ? 'confirmation' : phase],
    })
  }

  /** Returns at a nudge. */
  async nudged(): Promise<void> {
    await condition(() => this.wasNudged)
    this.wasNudged = false
  }

  /** Returns at a nudge, or at that moment (ms since the epoch). */
  async nudgedBefore(moment: number): Promise<void> {
    await condition(() => this.wasNudged, Math.max(1, moment - Date.now()))
    this.wasNudged = false
  }

  /** What `doing` comes to; undefined at a nudge. The SDK takes a stack trace for each promise: this is the least that does it. */
  async unlessNudged<T>(doing: Promise<T>): Promise<T | undefined> {
    const result = await new Promise<T | undefined>((resolve, reject) => {
      doing.then(resolve, reject)
      this.onNudge = () => resolve(undefined)
      if (this.wasNudged) resolve(undefined)
    })
    this.onNudge = undefined
    if (result === undefined) this.wasNudged = false
    return result
  }
}
