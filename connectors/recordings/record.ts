import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { App, Endpoint } from '../runtime/app.ts'
import { exchange } from '../runtime/exchange.ts'
import type { Exchange } from '../runtime/exchange.ts'
import type { Site } from '../runtime/site.ts'
import type { AppSession } from '../../schemas/session.ts'
import { cursorKey, kindProblem } from './recording.ts'
import { Recorder, recordingText } from './recorder.ts'

export interface RecordOptions {
  /** Its endpoints give the names of tokens, which any page of the app may hold. */
  readonly app: Pick<App, 'endpoints'>
  readonly endpoint: Endpoint
  /** The caller's input; a cursor must come from a recording. */
  readonly input: Readonly<Record<string, unknown>>
  readonly session: AppSession
  readonly site: Site
  /** What the recording shows: `success`, `signed_out`, `refused`, `not_found`, or another word. */
  readonly kind: string
  /** False: writes are not sent, so only what precedes them can be recorded. Default: true. */
  readonly mayAct?: boolean
}

export interface Recorded {
  /** The recording file, without secrets. */
  readonly text: string
  /** The original exchange with the app, secrets included. */
  readonly exchange: Exchange
}

/**
 * Runs an endpoint against its app, writes included, and records the exchange. Throws if the
 * outcome does not fit `kind`, or if the recording cannot be replayed.
 */
export async function record({ mayAct = true, ...options }: RecordOptions): Promise<Recorded> {
  const { app, endpoint, input, session, site, kind } = options
  const parsed = endpoint.parseInput(input, { cursorKey })
  if (!parsed.ok) throw new Error(`the input is not taken: ${JSON.stringify(parsed.details)}`)
  const now = new Date()
  const recorder = new Recorder()
  const done = await exchange({
    ...{ endpoint, session, cursorKey, now, input: parsed.input, ...site },
    fence: () => Promise.resolve(mayAct),
    trustsCookies: true,
    send: async (request, limits) => {
      const result = await recorder.send(request, limits)
      if (result.kind === 'fenced') throw new NotSent(`${request.method} ${request.url.pathname}`)
      if (recorder.unanswered !== undefined) throw new Error(recorder.unanswered)
      return result
    },
  })
  const { outcome } = done
  const problem = kindProblem(kind, outcome)
  if (problem !== undefined) throw new Error(`${problem}: it ended as ${JSON.stringify(outcome)}`)
  const { steps } = recorder
  const recording = { kind, origin: site.origin, now, session, input, steps, expected: outcome }
  const text = await recordingText(app, endpoint, recording)
  return { text, exchange: done }
}

/** The app did not refuse before the request that must not be sent. */
export class NotSent extends Error {
  constructor(request: string) {
    super(`${request} would be sent, and was not`)
  }
}

/** Saves a recording where `connector test` finds it: `recordings/<endpoint>/<name>.http`. */
export async function saveRecording(folder: string, endpoint: string, name: string, text: string): Promise<void> {
  const file = path.join(folder, 'recordings', endpoint, `${name}.http`)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
}
