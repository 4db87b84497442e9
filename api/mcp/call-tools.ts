import { Type } from 'typebox'
import { callRecord } from '../../core/calls/record.ts'
import { cancelOwnCall, listOwnCalls, waitForOwnCall } from '../http/call-records.ts'
import { callsFilter, callsQuery } from '../http/calls-query.ts'
import { orUnavailable } from '../http/unavailable.ts'
import { carded } from './card.ts'
import { ceiling } from './ceiling.ts'
import { sizeOf } from './fit.ts'
import { moreFields } from './fields.ts'
import { recordPart } from './record-part.ts'
import { plainResult } from './results.ts'
import { annotations, closed, text, tool, wait } from './tool.ts'

const call_id = text('The call_id of an earlier answer.')

const get_call = tool({
  name: 'get_call',
  description:
    'A call: its status, output or error. Waits for its end. awaiting_confirmation = nothing sent, the person must open confirm_url; unknown = it may have happened, look in the app before trying again.',
  annotations: annotations.look,
  input: Type.Object(
    {
      call_id,
      wait,
      fields: moreFields,
      at: Type.Optional(text('Reads on in the output: at and from of callgate_left_out.')),
      from: Type.Integer({ minimum: 0, default: 0 }),
    },
    closed,
  ),
  run: (args, request) =>
    orUnavailable('read', async () => {
      const { api, key, client } = request
      const record = await callRecord(api.ctx, await waitForOwnCall(api, key, args.call_id, args.wait * 1000))
      const endpoint = api.ctx.apps.get(record.app)?.endpoints.get(record.endpoint)
      const result = plainResult(recordPart(record, args, endpoint?.outputSchema))
      const waits = record.status === 'awaiting_confirmation'
      return waits && client.showsCards ? carded(request, { callId: record.call_id }, result) : result
    }),
})

/** Of the ceiling, what the rest of such an answer takes. */
const envelope = 300

const list_calls = tool({
  name: 'list_calls',
  description: 'Your calls, newest first, without outputs: get_call has those.',
  annotations: annotations.look,
  input: callsQuery,
  async run(args, { api, key }) {
    const filter = callsFilter(api, key.owner, args)
    const within = { room: ceiling - envelope, sizeOf }
    return orUnavailable('read', async () => plainResult(await listOwnCalls(api, key, filter, within)))
  },
})

const cancel_call = tool({
  name: 'cancel_call',
  description: 'Cancel a call that has not been sent.',
  annotations: annotations.cancel,
  input: Type.Object({ call_id }, closed),
  run: (args, { api, key }) =>
    orUnavailable('cancel', async () =>
      plainResult(await callRecord(api.ctx, await cancelOwnCall(api, key, args.call_id))),
    ),
})

export const callTools = [get_call, list_calls, cancel_call] as const
