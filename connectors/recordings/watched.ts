import { isWatched, watchedBy } from '../kit/watching.ts'
import type { Watcher } from '../kit/watching.ts'

/** Bundled around a connector, it runs in the isolate: each function tells the last of its arguments what it reads. */
export function watched(value: unknown): unknown {
  if (typeof value === 'function') return telling(value as Run)
  if (Array.isArray(value)) return value.map(watched)
  const tag = Object.prototype.toString.call(value)
  if (tag !== '[object Object]' && tag !== '[object Module]') return value
  return Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, watched(one)]))
}

type Run = (this: unknown, ...args: unknown[]) => unknown

function telling(run: Run): Run {
  return function (...args) {
    // One that another calls has only its own arguments.
    if (isWatched()) return run.apply(this, args)
    return watchedBy(args.at(-1) as Watcher, () => run.apply(this, args.slice(0, -1)))
  }
}
