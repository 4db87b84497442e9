import type { Context } from '../context.ts'

/** A native connection may go on trying long past the deadline: whoever asks does not wait for that. */
export async function within<T>(ctx: Pick<Context, 'temporal'>, ms: number, ask: () => Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('the engine did not answer in time')), ms + 100)
  try {
    return await Promise.race([ctx.temporal.connection.withDeadline(Date.now() + ms, ask), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Undefined, after so many ms: a loser in a race that keeps no process alive. */
export function after(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms).unref())
}
