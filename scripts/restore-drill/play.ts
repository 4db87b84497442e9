import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../core/context.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import { liftPause } from '../../core/operators/pauses.ts'
import { isFinal } from '../../schemas/call.ts'
import { Client } from '../campaign/client.ts'
import type { Journal } from '../campaign/journal.ts'
import type { User } from '../campaign/people.ts'
import { Person } from '../campaign/person.ts'
import { Random } from '../campaign/random.ts'
import type { Witness } from '../campaign/witness.ts'
import { markOf } from '../campaign/workload.ts'
import type { Play } from './cases.ts'

export type Ctx = Pick<Context, 'db' | 'secrets'>

/** One case's user and the one call they make. */
export class Player implements Play {
  readonly #scene: { readonly ctx: Ctx; readonly apis: readonly string[]; readonly witness: Witness }
  readonly #user: User
  readonly #random: Random
  readonly #client: Client
  readonly #person: Person
  readonly mark: string
  callId = ''

  constructor(
    scene: {
      readonly ctx: Ctx
      readonly apis: readonly string[]
      readonly witness: Witness
      readonly journal: Journal
    },
    user: User,
    mark: number,
  ) {
    this.#scene = scene
    this.#user = user
    this.#random = new Random(mark)
    this.#client = new Client(scene.apis, scene.journal, this.#random)
    this.#person = new Person(user, scene.apis, scene.journal)
    this.mark = markOf(mark)
  }

  async ask(): Promise<void> {
    await this.#send('reply_to_contact', { contact_id: this.#user.contact, message: `Drill ${this.mark}` }, 0)
  }

  async write(): Promise<void> {
    await this.#send('add_contact_note', { contact_id: this.#user.contact, note: `Drill ${this.mark}` }, 25)
    await this.#until((row) => isFinal(row.status))
  }

  async writeSlowly(): Promise<void> {
    await this.#scene.witness.fault('slow', { ms: 14_000 })
    await this.#send('add_contact_note', { contact_id: this.#user.contact, note: `Drill ${this.mark}` }, 0)
    await this.#bytesOut()
  }

  async approve(): Promise<void> {
    await this.decide('approve')
    await this.#until((row) => isFinal(row.status))
  }

  async reject(): Promise<void> {
    await this.decide('reject')
  }

  async approveBlocked(): Promise<void> {
    await this.#scene.witness.fault('block', { path: this.#replyPath })
    await this.decide('approve')
    await this.#until((row) => row.waiting_for === 'blocked')
  }

  async unblock(): Promise<void> {
    await this.lift()
    await this.#until((row) => isFinal(row.status))
  }

  async unblockSlowly(): Promise<void> {
    await this.#scene.witness.fault('slow', { ms: 14_000, path: this.#replyPath })
    await this.lift()
    await this.#bytesOut()
  }

  /** What is read again before the reply is sent would use up a fault of all paths. */
  get #replyPath(): string {
    return `/inbox/${this.#user.contact}/reply`
  }

  decide(decision: 'approve' | 'reject'): Promise<void> {
    return this.#person.decide(this.callId, decision, this.#random)
  }

  async lift(): Promise<void> {
    const { account, endpoint } = (await this.row()) ?? {}
    if (account !== undefined && endpoint !== undefined) await liftPause(this.#scene.ctx, account, endpoint, 'drill')
  }

  async row(): Promise<CallRow | undefined> {
    const { rows } = await this.#scene.ctx.db.query<CallRow>('SELECT * FROM calls WHERE id = $1', [this.callId])
    return rows[0]
  }

  async #send(endpoint: string, input: object, wait: number): Promise<void> {
    const callId = await this.#client.call(this.#user, endpoint, input, { key: `drill-${this.mark}`, wait })
    if (callId === undefined) throw new Error(`the call of ${this.mark} was not accepted`)
    this.callId = callId
  }

  async #bytesOut(): Promise<void> {
    await this.#until((row) => row.send === 'sending')
    // The send lease is taken right before the first byte; the app acts and delays only its answer.
    await pause(800)
  }

  async #until(condition: (row: CallRow) => boolean): Promise<void> {
    const deadline = Date.now() + 30_000
    for (;;) {
      const row = await this.row()
      if (row && condition(row)) return
      if (Date.now() > deadline) throw new Error(`the call of ${this.mark} is ${row?.status}, not what was expected`)
      await pause(50)
    }
  }
}
