import { htmlEvents } from '../kit/html-events.ts'

/**
 * What an isolate may ask of the thread around it: how HTML and addresses are taken apart, and how numbers and
 * moments are written. Nothing of it has an
 * effect or knows more than the question.
 */
export function answered(what: string, question: string): string {
  try {
    const value = what === 'html' ? htmlEvents(question) : answer(what, JSON.parse(question) as Question)
    return JSON.stringify({ value })
  } catch (error) {
    return JSON.stringify({ error: error instanceof RangeError ? 'RangeError' : 'TypeError' })
  }
}

/** Not yet checked: whoever asks may ask anything. */
interface Question {
  readonly address: string
  readonly base?: string
  readonly kind: unknown
  readonly method: unknown
  readonly locales: string
  readonly options: Intl.NumberFormatOptions & Intl.DateTimeFormatOptions
  readonly value: number
}

function answer(what: string, question: Question): unknown {
  if (what === 'url') return partsOf(question)
  if (what === 'intl') return written(question)
  throw new TypeError('not a question')
}

function partsOf({ address, base }: Question): unknown {
  const url = URL.parse(address, base)
  if (url === null) return null
  const { href, origin, protocol, username, password, host, hostname, port, pathname, search, hash } = url
  return { href, origin, protocol, username, password, host, hostname, port, pathname, search, hash }
}

function written({ kind, method, locales, options, value }: Question): unknown {
  const format =
    kind === 'NumberFormat' ? new Intl.NumberFormat(locales, options) : new Intl.DateTimeFormat(locales, options)
  if (method === 'resolvedOptions') return format.resolvedOptions()
  return method === 'formatToParts' ? format.formatToParts(value) : format.format(value)
}
