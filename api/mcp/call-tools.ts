import { Type } from 'typebox'
import { checkMetadata } from '../../core/calls/metadata.ts'
import { callRecord } from '../../core/calls/record.ts'
import { cancelOwnCall, listOwnCalls, waitForOwnCall } from '../http/call-records.ts'
import { callsFilter, callsQuery } from '../http/calls-query.ts'
import { orUnavailable } from '../../core/http/unavailable.ts'
import { metadata } from './call-arguments.ts'
import { carded } from './card.ts'
import { ceiling } from './ceiling.ts'
import { sizeOf } from './fit.ts'
import { moreFields } from './fields.ts'
import { withMessage } from './record-message.ts'
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
      at: Type.Optional(Type.String({ description: 'Reads on in the output: at and from of callgate_left_out.' })),
      from: Type.Integer({ minimum: 0, default: 0 }),
    },
    closed,
  ),
  run: (args, request) =>
    orUnavailable('read', async () => {
      const { api, key, client } = request
      const record = await callRecord(api.ctx, await waitForOwnCall(api, key, args.call_id, args.wait * 1000))
      const endpoint = api.ctx.apps.get(record.app)?.endpoints.get(record.endpoint)
      const told = withMessage(record, endpoint)
      const result = plainResult(recordPart(told, args, endpoint?.outputSchema))
      const waits = record.status === 'awaiting_confirmation'
      return waits && client.showsCards ? carded(request, { callId: record.call_id }, result) : result
    }),
})

/** What the rest of such an answer takes of the ceiling. */
const envelope = 300

const list_calls = tool({
  name: 'list_calls',
  description: 'Your calls, newest first, without outputs: get_call has those.',
  annotations: annotations.look,
  input: Type.Object({ ...callsQuery.properties, metadata }, closed),
  async run(args, { api, key }) {
    const wanted = args.metadata && checkMetadata(args.metadata, 'metadata')
    const filter = callsFilter(api, key.owner, { ...args, metadata: wanted })
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
      plainResult(withMessage(await callRecord(api.ctx, await cancelOwnCall(api, key, args.call_id)), undefined)),
    ),
})

export const callTools = [get_call, list_calls, cancel_call] as const
