import type { Logger } from 'pino'
import type { Pool } from '../database/pool.ts'

/**
 * Tells whoever waits for calls (`endings.ts`) that they have ended, after their commits: all that ended while the last word was under way are
 * told of together. A word that is lost, also with its process, costs those who wait about a second: they look for themselves.
 */
export class EndingsTold {
  readonly #db: Pool
  readonly #log: Logger
  #ended: string[] = []
  #telling = false

  constructor(db: Pool, log: Logger) {
    this.#db = db
    this.#log = log
  }

  /** Comes back at once. The end of the call must have been committed. */
  tell(callId: string): void {
    this.#ended.push(callId)
    if (!this.#telling) void this.#tellAll()
  }

  async #tellAll(): Promise<void> {
    this.#telling = true
    while (this.#ended.length > 0) {
      const ended = this.#ended
      this.#ended = []
      try {
        await this.#db.query({
          name: 'tell-endings',
          text: `SELECT count(pg_notify('callgate_ended', call)) FROM unnest($1::text[]) AS call`,
          values: [ended],
        })
      } catch (error) {
        this.#log.warn({ err: error, calls: ended.length }, 'who waits for calls that ended was not told')
      }
    }
    this.#telling = false
  }
}
