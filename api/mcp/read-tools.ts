import { ProtocolError } from '@modelcontextprotocol/server'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { isFields } from '../../connectors/kit/wire.ts'
import { badTexts } from '../../connectors/runtime/validate.ts'
import { invalidInput } from '../../core/calls/invalid-input.ts'
import { limitToolCall } from '../../core/http/rate-limit.ts'
import { endpointFor } from './action-tools.ts'
import { withApp } from './call-arguments.ts'
import { ceiling, cutTo, leftOut } from './ceiling.ts'
import { moreFields } from './fields.ts'
import { sizeOf } from './fit.ts'
import { bodyOfThrown, callBody, isOutput, plainResult } from './results.ts'
import { callEndpoint } from './run.ts'
import type { ToolRequest } from './tool.ts'
import { annotations, closed, tool, wait } from './tool.ts'

/** Each is a call of its own, and counts as one. */
const mostReads = 10

const read = Type.Object(
  {
    app: Type.String(),
    action: Type.String(),
    input: Type.Object({}, { default: {}, additionalProperties: true }),
    account: Type.Optional(Type.String()),
    fields: moreFields,
  },
  closed,
)
type Read = Static<typeof read>

export const read_actions = tool({
  name: 'read_actions',
  description: `Up to ${mostReads} reads at once, each as for read_action; results are in their order, each with its own output or error.`,
  annotations: annotations.read,
  runs: 'read',
  input: Type.Object({ reads: Type.Array(read, { minItems: 1, maxItems: mostReads }), wait }, closed),
  meant: (args) =>
    isFields(args) && Array.isArray(args['reads']) ? { ...args, reads: args['reads'].map(withApp) } : args,
  async run({ reads, wait: seconds }, request) {
    const bad = reads.flatMap(({ input: __, ...texts }, at) => badTexts(texts, `reads.${at}`))
    if (bad.length > 0) throw invalidInput(bad)
    const results = await Promise.all(reads.map((one) => resultOf(request, one, seconds)))
    const { _meta, ...plain } = plainResult({ results: inOneAnswer(results) })
    const creditsUsed = results.reduce((sum, { credits_used: used = 0 }) => sum + used, 0)
    return {
      ...plain,
      // Only if all of them failed is the whole a failure.
      ...(results.every(({ error }) => error !== undefined) && { isError: true }),
      _meta: { ..._meta, 'callgate/content': 'data from the app', 'callgate/credits_used': creditsUsed },
    }
  },
})

interface Result {
  readonly app: string
  readonly action: string
  readonly status?: unknown
  readonly credits_used?: number
  readonly output?: unknown
  readonly error?: unknown
}

/** The outcome of one read; its failure does not affect the others. */
async function resultOf(request: ToolRequest, { app, action, ...rest }: Read, seconds: number): Promise<Result> {
  try {
    await limitToolCall(request.api, request.key)
    const endpoint = endpointFor(request, 'read', { app, action })
    const answer = await callEndpoint({ ...request, resumes: undefined }, { ...rest, endpoint, wait: seconds })
    const body = callBody(answer, rest.fields)
    const call = { app, action, call_id: answer.callId, credits_used: answer.creditsUsed }
    if (isOutput(answer)) return { ...call, status: 'executed', output: body }
    return answer.status < 400 ? { ...call, ...body } : { ...call, status: 'failed', error: body }
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown
    return { app, action, status: 'refused', error: bodyOfThrown(request, thrown) }
  }
}

/** Part of the note on each output that is cut. */
const readOn =
  "get_call with this call_id and a part's at and from, with the same fields, goes on, before any next_cursor."
/** Size of the field names around an output. */
const around = 60

/** Small outputs stay whole; the large ones share what is left of the ceiling equally. */
export function inOneAnswer(results: readonly Result[]): readonly object[] {
  const outputs = results.map(({ output }) => output).filter((output) => output !== undefined)
  const bare = results.map(({ output: __, ...result }) => result)
  let room = ceiling - sizeOf({ results: bare }) - around * (outputs.length + 1)
  let left = outputs.length
  const shares = new Map<unknown, number>()
  for (const output of outputs.toSorted((a, b) => sizeOf(a) - sizeOf(b))) {
    const share = Math.min(sizeOf(output), Math.floor(room / left))
    shares.set(output, share)
    room -= share
    left -= 1
  }
  return results.map((result, at) => {
    const { output } = result
    if (output === undefined) return result
    const { value, note } = cutTo(output, shares.get(output) ?? 0, readOn)
    return { ...(note && { [leftOut]: note }), ...bare[at], output: value ?? {} }
  })
}
