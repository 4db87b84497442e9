import { after } from './temporal/deadline.ts'

/** In ms. Prometheus drops a scrape of the whole process after 10 s. */
const patience = 3_000

/**
 * Reads a metric from another service. When the read fails or is slow, the value is `otherwise`,
 * and no new read starts before the last one settles: a hung database gets at most one query per
 * metric, however often the metrics are scraped.
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
