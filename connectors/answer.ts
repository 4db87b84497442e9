import type { Answer, AnswerKind } from './define.ts'
import type { RawAnswer } from './http.ts'
import { within } from './line.ts'
import { UnknownShape, isFields } from './wire.ts'
import type { Fields } from './wire.ts'

/** An answer with its JSON and its redirect understood. Throws `UnknownShape` for a redirect that leaves the app. */
export function read(raw: RawAnswer, url: URL, origin: string): Answer {
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/i.test(raw.headers['content-type'] ?? '')
  return { ...raw, json: isJson ? parsed(raw.text) : undefined, location: redirect(raw, url, origin) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Where a redirect points, below the app's root. One that leaves it is never followed. */
function redirect(raw: RawAnswer, url: URL, origin: string): string | null {
  if (raw.status < 300 || raw.status > 399) return null
  const target = URL.parse(raw.headers['location'] ?? '', url.href)
  if (target === null || raw.headers['location'] === undefined || !within(origin, target))
    throw new UnknownShape('leaves the app')
  return target.pathname.slice(new URL(origin).pathname.length) + target.search
}

export function kindOf(answer: Answer): AnswerKind | undefined {
  if (answer.location !== null) return 'redirect'
  if (answer.status < 200 || answer.status > 299) return undefined
  if (answer.json !== undefined) return 'json'
  if (answer.status === 204) return 'json'
  return /^text\/html\b/i.test(answer.headers['content-type'] ?? '') ? 'page' : undefined
}

export function fieldsOf(answer: Answer, kind: AnswerKind): Fields {
  if (kind !== 'json' || answer.json === undefined) return {}
  if (Array.isArray(answer.json)) return { items: answer.json }
  if (!isFields(answer.json)) throw new UnknownShape('not an object')
  return answer.json
}
