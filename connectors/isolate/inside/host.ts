/** Set by the engine: the only way out. Strings in both directions. */
declare const callgateHost: (what: string, text: string) => string

const host = callgateHost
const { parse, stringify } = JSON
Reflect.deleteProperty(globalThis, 'callgateHost')

/** Asks the host a question without side effects. Throws if the host returns an error. */
export function ask(what: 'function' | 'url' | 'intl' | 'tree' | 'page' | 'html', question: unknown): unknown {
  const { value, error } = parse(host(what, typeof question === 'string' ? question : stringify(question))) as {
    value?: unknown
    error?: string
  }
  if (error !== undefined)
    throw error === 'RangeError' ? new RangeError('not in range') : new TypeError('not understood')
  return value
}
