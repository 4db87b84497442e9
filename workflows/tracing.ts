import { proxySinks, workflowInfo } from '@temporalio/workflow'
import type { Sinks, WorkflowInterceptorsFactory } from '@temporalio/workflow'

/** Runs outside the workflow, once and never on replay. */
export interface TraceSinks extends Sinks {
  readonly traces: { ran(traceparent: string, workflow: string, from: number, to: number): void }
}

const { traces } = proxySinks<TraceSinks>()

/** Traces a run whose arguments carry a traceparent, from first to last task. Schedules nothing. */
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
