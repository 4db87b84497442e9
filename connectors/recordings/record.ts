import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { App, Endpoint } from '../runtime/app.ts'
import { exchange } from '../runtime/exchange.ts'
import type { Exchange } from '../runtime/exchange.ts'
import { send } from '../runtime/http.ts'
import type { RawAnswer } from '../runtime/http.ts'
import type { Site } from '../runtime/site.ts'
import type { AppSession } from '../../schemas/session.ts'
import { readRecording } from './read.ts'
import { cursorKey, kindProblem } from './recording.ts'
import type { Recording, Step } from './recording.ts'
import { differences, replay } from './replay.ts'
import { Secrets } from './secrets.ts'
import { pageTokens, tokenNames, withoutTokens } from './tokens.ts'
import { writeRecording } from './write.ts'

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
export async function record({ app, endpoint, input, session, site, kind }: RecordOptions): Promise<Recorded> {
  const parsed = endpoint.parseInput(input, { cursorKey })
  if (!parsed.ok) throw new Error(`the input is not taken: ${JSON.stringify(parsed.details)}`)
  const now = new Date()
  const steps: Step[] = []
  const done = await exchange({
    ...{ endpoint, session, cursorKey, now, input: parsed.input, ...site },
    fence: () => Promise.resolve(true),
    send: async (request, limits) => {
      const result = await send(request, limits)
      if (result.kind !== 'answer')
        throw new Error(`${request.method} ${request.url.href} was not answered: ${result.kind}`)
      steps.push({ request, answer: result.answer })
      return result
    },
  })
  const { outcome } = done
  const problem = kindProblem(kind, outcome)
  if (problem !== undefined) throw new Error(`${problem}: it ended as ${JSON.stringify(outcome)}`)
  const recording = { kind, origin: site.origin, now, session, input, steps, expected: outcome }
  return { text: await repeatable(app, endpoint, recording), exchange: done }
}

/** The file of a recording, without secrets. Throws where it could not be run again. */
export async function repeatable(
  app: Pick<App, 'endpoints'>,
  endpoint: Endpoint,
  recording: Recording,
): Promise<string> {
  const text = withoutSecrets(endpoint, tokenNames(app.endpoints.values()), recording)
  const kept = readRecording(text)
  const again = differences(kept, await replay(endpoint, kept))
  if (again.length > 0) throw new Error(`what was recorded cannot be run again:\n${again.join('\n')}`)
  return text
}

/** Puts it where `connector test` looks for it: `recordings/<endpoint>/<name>.http` in the connector's folder. */
export async function saveRecording(folder: string, endpoint: string, name: string, text: string): Promise<void> {
  const file = path.join(folder, 'recordings', endpoint, `${name}.http`)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
}

function withoutSecrets(endpoint: Endpoint, names: ReadonlySet<string>, recording: Recording): string {
  const secrets = new Secrets()
  const { session, steps } = recording
  const cookies = session.cookies.map((cookie) => ({ ...cookie, value: secrets.hide(cookie.name, cookie.value) }))
  const tokens = Object.fromEntries(
    Object.entries(session.tokens ?? {}).map(([name, value]) => [name, secrets.hide(name, value)]),
  )
  const hidden = steps.map(({ request, answer }) => {
    for (const [name, value] of pageTokens(answer, names)) secrets.hide(name, value)
    return { request: withoutTokens(endpoint, request, secrets), answer: stripped(answer, recording.now, secrets) }
  })
  return secrets.hidden(writeRecording({ ...recording, session: { cookies, tokens }, steps: hidden }))
}

/** Headers that say nothing of what the app did. */
const silent = new Set(
  'accept-ranges age alt-svc cache-control connection content-encoding content-language content-length content-security-policy content-security-policy-report-only cross-origin-embedder-policy cross-origin-opener-policy cross-origin-resource-policy date etag expires keep-alive last-modified nel p3p permissions-policy pragma referrer-policy report-to reporting-endpoints server server-timing strict-transport-security transfer-encoding vary via x-content-type-options x-frame-options x-powered-by x-xss-protection'.split(
    ' ',
  ),
)

function stripped(answer: RawAnswer, now: Date, secrets: Secrets): RawAnswer {
  const headers = Object.entries(answer.headers).filter(([name]) => !silent.has(name))
  return {
    ...answer,
    headers: Object.fromEntries(headers),
    setCookies: answer.setCookies.map((line) => cookieLine(line, now, secrets)),
  }
}

/** A cookie's days are over some time: in a recording it stays, or is ended. */
function cookieLine(line: string, now: Date, secrets: Secrets): string {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
  const at = pair.indexOf('=')
  const name = at < 0 ? '' : pair.slice(0, at).trim()
  const value = at < 0 ? pair : pair.slice(at + 1).trim()
  const ended = attributes.some((part) => {
    const [key = '', said = ''] = part.split('=')
    if (/^max-age$/i.test(key)) return Number(said) <= 0
    return /^expires$/i.test(key) && Date.parse(said) <= now.getTime()
  })
  const others = attributes.filter((part) => !/^(?:expires|max-age)\b/i.test(part))
  return [`${name}=${secrets.hide(name, value)}`, ...others, ...(ended ? ['Max-Age=0'] : [])].join('; ')
}
