import { htmlEvents } from './html-answer.ts'
import { PageTrees } from './page-trees.ts'

/**
 * What one call of an isolate may ask of the host thread: about its pages, addresses, and the
 * formats of numbers and dates. No answer has an effect or depends on another call.
 */
export function hostAnswers({ isLoad = false } = {}): (what: string, question: string) => string {
  // A page opened while the bundle loads must not share a number with a page of a later call.
  const trees = new PageTrees(isLoad ? 2 ** 40 : 0)
  return (what, question) => {
    try {
      return JSON.stringify({ value: answer(what, question, trees) })
    } catch (error) {
      return JSON.stringify({ error: error instanceof RangeError ? 'RangeError' : 'TypeError' })
    }
  }
}

/** Unchecked: the isolate can send anything. */
interface Question {
  readonly address: string
  readonly base?: string
  readonly kind: unknown
  readonly method: unknown
  readonly locales: string
  readonly options: Intl.NumberFormatOptions & Intl.DateTimeFormatOptions
  readonly value: number
}

function answer(what: string, question: string, trees: PageTrees): unknown {
  switch (what) {
    case 'tree':
      return trees.open(question)
    case 'page':
      return trees.answer(question)
    case 'html':
      return htmlEvents(question)
    case 'url':
      return partsOf(JSON.parse(question) as Question)
    case 'intl':
      return written(JSON.parse(question) as Question)
    default:
      throw new TypeError('not a question')
  }
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
