import { proxySinks, workflowInfo } from '@temporalio/workflow'
import type { Sinks, WorkflowInterceptorsFactory } from '@temporalio/workflow'

/** Told outside of the workflow, once and never at a replay. */
export interface TraceSinks extends Sinks {
  readonly traces: { ran(traceparent: string, workflow: string, from: number, to: number): void }
}

const { traces } = proxySinks<TraceSinks>()

/** The run of a call that is traced, from its first task to its last: its arguments say of which trace it is part. It schedules nothing by it. */
export const interceptors: WorkflowInterceptorsFactory = () => ({
  inbound: [
    {
      async execute(input, next) {
        const { traceparent } = (input.args[0] ?? {}) as { readonly traceparent?: unknown }
        if (typeof traceparent !== 'string') return next(input)
        const from = Date.now()
        try {
          return await next(input)
        } finally {
          traces.ran(traceparent, workflowInfo().workflowType, from, Date.now())
        }
      },
    },
  ],
})
