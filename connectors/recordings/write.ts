import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { isJson } from '../kit/content-type.ts'
import { accepted } from '../runtime/browser.ts'
import type { HttpRequest, RawAnswer } from '../runtime/http.ts'
import type { Recording } from './recording.ts'

/** A recording as a readable, diffable file; `readRecording` parses it. */
export function writeRecording(recording: Recording): string {
  const { kind, origin, now, session, input, steps, expected } = recording
  const head = [
    `kind: ${kind}`,
    `origin: ${origin}`,
    `now: ${now.toISOString()}`,
    ...session.cookies.map(
      ({ name, value, domain, path }) => `cookie: ${name}=${value}; domain=${domain}; path=${path}`,
    ),
    ...Object.entries(session.tokens ?? {}).map(([name, value]) => `storage: ${name}=${value}`),
  ]
  const sections = [
    head.join('\n'),
    section('input', pretty(input)),
    ...steps.flatMap(({ request, answer }) => [
      section('request', requestText(request, origin)),
      section('answer', answerText(answer)),
    ]),
    expected.kind === 'ok' ? section('output', pretty(expected.output)) : section('failure', pretty(expected)),
  ]
  return `${sections.join('\n\n')}\n`
}

/** A request as recorded, without browser and session headers; equal texts, equal requests. */
export function requestText({ method, url, headers, body }: HttpRequest, origin: string): string {
  const at = url.origin === new URL(origin).origin ? url.pathname + url.search : url.href
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  const lines = named.filter(([name, value]) => !isOfBrowser(name, value))
  const head = [`${method} ${at}`, ...lines.map(([name, value]) => `${name}: ${value}`)].join('\n')
  if (body === null) return head
  return `${head}\n\n${typeof body === 'string' ? bodyText(headers['content-type'], body) : bytesText(body)}`
}

/** Text is kept, with CRLF as LF; other bytes become size and hash. */
function bytesText(body: Buffer): string {
  if (isUtf8(body)) return body.toString().replaceAll('\r\n', '\n')
  return `${body.length} bytes, sha256 ${createHash('sha256').update(body).digest('hex')}`
}

function answerText({ status, headers, setCookies, text }: RawAnswer): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const cookies = setCookies.map((line) => `set-cookie: ${line}`)
  const head = [String(status), ...lines, ...cookies].join('\n')
  return text === '' ? head : `${head}\n\n${bodyText(headers['content-type'], text)}`
}

/** Pretty-prints JSON and puts form fields on lines of their own; the meaning stays. */
function bodyText(type = '', body: string): string {
  if (type.startsWith('application/x-www-form-urlencoded')) return body.replaceAll('&', '\n&')
  if (!isJson(type)) return body
  try {
    return pretty(JSON.parse(body))
  } catch (error) {
    // Labelled as JSON but invalid: kept as it is.
    if (error instanceof SyntaxError) return body
    throw error
  }
}

const ofBrowser = new Set(
  'accept-encoding accept-language cookie origin referer upgrade-insecure-requests user-agent'.split(' '),
)
const usuallyAccepted: ReadonlySet<string> = new Set([accepted('json'), accepted('page')])

function isOfBrowser(name: string, value: string): boolean {
  return ofBrowser.has(name) || name.startsWith('sec-') || (name === 'accept' && usuallyAccepted.has(value))
}

/** A body line that looks like a section header gets a leading backslash. */
function section(name: string, content: string): string {
  return `=== ${name}\n${content.replaceAll(/^(\\*===)/gm, String.raw`\$1`)}`
}

export function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
