import { isWatched, watchedBy } from '../kit/watching.ts'
import type { Watcher } from '../kit/watching.ts'

/** Wraps a connector in the isolate: functions report reads to their last argument, a watcher. */
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
    // An inner function gets only its own arguments.
    if (isWatched()) return run.apply(this, args)
    return watchedBy(args.at(-1) as Watcher, () => run.apply(this, args.slice(0, -1)))
  }
}
