import { Type } from 'typebox'
import { callRecord } from '../../core/calls/record.ts'
import { callStatuses } from '../../schemas/call.ts'
import { cancelOwnCall, listOwnCalls, waitForOwnCall } from '../http/call-records.ts'
import { callsFilter, callsQuery } from '../http/calls-query.ts'
import { orUnavailable } from '../http/unavailable.ts'
import { plainResult } from './results.ts'
import { annotations, closed, text, tool, wait } from './tool.ts'

const call_id = text('The call_id of an earlier answer.')

const recordSchema = {
  type: 'object',
  required: ['call_id', 'app', 'endpoint', 'status', 'credits_used'],
  properties: { status: { enum: callStatuses } },
} as const

const get_call = tool({
  name: 'get_call',
  description:
    'A call: its status, output or error. Waits for its end. awaiting_confirmation = nothing sent, the person must open confirm_url; unknown = it may have happened, look in the app before trying again.',
  annotations: annotations.look,
  input: Type.Object({ call_id, wait }, closed),
  output: recordSchema,
  run: (args, { api, key }) =>
    orUnavailable('read', async () =>
      plainResult(await callRecord(api.ctx, await waitForOwnCall(api, key, args.call_id, args.wait * 1000))),
    ),
})

/** Outputs are in a tool's answer twice, as text and as structure. */
const fullPage = 512 * 1024

const list_calls = tool({
  name: 'list_calls',
  description: 'The calls made with your key, newest first.',
  annotations: annotations.look,
  input: callsQuery,
  output: {
    type: 'object',
    required: ['calls', 'next_cursor'],
    properties: {
      calls: { type: 'array' },
      next_cursor: { type: ['string', 'null'] },
    },
  },
  async run(args, { api, key }) {
    const filter = callsFilter(api, key.owner, args)
    return orUnavailable('read', async () => plainResult(await listOwnCalls(api, key, filter, fullPage)))
  },
})

const cancel_call = tool({
  name: 'cancel_call',
  description: 'Cancel a call that has not been sent.',
  annotations: annotations.cancel,
  input: Type.Object({ call_id }, closed),
  output: recordSchema,
  run: (args, { api, key }) =>
    orUnavailable('cancel', async () =>
      plainResult(await callRecord(api.ctx, await cancelOwnCall(api, key, args.call_id))),
    ),
})

export const callTools = [get_call, list_calls, cancel_call] as const
