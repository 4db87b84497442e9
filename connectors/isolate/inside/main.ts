import { faultPath } from '../../runtime/fault-path.ts'
import { ask } from './host.ts'
import { Intl } from './intl.ts'
import { TextEncoder } from './text-encoder.ts'
import { URL, URLSearchParams } from './url.ts'
import { revived } from './revive.ts'

/**
 * Runs inside an isolate, before the connector and around it. Not a security boundary: code that
 * tampers with it only changes what its isolate returns, and the host checks all of that.
 */

type Told = Readonly<Record<string, unknown>>
type Path = readonly (string | number)[]
interface Taken {
  readonly run: (...args: unknown[]) => unknown
  readonly owner: unknown
}

const { parse, stringify } = JSON
const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1)
const plainTags: ReadonlySet<string> = new Set(['Object', 'Module'])
const mostNodes = 200_000
const deepest = 64

const callgateTree = (source: string): unknown => ask('tree', source)
const callgatePage = (...question: unknown[]): unknown => ask('page', question)
/** Bundles with `specVersion` 1 and 2 build the tree themselves. */
const callgateHtml = (source: string): unknown => ask('html', source)
Object.assign(globalThis, { URL, URLSearchParams, Intl, TextEncoder, callgateTree, callgatePage, callgateHtml })

const functions: Taken[] = []

/** The connector as JSON, and the paths of its functions, which stay here. */
export function take(module: { readonly default?: unknown }): string {
  const places: Path[] = []
  let left = mostNodes
  const walk = (value: unknown, path: Path, owner: unknown): unknown => {
    const fail = (problem: string): never => {
      throw new Error(`${path.join('.') || 'the default export'} ${problem}`)
    }
    if (--left < 0) fail('is one value too many')
    if (path.length > deepest) fail('is nested too deeply')
    switch (typeof value) {
      case 'string':
      case 'boolean':
      case 'undefined':
        return value
      case 'number':
        return Number.isFinite(value) ? value : fail('is no finite number')
      case 'function': {
        if (tagOf(value) !== 'Function') fail('is no plain function: it must answer at once')
        places.push(path)
        functions.push({ run: value as Taken['run'], owner })
        return null
      }
      case 'object':
        break
      case 'bigint':
      case 'symbol':
        return fail(`is a ${typeof value}, which is no plain data`)
    }
    if (value === null) return null
    if (Array.isArray(value)) return value.map((item, index) => walk(item, [...path, index], value))
    if (!plainTags.has(tagOf(value))) fail(`is a ${tagOf(value)}, which is no plain data`)
    const copy: Record<string, unknown> = {}
    for (const key of Object.keys(value)) {
      const inside = walk((value as Told)[key], [...path, key], value)
      if (inside !== undefined) Object.defineProperty(copy, key, { value: inside, enumerable: true })
    }
    return copy
  }
  const spec = walk(module.default, [], undefined)
  return stringify({ spec, places })
}

/** Calls one of these functions; returns the result or the error as JSON. */
export function call(index: number, packed: string): string {
  const args = revived(parse(packed) as Parameters<typeof revived>[0])
  const taken = functions[index]
  if (taken === undefined) throw new Error('no such function')
  const run = (first: unknown): unknown => taken.run.call(taken.owner, first, ...args.slice(1))
  try {
    return answered(run(args[0]))
  } catch (error) {
    return stringify({ error: described(error, args[0], run) })
  }
}

function answered(value: unknown): string {
  if (value === undefined) return '{}'
  if (typeof value === 'function' || typeof value === 'symbol') throw new TypeError('an answer that is no data')
  if (value instanceof Promise) throw new TypeError('an answer that comes later')
  return stringify({ value })
}

function described(error: unknown, first: unknown, run: (first: unknown) => unknown): Told {
  if (!(error instanceof Error)) return { name: 'Error' }
  const { name, message } = error
  if (name === 'InputRejected' || name === 'UnsafePath' || name === 'AppRefused')
    return { name, message, code: (error as { code?: unknown }).code }
  if (name === 'InternalError') return { name, message }
  const where = faultPath(first, run)
  return { name, ...(name === 'UnknownShape' && { message }), ...(where !== undefined && { where }) }
}
