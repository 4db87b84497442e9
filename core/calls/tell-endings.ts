import type { Logger } from 'pino'
import type { Pool } from '../database/pool.ts'

/**
 * Notifies clients that wait for calls (`endings.ts`) of ends, after the commit, and batches ends
 * during a NOTIFY. A lost one, even by a crash, costs about a second: waiters also poll.
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

  /** Returns at once. Call it only after the call's end is committed. */
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
