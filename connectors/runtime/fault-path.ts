import type { UnknownShape } from '../kit/wire.ts'

interface Read {
  readonly path: string
  readonly value: unknown
}

/** Longer names are no names of fields. */
const fieldName = /^[A-Za-z_$][\w$-]{0,39}$/

/**
 * Where in an answer a connector tripped: `decode` failed, and is run once more with every look at the answer noted. Says names and kinds
 * of fields, never what is in them; a name that was listed instead of asked for is the app's own data, and `*`. Undefined: cannot be told.
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

/** By its name: a bundled connector brings a class of its own. */
function isUnknownShape(error: unknown): error is UnknownShape {
  return error instanceof Error && error.name === 'UnknownShape' && 'isOf' in error
}

class Tracer {
  readonly #reads: Read[]
  readonly #seen = new WeakMap<object, unknown>()

  constructor(reads: Read[]) {
    this.#reads = reads
  }

  /** The value itself, or something that looks like it and notes what is read of it. */
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
