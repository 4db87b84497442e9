import { ask } from './host.ts'
import { URL } from './url.ts'

/** A value that JSON cannot carry: its path and its kind. */
export interface Special {
  readonly at: readonly (string | number)[]
  readonly is: 'undefined' | 'date' | 'url' | 'function'
  /** Milliseconds since 1970, a URL, or the number of a host function. */
  readonly value?: number | string
}

/** The arguments of a call, with the values that JSON cannot carry restored. */
export function revived({
  args,
  specials,
}: {
  readonly args: unknown[]
  readonly specials: readonly Special[]
}): unknown[] {
  for (const special of specials) {
    const holder = special.at.slice(0, -1).reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], args)
    Object.defineProperty(holder, String(special.at.at(-1)), {
      value: made(special),
      configurable: true,
      enumerable: true,
      writable: true,
    })
  }
  return args
}

function made({ is, value }: Special): unknown {
  if (is === 'date') return new Date(Number(value))
  if (is === 'url') return new URL(String(value))
  if (is === 'function') return (...args: unknown[]) => ask('function', { index: value, args })
  return undefined
}
