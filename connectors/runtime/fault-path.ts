import type { UnknownShape } from '../kit/wire.ts'

interface Read {
  readonly path: string
  readonly value: unknown
}

/** Longer names are data, not field names. */
const fieldName = /^[A-Za-z_$][\w$-]{0,39}$/

/**
 * Where in an answer `decode` failed: it runs again with its reads recorded. Returns names and
 * types of fields, never values; an enumerated name is the app's data and becomes `*`. Undefined:
 * unknown.
 */
export function faultPath(answer: unknown, decode: (answer: unknown) => unknown): string | undefined {
  const reads: Read[] = []
  try {
    decode(new Tracer(reads).look(answer, '$'))
    return undefined
  } catch (error) {
    const found = isUnknownShape(error) ? reads.findLast(({ value }) => error.isOf(value)) : undefined
    const last = reads.at(-1)
    if (found !== undefined) return `at ${found.path}: ${kindOfValue(found.value)}`
    return last && `after ${last.path}: ${kindOfValue(last.value)}`
  }
}

/** By name: a bundled connector has its own copy of the class. */
function isUnknownShape(error: unknown): error is UnknownShape {
  return error instanceof Error && error.name === 'UnknownShape' && 'isOf' in error
}

class Tracer {
  readonly #reads: Read[]
  readonly #seen = new WeakMap<object, unknown>()

  constructor(reads: Read[]) {
    this.#reads = reads
  }

  /** The value itself, or a proxy that records what is read of it. */
  look(value: unknown, path: string): unknown {
    if (typeof value !== 'object' || value === null) return value
    const known = this.#seen.get(value)
    if (known !== undefined) return known
    let listed = false
    const proxy: unknown = new Proxy(value, {
      get: (target, name) => {
        const inside: unknown = Reflect.get(target, name)
        if (typeof name === 'symbol' || typeof inside === 'function' || (Array.isArray(target) && !/^\d+$/.test(name)))
          return inside
        const at = Array.isArray(target)
          ? `${path}[${name}]`
          : `${path}.${!listed && fieldName.test(name) ? name : '*'}`
        const seen = this.look(inside, at)
        this.#reads.push({ path: at, value: seen })
        return seen
      },
      ownKeys: (target) => {
        listed ||= !Array.isArray(target)
        return Reflect.ownKeys(target)
      },
    })
    this.#seen.set(value, proxy)
    return proxy
  }
}

function kindOfValue(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return { string: 'a text', number: 'a number', boolean: 'a yes or no' }[typeof value as string] ?? 'an object'
}
