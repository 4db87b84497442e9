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
  /** Whose endpoints say how tokens are called, which any page of it may have. */
  readonly app: Pick<App, 'endpoints'>
  readonly endpoint: Endpoint
  /** As a caller gives it; a cursor is one that a recording gave. */
  readonly input: Readonly<Record<string, unknown>>
  readonly session: AppSession
  readonly site: Site
  /** What it is to show: `success`, `signed_out`, `refused`, `not_found`, or another word. */
  readonly kind: string
  /** False: a write is not sent, so that only what is read before it can be recorded. Default: it is. */
  readonly mayAct?: boolean
}

export interface Recorded {
  /** The file, without secrets. */
  readonly text: string
  /** As it was with the app, session and all. */
  readonly exchange: Exchange
}

/**
 * Runs an endpoint against its app, writes included, and keeps what was said. Throws where it did not show what it was to show, and where what was
 * kept could not be run again.
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

/** Nothing said no before the request that was not to be sent. */
export class NotSent extends Error {
  constructor(request: string) {
    super(`${request} would be sent, and was not`)
  }
}

/** Puts it where `connector test` looks for it: `recordings/<endpoint>/<name>.http` in the connector's folder. */
export async function saveRecording(folder: string, endpoint: string, name: string, text: string): Promise<void> {
  const file = path.join(folder, 'recordings', endpoint, `${name}.http`)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
}
