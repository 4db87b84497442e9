import { ask } from './host.ts'
import { URL } from './url.ts'

/** What JSON does not say of a value: where it is, and what it is. */
export interface Special {
  readonly at: readonly (string | number)[]
  readonly is: 'undefined' | 'date' | 'url' | 'function'
  /** A moment in milliseconds, an address, or the number of a function of the host. */
  readonly value?: number | string
}

/** The arguments of a call, with what JSON does not say put back into them. */
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
