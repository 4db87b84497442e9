import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow'
import type { BareActivities, BareRequest } from './activities.ts'

const go = defineSignal('go')

const { request, reply } = proxyActivities<BareActivities>({
  taskQueue: 'bare.app',
  startToCloseTimeout: '90s',
  allowEagerDispatch: false,
})

/** The minimal durable call: one request, through its own task queue. */
export async function bare(wanted: BareRequest): Promise<number> {
  return request(wanted)
}

/** A write after a signal. */
export async function bareWaiting(wanted: BareRequest): Promise<number> {
  let told = false
  setHandler(go, () => {
    told = true
  })
  await condition(() => told)
  return reply(wanted)
}
