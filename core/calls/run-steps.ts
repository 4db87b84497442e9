import { WorkflowNotFoundError } from '@temporalio/client'
import type { temporal } from '@temporalio/proto'
import type { Context } from '../context.ts'
import type { SendOutcome } from '../../schemas/call.ts'
import { errorName } from '../error-labels.ts'
import { within } from '../temporal/deadline.ts'
import { values } from './history.ts'

type Event = temporal.api.history.v1.IHistoryEvent

/** An event of one attempt to send. */
export interface RunStep {
  readonly kind: 'queued' | 'taken' | 'returned'
  readonly at: Date
  /** Milliseconds since the previous event: in the queue, or with the app. */
  readonly after: number
  /** The outcome of an attempt that returned; undefined: Temporal does not say. */
  readonly outcome?: SendOutcome['kind'] | undefined
}

/** When each attempt was queued, taken and returned; undefined: Temporal does not answer now. */
export async function runSteps(ctx: Context, callId: string): Promise<readonly RunStep[] | undefined> {
  if (!ctx.engine.up) return undefined
  try {
    const handle = ctx.temporal.workflow.getHandle(callId)
    const { events } = await within(ctx, 2_000, () => handle.fetchHistory())
    return stepsOf(events ?? [])
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError))
      ctx.log.warn({ call: callId, reason: errorName(error) }, 'the history of a run could not be read')
    return undefined
  }
}

function stepsOf(events: readonly Event[]): readonly RunStep[] {
  const times = new Map<string, Date>()
  const steps: RunStep[] = []
  const note = (kind: RunStep['kind'], event: Event, since: string | undefined): void => {
    const at = timeOf(event)
    const before = since === undefined ? at : times.get(since)
    if (before === undefined) return
    times.set(since ?? String(event.eventId), at)
    const outcome = kind === 'returned' ? outcomeOf(event) : undefined
    steps.push({ kind, at, after: at.getTime() - before.getTime(), ...(outcome && { outcome }) })
  }
  for (const event of events) {
    const started = event.activityTaskStartedEventAttributes
    const ended =
      event.activityTaskCompletedEventAttributes ??
      event.activityTaskFailedEventAttributes ??
      event.activityTaskTimedOutEventAttributes
    if (event.activityTaskScheduledEventAttributes?.activityType?.name === 'send') note('queued', event, undefined)
    else if (started) note('taken', event, String(started.scheduledEventId))
    else if (ended) note('returned', event, String(ended.scheduledEventId))
  }
  return steps
}

const outcomes: readonly SendOutcome['kind'][] = [
  'final',
  'blocked',
  'rate_limited',
  'reconnect',
  'asked_again',
  'again',
]

/** For display only: anyone with access to Temporal can write histories. */
function outcomeOf(event: Event): SendOutcome['kind'] | undefined {
  const [outcome] = values(event.activityTaskCompletedEventAttributes?.result)
  if (typeof outcome !== 'object' || outcome === null || !('kind' in outcome)) return undefined
  return outcomes.find((kind) => kind === outcome.kind)
}

function timeOf({ eventTime }: Event): Date {
  return new Date(Number(String(eventTime?.seconds ?? 0)) * 1000 + (eventTime?.nanos ?? 0) / 1e6)
}
