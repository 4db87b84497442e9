import { isDeepStrictEqual } from 'node:util'
import type { Endpoint } from '../runtime/app.ts'
import { exchange } from '../runtime/exchange.ts'
import type { HttpLimits, HttpRequest, HttpResult } from '../runtime/http.ts'
import type { Outcome } from '../runtime/outcome.ts'
import { cursorKey } from './recording.ts'
import type { Recording } from './recording.ts'
import { pretty, requestText } from './write.ts'

/** Result of replaying an endpoint without the app. */
export interface Replayed {
  /** Undefined: the replay stopped at an unrecorded request. */
  readonly outcome?: Outcome
  /** The first request that differs from the recorded one. */
  readonly another?: {
    readonly step: number
    readonly method: string
    readonly recorded: string
    readonly sent: string
  }
  /** Number of requests made. */
  readonly asked: number
}

/** Runs the endpoint once. Answers are given in order, each only to its recorded request. */
export async function replay(endpoint: Endpoint, recording: Recording): Promise<Replayed> {
  const { origin, session, now, steps } = recording
  const input = parsedInput(endpoint, recording)
  let asked = 0
  const send = async (request: HttpRequest, limits: HttpLimits): Promise<HttpResult> => {
    const step = steps[asked++]
    const sent = requestText(request, origin)
    const recorded = step ? requestText(step.request, origin) : ''
    if (step === undefined || sent !== recorded) throw new AnotherRequest(request.method, recorded, sent)
    if (limits.fence && !(await limits.fence())) return { kind: 'fenced', sent: false }
    return { kind: 'answer', sent: true, answer: step.answer }
  }
  try {
    const { outcome } = await exchange({
      ...{ endpoint, input, origin, cursorKey, now, send },
      session: { ...session, user_agent: null },
      fence: () => Promise.resolve(true),
      trustsCookies: true,
    })
    return { outcome, asked }
  } catch (error) {
    if (!(error instanceof AnotherRequest)) throw error
    const { method, recorded, sent } = error
    return { another: { step: asked, method, recorded, sent }, asked }
  }
}

/** Differences from the recording, as lines for the connector's author; empty: none. */
export function differences(recording: Recording, { outcome, another, asked }: Replayed): readonly string[] {
  if (another?.recorded === '') return [`it asks for more than was recorded: request ${another.step} is`, another.sent]
  if (another) return [`request ${another.step} is another:`, ...diff(another.recorded, another.sent)]
  if (outcome === undefined) return ['it came to nothing']
  const { expected, steps } = recording
  const left = steps.slice(asked).map(({ request }) => `it does not ask for ${request.method} ${request.url.pathname}`)
  if (isDeepStrictEqual(plain(outcome), plain(expected))) return left
  const [was, is] = [expected, outcome].map((one) => pretty(one.kind === 'ok' ? one.output : one))
  return [
    `it came to ${outcome.kind === 'ok' ? 'another output' : outcome.kind}:`,
    ...diff(was ?? '', is ?? ''),
    ...left,
  ]
}

/** Throws if the endpoint rejects the input. */
function parsedInput(endpoint: Endpoint, { input }: Recording): Readonly<Record<string, unknown>> {
  const parsed = endpoint.parseInput(input, { cursorKey })
  if (parsed.ok) return parsed.input
  throw new Error(
    `the input is not taken: ${parsed.details.map(({ path, message }) => `${path} ${message}`).join('; ')}`,
  )
}

function plain(outcome: Outcome): unknown {
  return JSON.parse(JSON.stringify(outcome))
}

class AnotherRequest extends Error {
  readonly method: string
  readonly recorded: string
  readonly sent: string
  constructor(method: string, recorded: string, sent: string) {
    super('another request than the recorded one')
    this.method = method
    this.recorded = recorded
    this.sent = sent
  }
}

const mostLines = 40

/** Lines that differ, removed ones with a minus, added ones with a plus; cut after 40 lines. */
function diff(was: string, is: string): readonly string[] {
  const [before, after] = [was.split('\n'), is.split('\n')]
  let same = 0
  while (same < before.length && same < after.length && before[same] === after[same]) same++
  let end = 0
  while (end < Math.min(before.length, after.length) - same && before.at(-1 - end) === after.at(-1 - end)) end++
  const lines = [
    ...before.slice(Math.max(0, same - 2), same).map((line) => `  ${line}`),
    ...before.slice(same, before.length - end).map((line) => `- ${line}`),
    ...after.slice(same, after.length - end).map((line) => `+ ${line}`),
  ]
  return lines.length > mostLines ? [...lines.slice(0, mostLines), '  …'] : lines
}
