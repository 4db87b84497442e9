import type { App, Endpoint } from '../runtime/app.ts'
import { openCursor, sealCursor } from '../runtime/cursor.ts'
import { withoutSecrets as withoutNested } from '../authoring/clean/nested.ts'
import { send } from '../runtime/http.ts'
import type { RawAnswer } from '../runtime/http.ts'
import type { Outcome } from '../runtime/outcome.ts'
import { readRecording } from './read.ts'
import { cursorKey } from './recording.ts'
import type { Recording, Step } from './recording.ts'
import { differences, replay } from './replay.ts'
import { Secrets, looksRandom } from './secrets.ts'
import { pageTokens, tokenNames, withoutTokens } from './tokens.ts'
import { writeRecording } from './write.ts'

/** Records the traffic between a connector and its app. */
export class Recorder {
  #steps: Step[] = []
  #unanswered: string | undefined

  /** In sending order. */
  get steps(): readonly Step[] {
    return this.#steps
  }

  /** The first request without an answer. */
  get unanswered(): string | undefined {
    return this.#unanswered
  }

  /** Sends a request and records the answer. */
  readonly send: typeof send = async (request, limits) => {
    const first = await send(request, limits)
    // The app may have just closed a kept-alive connection; repeating a GET is safe.
    const result = first.kind === 'lost' && request.method === 'GET' ? await send(request, limits) : first
    if (request.isCheck) return result
    if (result.kind === 'answer') this.#steps.push({ request, answer: result.answer })
    else this.#unanswered ??= `${request.method} ${request.url.href} was not answered: ${result.kind}`
    return result
  }

  /** Drops the recorded steps, to start over. */
  forget(): void {
    this.#steps = []
    this.#unanswered = undefined
  }
}

/** The input with its cursor sealed for recordings. `key`: what the cursor is sealed with now. */
export function inputForRecording(
  { app, name }: Pick<Endpoint, 'app' | 'name'>,
  input: Readonly<Record<string, unknown>>,
  key: Buffer,
): Readonly<Record<string, unknown>> {
  const { cursor } = input
  const id = `${app}.${name}`
  const place = typeof cursor === 'string' ? openCursor(key, id, cursor) : null
  // Recordings have no account.
  return place === null ? input : { ...input, cursor: sealCursor(cursorKey, id, { ...place, account: undefined }) }
}

/**
 * The recording file without secrets. `recording.expected` is the original outcome; a cursor in its
 * output is sealed with the recordings' key. Throws `NotAgain` if a replay without the app ends
 * differently.
 */
export async function recordingText(
  app: Pick<App, 'endpoints'>,
  endpoint: Endpoint,
  recording: Recording,
): Promise<string> {
  const kept = readRecording(withoutSecrets(endpoint, tokenNames(app.endpoints.values()), recording))
  const again = await replay(endpoint, kept)
  const expected = sameButForCursor(kept.expected, again.outcome)
  const different = differences({ ...kept, expected }, again)
  if (different.length > 0) throw new NotAgain(`what was recorded cannot be run again:\n${different.join('\n')}`)
  return withoutSecrets(endpoint, tokenNames(app.endpoints.values()), { ...recording, expected })
}

/** The replay differed; the message lists how, without secrets. */
export class NotAgain extends Error {}

/** The cursor is sealed with another key in a replay; everything else must match. */
function sameButForCursor(was: Outcome, is: Outcome | undefined): Outcome {
  if (was.kind !== 'ok' || is?.kind !== 'ok') return was
  const [before, now] = [was.output['next_cursor'], is.output['next_cursor']]
  if (typeof before !== 'string' || typeof now !== 'string') return was
  return { kind: 'ok', output: { ...was.output, next_cursor: now } }
}

function withoutSecrets(endpoint: Endpoint, names: ReadonlySet<string>, recording: Recording): string {
  const secrets = new Secrets()
  const { session, steps } = recording
  const cookies = session.cookies.map((cookie) => ({ ...cookie, value: secrets.hide(cookie.name, cookie.value) }))
  const tokens = Object.fromEntries(
    Object.entries(session.tokens ?? {}).map(([name, value]) => [name, secrets.hide(name, value)]),
  )
  const given = JSON.stringify(recording.input)
  const hidden = steps.map(({ request, answer }) => {
    for (const [name, value] of pageTokens(answer, names)) secrets.hide(name, value)
    // Short values may also be output, so only random-looking ones are replaced everywhere. The
    // caller's input is data.
    const found = (name: string, value: string): string =>
      looksRandom(value) && !given.includes(value) ? secrets.hide(name, value) : value
    for (const said of [request.url.href, ...Object.values(answer.headers), answer.text]) withoutNested(said, found)
    if (typeof request.body === 'string') withoutNested(request.body, found)
    return { request: withoutTokens(endpoint, request, secrets), answer: stripped(answer, recording.now, secrets) }
  })
  return secrets.hidden(writeRecording({ ...recording, session: { cookies, tokens }, steps: hidden }))
}

/** Headers that do not describe the result. */
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

/** Cookies expire over time; in a recording they stay, or are deleted with Max-Age=0. */
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
