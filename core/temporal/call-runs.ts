import {
  QueryNotRegisteredError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/client'
import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common'
import type { CallArgs, CallView } from '../../schemas/call.ts'
import type { Context } from '../context.ts'
import { errorName } from '../error-labels.ts'
import { traced, traceparent } from '../tracing.ts'
import { signalToSend } from './call-signals.ts'
import type { CallSignal } from './call-signals.ts'
import { after, within } from './deadline.ts'
import { callQueue } from './task-queues.ts'

const attribute = (name: string) => defineSearchAttributeKey(name, SearchAttributeType.KEYWORD)

interface Starting {
  /** Start also if an earlier run has ended; otherwise that counts as started. */
  readonly again?: boolean
  /** No client waits: allow a longer workflow task timeout, for a slow Temporal. */
  readonly patient?: boolean
}

/** Starts the call's workflow. False: Temporal did not accept it; the sweeper retries. */
export async function startCall(ctx: Context, args: CallArgs, how: Starting = {}): Promise<boolean> {
  return traced('start', { attributes: { 'callgate.call': args.callId } }, () => start(ctx, args, how))
}

async function start(ctx: Context, args: CallArgs, { again, patient }: Starting): Promise<boolean> {
  const trace = traceparent()
  try {
    await within(ctx, 5_000, () =>
      ctx.temporal.workflow.start('call', {
        workflowId: args.callId,
        taskQueue: callQueue,
        args: [{ ...args, showsOutcome: true, ...(trace !== undefined && { traceparent: trace }) }],
        memo: { access: args.access, approval: args.confirm, accepted_at: new Date(args.acceptedAt).toISOString() },
        requestEagerStart: true,
        workflowIdReusePolicy: again ? 'ALLOW_DUPLICATE' : 'REJECT_DUPLICATE',
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowTaskTimeout: patient ? '10s' : '3s',
        staticSummary: `${args.app}.${args.endpoint} (${args.confirm ? 'after approval' : args.access}) for ${args.account}`,
        staticDetails: `[The call in Callgate, for operators](${ctx.config.adminUrl}/calls/${args.callId})`,
        typedSearchAttributes: new TypedSearchAttributes([
          { key: attribute('CallgateApp'), value: args.app },
          { key: attribute('CallgateEndpoint'), value: args.endpoint },
          { key: attribute('CallgateOwner'), value: args.owner },
          { key: attribute('CallgateAccount'), value: args.account },
          ...(args.confirm ? [{ key: attribute('CallgateWaitingFor'), value: 'confirmation' }] : []),
        ]),
      }),
    )
    // Already decided: its timer would fire only after a second.
    if (args.expiresAt === args.acceptedAt) await nudgeCall(ctx, args.callId)
    return true
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return true
    ctx.log.warn(
      { call: args.callId, reason: errorName(error) },
      'the engine did not take a call; the sweeper will start it',
    )
    return false
  }
}

/** Signals a call's workflow to reload its row. False: lost; the sweeper repeats it. */
export async function nudgeCall(ctx: Context, callId: string, why: CallSignal = 'nudge'): Promise<boolean> {
  try {
    if (!ctx.engine.up) return false
    await within(ctx, 2_000, () => ctx.temporal.workflow.getHandle(callId).signal(signalToSend(why)))
    return true
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return true
    ctx.log.warn({ call: callId, reason: errorName(error) }, 'a nudge was not delivered; the sweeper will repeat it')
    return false
  }
}

/** Resolves when the run is over or unavailable, or after `ms`. Only the row has the outcome. */
export async function runOver(ctx: Context, callId: string, ms: number): Promise<void> {
  try {
    await ctx.temporal.connection.withDeadline(Date.now() + ms, () => ctx.temporal.workflow.getHandle(callId).result())
  } catch (error) {
    ctx.log.debug({ call: callId, reason: errorName(error) }, 'no result from the engine')
  }
}

/** Queries the call's workflow. 'missing': no such run; undefined: no answer within 500 ms. */
export function viewCall(ctx: Context, callId: string): Promise<CallView | 'missing' | undefined> {
  const running = ctx.engine.views.get(callId)
  if (running !== undefined) return running
  const asked = ctx.temporal.workflow
    .getHandle(callId)
    .query<CallView>('view')
    .catch((error: unknown) => {
      if (error instanceof WorkflowNotFoundError) return 'missing' as const
      if (!(error instanceof QueryNotRegisteredError)) {
        ctx.log.debug({ call: callId, reason: errorName(error) }, 'a view query failed')
      }
      return undefined
    })
    .finally(() => ctx.engine.views.delete(callId))
  // A native connection retries queries past their deadline, hence a timer here.
  const answer = Promise.race([asked, after(500)])
  ctx.engine.views.set(callId, answer)
  return answer
}
