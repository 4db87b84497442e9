import type { Context } from '../context.ts'

/** Rejects `ms` + 100 after the start: a native connection may retry long past its deadline. */
export async function within<T>(ctx: Pick<Context, 'temporal'>, ms: number, ask: () => Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('the engine did not answer in time')), ms + 100)
  try {
    return await Promise.race([ctx.temporal.connection.withDeadline(Date.now() + ms, ask), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Resolves to undefined after `ms`, for races. The timer does not keep the process alive. */
export function after(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms).unref())
}
