import type { Method } from '../kit/request-line.ts'
import { isFields } from '../kit/wire.ts'
import type { Fields } from '../kit/wire.ts'
import type { HttpRequest, RawAnswer } from '../runtime/http.ts'
import type { Outcome } from '../runtime/outcome.ts'
import type { SessionCookie } from '../../schemas/session.ts'
import { kindProblem } from './recording.ts'
import type { Recording, Step } from './recording.ts'
import { isPlaceholder, placeholder } from './secrets.ts'

interface Section {
  readonly name: string
  readonly content: string
  /** Line on which its content begins. */
  readonly line: number
}

/** Parses a recording. Throws the problem with its line number, also for an unhidden secret. */
export function readRecording(text: string): Recording {
  const [head, ...sections] = sectionsOf(text.replace(/\n$/, ''))
  if (head === undefined) throw new Error('1: it is empty')
  const said = linesOf(head.content).map((line, at) => pairOf(line, head.line + at))
  const one = (wanted: string): string => {
    const found = said.find(([name]) => name === wanted)?.[1]
    return found ?? fail(head, `"${wanted}: …" is missing`)
  }
  const [input, last] = [sections.at(0), sections.at(-1)]
  if (input?.name !== 'input') return fail(input ?? head, 'the first section is not "=== input"')
  if (last === undefined || (last.name !== 'output' && last.name !== 'failure'))
    return fail(last ?? head, 'the last section is neither "=== output" nor "=== failure"')
  const origin = originOf(one('origin'), head)
  const now = new Date(one('now'))
  if (Number.isNaN(now.getTime())) fail(head, '"now: …" is no moment such as 2026-01-31T12:00:00.000Z')
  const recording: Recording = {
    kind: one('kind'),
    origin,
    now,
    session: {
      cookies: said.flatMap(([name, value, line]) => (name === 'cookie' ? [cookieOf(value, line)] : [])),
      tokens: Object.fromEntries(
        said.flatMap(([name, value, line]) => (name === 'storage' ? [secretOf(value, line, 'token')] : [])),
      ),
    },
    input: fieldsOf(input),
    steps: stepsOf(sections.slice(1, -1), origin),
    expected: last.name === 'output' ? { kind: 'ok', output: { ...fieldsOf(last) } } : failureOf(last),
  }
  const problem = kindProblem(recording.kind, recording.expected)
  if (problem !== undefined) fail(last, problem)
  return recording
}

function sectionsOf(text: string): readonly Section[] {
  const starts = [...text.matchAll(/(?:^|\n\n)=== (\w+)\n/g)]
  const from = [
    { name: 'head', start: 0 },
    ...starts.map((at) => ({ name: at[1] ?? '', start: at.index + at[0].length })),
  ]
  return from.map(({ name, start }, at) => ({
    name,
    content: text.slice(start, starts[at]?.index ?? text.length).replaceAll(/^\\(\\*===)/gm, '$1'),
    line: text.slice(0, start).split('\n').length,
  }))
}

function stepsOf(sections: readonly Section[], origin: string): readonly Step[] {
  const steps: Step[] = []
  for (let at = 0; at < sections.length; at += 2) {
    const [request, answer] = [sections[at], sections[at + 1]]
    if (request?.name !== 'request') return fail(request ?? sections[at - 1], 'a section "=== request" is missing')
    if (answer?.name !== 'answer') return fail(request, 'no section "=== answer" follows')
    steps.push({ request: requestOf(request, origin), answer: answerOf(answer) })
  }
  return steps
}

function requestOf(section: Section, origin: string): HttpRequest {
  const { first, headers, body } = messageOf(section)
  const [, method = '', at = ''] = /^(GET|POST|PUT|PATCH|DELETE) (\S+)$/.exec(first) ?? []
  const url = URL.parse(at, origin)
  if (!isMethod(method) || url === null) return fail(section, `"${first}" is no request such as GET /orders?page=2`)
  const given = Object.fromEntries(headers.map(([name, value]) => [name, value]))
  const said = given['authorization']
  if (said !== undefined && !isPlaceholder(said.replace(/^\S+ /, '')))
    fail(section, `authorization has a secret: write ${placeholder('authorization')} in its place`)
  return { method, url, headers: given, body }
}

function isMethod(method: string): method is Method {
  return method !== ''
}

function answerOf(section: Section): RawAnswer {
  const { first, headers, body } = messageOf(section)
  if (!/^[1-5]\d\d$/.test(first)) fail(section, `"${first}" is no status such as 200`)
  const setCookies = headers.filter(([name]) => name === 'set-cookie')
  for (const [, value, line] of setCookies) secretOf(value.split(';', 1)[0] ?? '', line, 'cookie')
  return {
    status: Number(first),
    headers: Object.fromEntries(
      headers.filter(([name]) => name !== 'set-cookie').map(([name, value]) => [name, value]),
    ),
    setCookies: setCookies.map(([, value]) => value),
    text: body ?? '',
  }
}

function messageOf({ content, line }: Section) {
  const end = content.indexOf('\n\n')
  const [first = '', ...lines] = linesOf(end < 0 ? content : content.slice(0, end))
  const headers = lines.map((one, at) => pairOf(one, line + 1 + at))
  const type = headers.find(([name]) => name === 'content-type')?.[1] ?? ''
  const body = end < 0 ? null : content.slice(end + 2)
  const isForm = type.startsWith('application/x-www-form-urlencoded')
  return { first, headers, body: isForm ? (body?.replaceAll('\n', '') ?? null) : body }
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '')
}

type Pair = readonly [name: string, value: string, line: number]

function pairOf(text: string, line: number): Pair {
  const [, name, value] = /^([^\s:]+): ?(.*)$/.exec(text) ?? []
  if (name === undefined || value === undefined) throw new Error(`${line}: "${text.slice(0, 80)}" is no "name: value"`)
  return [name.toLowerCase(), value, line]
}

function cookieOf(text: string, line: number): SessionCookie {
  const [, pair = '', domain, path] = /^(.*); domain=(\S+); path=(.+)$/.exec(text) ?? []
  if (domain === undefined || path === undefined)
    throw new Error(`${line}: a cookie is written "cookie: sid=${placeholder('sid')}; domain=app.example.com; path=/"`)
  const [name, value] = secretOf(pair, line, 'cookie')
  return { name, value, domain, path }
}

/** A name and its placeholder; throws for a real secret. */
function secretOf(text: string, line: number, what: string): readonly [name: string, value: string] {
  const at = text.indexOf('=')
  const [name, value] = at < 0 ? ['', text] : [text.slice(0, at).trim(), text.slice(at + 1).trim()]
  if (value !== '' && !isPlaceholder(value))
    throw new Error(`${line}: the ${what} ${name} has its secret in it: write ${placeholder(name)} in its place`)
  return [name, value]
}

function originOf(text: string, head: Section): string {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.href.endsWith('/')
    ? url.href
    : fail(head, `"origin: ${text}" is no address such as https://app.example.com/`)
}

function fieldsOf(section: Section): Fields {
  const value = jsonOf(section)
  return isFields(value) ? value : fail(section, 'this is no JSON object')
}

function jsonOf(section: Section): unknown {
  try {
    return JSON.parse(section.content)
  } catch (error) {
    return fail(section, `this is no JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function failureOf(section: Section): Outcome {
  const { kind, appCode, appMessage, rule, status, retryAfterMs } = fieldsOf(section)
  switch (kind) {
    case 'rejected':
      if (typeof appCode === 'string' && typeof appMessage === 'string') return { kind, appCode, appMessage }
      return fail(section, 'rejected has an appCode and an appMessage')
    case 'changed':
      return typeof rule === 'string' ? { kind, rule } : fail(section, 'changed has a rule')
    case 'app_error':
      return typeof status === 'number' ? { kind, status } : fail(section, 'app_error has a status')
    case 'rate_limited':
      return typeof retryAfterMs === 'number' ? { kind, retryAfterMs } : fail(section, 'rate_limited has retryAfterMs')
    case 'auth_expired':
    case 'captcha':
    case 'mfa':
    case 'blocked':
      return { kind }
    default:
      return fail(section, 'this is no failure such as { "kind": "auth_expired" }')
  }
}

function fail(section: Section | undefined, problem: string): never {
  throw new Error(`${section?.line ?? 1}: ${problem}`)
}
