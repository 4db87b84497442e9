import { after } from './temporal/deadline.ts'

/** In ms. A Prometheus that waits longer than 10 s for a process's answer learns nothing at all of it. */
const patience = 3_000

/**
 * A figure that somebody else has to tell, for who measures. Where they fail or are slow it is `otherwise` this time, and not asked for again before
 * they have answered: one who says nothing, such as a stopped database, is left with one question of each, however often somebody measures.
 */
export function figure<T>(read: () => Promise<T>, otherwise: T): () => Promise<T> {
  let asked: Promise<T> | undefined
  return async () => {
    asked ??= read()
      .catch(() => otherwise)
      .finally(() => (asked = undefined))
    return (await Promise.race([asked, after(patience)])) ?? otherwise
  }
}
