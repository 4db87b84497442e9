import type { Cleaned } from '../../connectors/authoring/clean/clean.ts'
import { requestFields } from '../../connectors/authoring/clean/bodies.ts'
import type { RawTrace } from '../../connectors/authoring/clean/raw.ts'
import { clean } from '../../connectors/runtime/threads/exchange-threads.ts'
import type { TracedExchange } from '../../connectors/authoring/trace.ts'
import { connect } from '../../core/accounts/sessions.ts'
import { claimTrace, discardTrace, keepTrace } from '../../core/connectors/traces.ts'
import type { Context } from '../../core/context.ts'
import { derivedKey } from '../../core/secrets/crypto.ts'
import type { Capture } from './browser/capture.ts'
import type { RecordingWord } from './browser/input.ts'
import type { RemoteBrowser } from './browser/sign-in-watch.ts'

interface Of {
  readonly id: string
  readonly owner: string
  readonly account: string
  /** The app's name for the account. */
  readonly label: string
  readonly origin: string
  readonly app: string
  readonly tell: (message: object) => void
}

/**
 * Records what the user does in a live browser, from sign-in on. Held in this process's memory
 * only, until the user has reviewed and kept it.
 */
export class Recording {
  readonly #ctx: Context
  readonly #remote: RemoteBrowser
  readonly #of: Of
  readonly #capture: Capture
  /** Set once it ended, while the user has not decided what becomes of it. */
  #seen: { readonly raw: RawTrace; readonly cleaned: Cleaned } | undefined

  private constructor(ctx: Context, remote: RemoteBrowser, of: Of, capture: Capture) {
    this.#ctx = ctx
    this.#remote = remote
    this.#of = of
    this.#capture = capture
  }

  static async begin(ctx: Context, remote: RemoteBrowser, of: Of): Promise<Recording> {
    const capture = await remote.record((asks) => of.tell({ type: 'recording', asks }))
    of.tell({ type: 'recording', asks: false })
    return new Recording(ctx, remote, of, capture)
  }

  /** Handles a decision. 'gone': it can no longer be kept. Undefined: not applicable now. */
  async take(word: RecordingWord): Promise<'review' | 'kept' | 'discarded' | 'gone' | undefined> {
    const { db } = this.#ctx
    const { id, owner } = this.#of
    switch (word.type) {
      case 'discard':
        await discardTrace(db, owner, id)
        return 'discarded'
      case 'stop':
        return this.#seen ? undefined : this.#review()
      case 'keep': {
        if (this.#seen === undefined) return undefined
        const { raw, cleaned } = this.#seen
        const released = new Set(word.released.map((at) => cleaned.releasable[at]?.value ?? ''))
        const { trace } = await clean(this.#of.account, raw, { released, key: this.#key })
        return (await keepTrace(this.#ctx, this.#of, trace)) ? 'kept' : 'gone'
      }
    }
  }

  async #review(): Promise<'review' | 'gone'> {
    const { id, owner, app, origin, label, tell } = this.#of
    const row = await claimTrace(this.#ctx.db, owner, id)
    if (row === undefined) return 'gone'
    const { exchanges, cookies, stored, isCut, left } = await this.#capture.end()
    // The app may have changed the session meanwhile.
    await this.#keepSession()
    const startedAt = this.#capture.startedAt.toISOString()
    const raw = { app, name: row.name, origin, startedAt, exchanges, cookies, stored, label }
    const cleaned = await clean(this.#of.account, raw, { released: new Set(), key: this.#key })
    this.#seen = { raw, cleaned }
    tell({
      type: 'review',
      steps: cleaned.trace.exchanges.map(stepOf),
      literals: cleaned.releasable.map(({ value, place }) => ({ value: value.slice(0, 200), place })),
      cut: isCut,
      left,
    })
    return 'review'
  }

  async #keepSession(): Promise<void> {
    const { owner, app, account, label } = this.#of
    const { rows } = await this.#ctx.db.query<{ origin: string; external_id: string }>(
      'SELECT origin, external_id FROM accounts WHERE id = $1 AND owner = $2',
      [account, owner],
    )
    const [known] = rows
    if (known === undefined) return
    const { origin, external_id: id } = known
    const externalId = origin === '' ? id : id.slice(origin.length + 1)
    await connect(this.#ctx, { owner, app, origin, externalId, label, session: await this.#remote.session() })
  }

  get #key(): Buffer {
    const { app, account } = this.#of
    return derivedKey(this.#ctx.secrets, `made-up people of ${app} ${account}`)
  }
}

/** One exchange as the review shows it. */
function stepOf({ request, answer }: TracedExchange): object {
  const { pathname, search } = new URL(request.url)
  const fields = requestFields(request).map(([name, value]) => `${name}=${value}`)
  return {
    method: request.method,
    address: `${pathname}${search}`.slice(0, 300),
    fields: fields.join('\n').slice(0, 1000),
    answer:
      `${answer.status}${answer.headers['location'] === undefined ? '' : ` → ${answer.headers['location']}`}`.slice(
        0,
        300,
      ),
  }
}
