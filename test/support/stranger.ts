import { randomUUID } from 'node:crypto'
import { defaultPayloadConverter } from '@temporalio/common'
import { msToTs } from '@temporalio/common/lib/time.js'
import proto from '@temporalio/proto'
import type { temporal } from '@temporalio/proto'
import { grpc, grpcCode } from '../../core/temporal/grpc.ts'
import type { Stack } from '../harness.ts'

type Command = temporal.api.command.v1.ICommand
type Event = temporal.api.history.v1.IHistoryEvent

const payloads = (values: readonly unknown[]) => ({
  payloads: values.map((value) => defaultPayloadConverter.toPayload(value)),
})
const { CommandType, EventType, WorkflowTaskFailedCause } = proto.temporal.api.enums.v1
const answers = new Set([
  EventType.EVENT_TYPE_ACTIVITY_TASK_COMPLETED,
  EventType.EVENT_TYPE_ACTIVITY_TASK_FAILED,
  EventType.EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT,
])

/** What became of an activity: its result, or the type of its failure. */
export interface Asked {
  readonly result?: unknown
  readonly failure?: string
}

/**
 * Somebody who reaches the engine's port and nothing else: a run of theirs, under any id and of any type, that does what they say, one
 * workflow task after the other.
 */
export class StrangersRun {
  readonly #stack: Stack
  readonly #queue = `stranger-${randomUUID()}`
  #task: { readonly token: Uint8Array; readonly events: readonly Event[] } | undefined

  private constructor(stack: Stack) {
    this.#stack = stack
  }

  /** Takes the place of the run that there is. `plan`: what it is started with. */
  static async start(stack: Stack, id: string, type = 'call', plan: unknown = null): Promise<StrangersRun> {
    const run = new StrangersRun(stack)
    await stack.ctx.temporal.workflow.start(type, {
      workflowId: id,
      taskQueue: run.#queue,
      args: [plan],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'TERMINATE_EXISTING',
    })
    return run
  }

  /** Has an activity run on any queue, with anything as arguments, and says what it came to. */
  async ask(activity: string, taskQueue: string, ...args: readonly unknown[]): Promise<Asked> {
    await this.#do({
      commandType: CommandType.COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK,
      scheduleActivityTaskCommandAttributes: {
        activityId: randomUUID(),
        activityType: { name: activity },
        taskQueue: { name: taskQueue },
        input: payloads(args),
        startToCloseTimeout: msToTs('20s'),
        scheduleToCloseTimeout: msToTs('20s'),
        retryPolicy: { maximumAttempts: 1 },
      },
    })
    const { events } = await this.#next()
    const event = events.findLast(({ eventType }) => eventType != null && answers.has(eventType))
    const [result] = event?.activityTaskCompletedEventAttributes?.result?.payloads ?? []
    if (event?.activityTaskCompletedEventAttributes)
      return { result: result ? defaultPayloadConverter.fromPayload(result) : undefined }
    return { failure: event?.activityTaskFailedEventAttributes?.failure?.applicationFailureInfo?.type ?? 'timeout' }
  }

  /** Ends itself as if all had gone well. */
  async complete(result: unknown): Promise<void> {
    await this.#do({
      commandType: CommandType.COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION,
      completeWorkflowExecutionCommandAttributes: { result: payloads([result]) },
    })
  }

  /** Its worker cannot do this task. */
  async fail(): Promise<void> {
    const { token } = this.#task ?? (await this.#next())
    this.#task = undefined
    await this.#stack.ctx.temporal.workflowService.respondWorkflowTaskFailed({
      taskToken: token,
      cause: WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_WORKFLOW_WORKER_UNHANDLED_FAILURE,
      namespace: this.#stack.ctx.config.temporalNamespace,
    })
  }

  async #do(one: Command): Promise<void> {
    const { token } = this.#task ?? (await this.#next())
    this.#task = undefined
    await this.#stack.ctx.temporal.workflowService.respondWorkflowTaskCompleted({
      taskToken: token,
      commands: [one],
      namespace: this.#stack.ctx.config.temporalNamespace,
    })
  }

  async #next() {
    const { temporalNamespace: namespace } = this.#stack.ctx.config
    for (;;) {
      const poll = { namespace, taskQueue: { name: this.#queue }, identity: 'stranger' }
      const task = await this.#stack.ctx.temporal.workflowService.pollWorkflowTaskQueue(poll).catch(cutOff)
      if (task === undefined || task.taskToken.length === 0) continue
      this.#task = { token: task.taskToken, events: task.history?.events ?? [] }
      return this.#task
    }
  }
}

/** A slow server ends a long poll so. */
function cutOff(error: unknown): undefined {
  const code = grpcCode(error)
  if (code !== grpc.cancelled && code !== grpc.deadlineExceeded) throw error
}
