import type { ServerResponse } from 'node:http'
import { isFields } from '../../connectors/kit/wire.ts'
import { answerGiven, answerLost } from '../../core/calls/answers-due.ts'
import type { Context } from '../../core/context.ts'

/**
 * Whether the answers of one HTTP request reach their client. A call counts as answered just before
 * its answer is written: an equal one that the client sends then is a new call. Undone if the
 * connection ends before all of it was sent.
 */
export class Delivery {
  readonly #ctx: Context
  readonly #given: string[] = []
  #lost = false

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  /** The next answer is about this call. Never fails: an unmarked call is just answered again. */
  async give(callId: string): Promise<void> {
    if (this.#lost) return
    await this.#mark(callId, async () => {
      const due = await answerGiven(this.#ctx.db, callId)
      if (!due) return
      this.#given.push(callId)
      if (this.#lost) await answerLost(this.#ctx.db, callId)
    })
  }

  /** The client no longer waits for the answers. */
  lose(): void {
    if (this.#lost) return
    this.#lost = true
    for (const callId of this.#given) void this.#mark(callId, () => answerLost(this.#ctx.db, callId))
  }

  async #mark(callId: string, mark: () => Promise<void>): Promise<void> {
    try {
      await mark()
    } catch (error) {
      this.#ctx.log.warn(
        { call: callId, err: error },
        'whether the answer to a tool reached anybody could not be written down',
      )
    }
  }
}

/** Open requests of this process: a 2025 client cancels one by another request. */
export class Deliveries {
  readonly #ctx: Context
  readonly #open = new Map<string, Set<Delivery>>()

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  /** `body`: message or batch. Request ids are the client's: two of one key may use the same. */
  begin(keyId: string, body: unknown, response: ServerResponse): Delivery {
    const delivery = new Delivery(this.#ctx)
    const messages = (Array.isArray(body) ? body : [body]).filter(isFields)
    // Closed during authentication: no event will follow.
    if (response.closed) {
      delivery.lose()
      return delivery
    }
    const names = messages.filter((message) => 'id' in message).map(({ id }) => nameOf(keyId, id))
    for (const name of names) this.#open.set(name, (this.#open.get(name) ?? new Set()).add(delivery))
    response.on('close', () => {
      if (!response.writableFinished) delivery.lose()
      for (const name of names) this.#end(name, delivery)
    })
    for (const { method, params } of messages)
      if (method === 'notifications/cancelled' && isFields(params)) this.#lose(nameOf(keyId, params['requestId']))
    return delivery
  }

  #lose(name: string): void {
    for (const delivery of this.#open.get(name) ?? []) delivery.lose()
  }

  #end(name: string, delivery: Delivery): void {
    const open = this.#open.get(name)
    open?.delete(delivery)
    if (open?.size === 0) this.#open.delete(name)
  }
}

const nameOf = (keyId: string, requestId: unknown) => JSON.stringify([keyId, requestId])
