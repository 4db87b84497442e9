import { condition, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow'
import type { CallArgs, CallEnd, CallView } from '../schemas/call.ts'
import { words } from './words.ts'

/** What the workflow remembers besides its position in the code. */
export class CallState {
  view: CallView
  private wasNudged = false
  private onNudge: (() => void) | undefined

  constructor(args: CallArgs) {
    this.view = { phase: args.confirm ? 'deciding' : 'sending', retryAt: args.expiresAt }
    this.say(args.confirm ? words.deciding(args.expiresAt ?? 0) : words.sending(args.attempt))
  }

  look(): void {
    this.wasNudged = true
    this.onNudge?.()
  }

  /** One line in the Temporal UI. Not a command, so its text may change on replay. */
  say(line: string): void {
    setCurrentDetails(line)
  }

  /** Shows in the list of runs what a call waits for; a call that never waits does not call it. */
  enter(phase: CallView['phase'], retryAt: number | null = null): void {
    this.view = { phase, retryAt }
    this.wasNudged = false
    upsertSearchAttributes({
      CallgateWaitingFor: phase === 'sending' ? [] : [phase === 'deciding' ? 'confirmation' : phase],
    })
  }

  /**
   * The run must end right after, without an await: the server commits both or neither. No open run
   * has this in its history, and a release that does not know it can continue them all.
   */
  end(end: CallEnd): void {
    this.say(words.ended(end))
    upsertSearchAttributes({
      CallgateOutcome: [end.status],
      CallgateError: end.code === undefined ? [] : [end.code],
      CallgateWaitingFor: [],
    })
  }

  /** Resolves on a nudge. */
  async nudged(): Promise<void> {
    await condition(() => this.wasNudged)
    this.wasNudged = false
  }

  /** Resolves on a nudge, or at that timestamp (ms since the epoch). */
  async nudgedBefore(moment: number, summary: string): Promise<void> {
    await condition(() => this.wasNudged, Math.max(1, moment - Date.now()), { summary })
    this.wasNudged = false
  }

  /** Result of `doing`; undefined on a nudge. Few promises: the SDK takes a stack trace of each. */
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
