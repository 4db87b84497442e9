import type { Special } from './inside/revive.ts'

/** Arguments, serialized to cross into an isolate. */
export interface Packed {
  readonly text: string
  /** The host functions among them; the index is the number that the isolate calls them by. */
  readonly functions: readonly ((...args: (string | number | boolean | null)[]) => unknown)[]
}

/** No answer that a connector understands is nested deeper. */
const deepest = 200

/** Copies of the arguments: plain data, dates, URLs and functions. */
export function packed(args: readonly unknown[]): Packed {
  const specials: Special[] = []
  const functions: Packed['functions'][number][] = []
  const walk = (value: unknown, at: readonly (string | number)[]): unknown => {
    if (value === undefined) {
      specials.push({ at, is: 'undefined' })
      return null
    }
    if (typeof value === 'function') {
      specials.push({ at, is: 'function', value: functions.length })
      functions.push(value as Packed['functions'][number])
      return null
    }
    if (typeof value !== 'object' || value === null) return value
    if (at.length > deepest) throw new RangeError('nested too deeply')
    if (Array.isArray(value)) return value.map((item, index) => walk(item, [...at, index]))
    if (value instanceof Date) {
      specials.push({ at, is: 'date', value: value.getTime() })
      return null
    }
    if (value instanceof URL) {
      specials.push({ at, is: 'url', value: value.href })
      return null
    }
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, item]) => (item === undefined ? [] : [[name, walk(item, [...at, name])]])),
    )
  }
  const plain = args.map((value, index) => walk(value, [index]))
  return { text: JSON.stringify({ args: plain, specials }), functions }
}

/** Answers the connector's call of one of these functions, as JSON; only scalars cross. */
export function answeredBy({ functions }: Packed, question: string): string {
  const { index, args } = JSON.parse(question) as { readonly index: unknown; readonly args: unknown }
  const asked = functions[Number(index)]
  if (asked === undefined || !Array.isArray(args) || args.length > mostArguments || !args.every(isWord))
    return '{"error":"TypeError"}'
  try {
    const value = asked(...args)
    return JSON.stringify(isWord(value) ? { value } : { error: 'TypeError' })
  } catch {
    // Whatever the error: the connector learns only that its call failed.
    return '{"error":"TypeError"}'
  }
}

const mostArguments = 8

function isWord(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}
