import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { WorkflowNotFoundError } from '@temporalio/client'
import { expect } from 'vitest'
import type { FailPoint } from '../../core/fail-point.ts'
import type { Running } from '../../local-services/service.ts'
import { firstContact } from '../support/contacts.ts'
import { balancedLedger } from '../support/ledger.ts'
import { exitOf } from '../support/processes.ts'
import { brokenPromises } from '../support/promises.ts'
import type { MadeCall } from '../support/promises.ts'
import type { Answer, TestUser } from '../support/user.ts'
import { startGateway } from './gateway.ts'
import type { Gateway } from './gateway.ts'

export type Kind = 'read' | 'unconfirmed write' | 'approved write'
const kinds: readonly Kind[] = ['read', 'unconfirmed write', 'approved write']

/** What row and effect log show at one moment. */
export interface Seen {
  readonly status: string
  readonly send: string
  readonly decision: string | null
  readonly reserved: boolean
  readonly effects: number
}

/** A call that is asked for: `mark` is its Idempotency-Key and, for a write, the text that shows in the effect log. */
export interface Wanted {
  readonly mark: string
  /** The app will refuse it: what it names does not exist there. */
  readonly refused?: boolean
}

/** A Callgate of its own that gets calls of one kind only, so that it is certain which call met the armed process. */
export class Lane {
  readonly kind: Kind
  readonly gateway: Gateway
  readonly #made: MadeCall[] = []
  #user: TestUser | undefined
  #contact = ''

  private constructor(kind: Kind, gateway: Gateway) {
    this.kind = kind
    this.gateway = gateway
  }

  /** Its processes have been up once: a user is there, signed in, and knows a contact. */
  static async open(kind: Kind, sandboxUrl?: string): Promise<Lane> {
    const lane = new Lane(kind, await startGateway(sandboxUrl === undefined ? {} : { sandboxUrl }))
    const { gateway } = lane
    const [api, worker] = await Promise.all([gateway.startApi(), gateway.startWorker()])
    lane.#user = await gateway.user()
    lane.#contact = await firstContact(lane.user)
    await lane.user.person()
    await Promise.all([api.kill(), worker.kill()])
    return lane
  }

  get user(): TestUser {
    if (this.#user === undefined) throw new Error('the lane is not open')
    return this.#user
  }

  get isRead(): boolean {
    return this.kind === 'read'
  }

  /** Where the app gets this lane's action, and nothing else: not what is looked up for the person of another lane. */
  get path(): string {
    if (this.isRead) return '/api/ads'
    return this.kind === 'unconfirmed write' ? `/api/threads/${this.#contact}/memos` : `/inbox/${this.#contact}/reply`
  }

  mark(): Wanted {
    return { mark: `${this.kind} ${randomBytes(6).toString('hex')}` }
  }

  /** Asks for a call, and waits for nothing but its acceptance. */
  ask({ mark, refused = false }: Wanted): Promise<Answer> {
    const headers = { Prefer: 'wait=0', 'Idempotency-Key': mark }
    const contact_id = refused ? '987654321' : this.#contact
    if (this.isRead && refused) return this.user.call('get_listing', { listing_id: 'AD-987654321' }, headers)
    if (this.isRead) return this.user.call('list_listings', {}, headers)
    if (this.kind === 'unconfirmed write')
      return this.user.call('add_contact_note', { contact_id, note: mark }, headers)
    if (refused) {
      return this.user.call('send_listings_to_contact', { contact_id, listing_ids: ['AD-1'], message: mark }, headers)
    }
    return this.user.call('reply_to_contact', { contact_id, message: mark }, headers)
  }

  /** Asks for a call that is accepted, and returns its id. */
  async asked(wanted: Wanted): Promise<string> {
    const { status, body } = await this.ask(wanted)
    expect({ status, body }).toMatchObject({ status: 202 })
    const callId = String(body['call_id'])
    this.#note(callId, wanted)
    return callId
  }

  /** The same, approved where that is due. */
  async begin(wanted: Wanted): Promise<string> {
    const callId = await this.asked(wanted)
    if (this.kind === 'approved write') expect((await this.user.approve(callId)).status).toBe(303)
    return callId
  }

  #note(callId: string, { mark }: Wanted): void {
    if (this.#made.every((call) => call.callId !== callId)) {
      this.#made.push({ callId, mark: this.isRead ? null : mark })
    }
  }

  /** The call that was accepted for this wish, whether or not its client was told. */
  async accepted({ mark }: Wanted): Promise<string | undefined> {
    const { rows } = await this.gateway.db.query<{ call_id: string }>(
      'SELECT call_id FROM idempotency_keys WHERE owner = $1 AND key = $2',
      [this.user.id, mark],
    )
    return rows[0]?.call_id
  }

  /** The id of a call whose client was told nothing. */
  async known(wanted: Wanted): Promise<string> {
    const callId = await this.accepted(wanted)
    if (callId === undefined) throw new Error('the call was not accepted')
    this.#note(callId, wanted)
    return callId
  }

  async seen(callId: string, { mark }: Wanted): Promise<Seen> {
    const { rows } = await this.gateway.db.query<Omit<Seen, 'effects'>>(
      'SELECT status, send, decision, reserved_month IS NOT NULL AS reserved FROM calls WHERE id = $1',
      [callId],
    )
    const row = rows[0]
    if (row === undefined) throw new Error(`${callId} is not there`)
    const effects = (await this.effects()).filter(({ body }) => JSON.stringify(body).includes(mark))
    return { ...row, effects: effects.length }
  }

  effects() {
    return this.gateway.sandbox.effects(this.user.account.seeded.account)
  }

  /** Resolves with the call's final status, read from the row. */
  async end(callId: string, ms = 40_000): Promise<string> {
    const deadline = Date.now() + ms
    for (;;) {
      const { rows } = await this.gateway.db.query<{ status: string }>('SELECT status FROM calls WHERE id = $1', [
        callId,
      ])
      const status = rows[0]?.status ?? 'missing'
      if (!['running', 'awaiting_confirmation'].includes(status)) return status
      if (Date.now() > deadline) {
        console.log(`${this.kind} ${callId} is still ${status}`, await this.#history(callId))
        return status
      }
      await sleep(50)
    }
  }

  async #history(callId: string): Promise<readonly string[]> {
    const { events } = await this.gateway.temporal.workflow.getHandle(callId).fetchHistory()
    return (events ?? []).map(({ eventTime, eventType }) => `${String(eventTime?.seconds)} ${String(eventType)}`)
  }

  /** How many signals the call's run has heard; null when the engine has no such run. */
  async signals(callId: string): Promise<number | null> {
    const run = this.gateway.temporal.workflow.getHandle(callId)
    try {
      await run.describe()
      const { events } = await run.fetchHistory()
      return (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes != null).length
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null
      throw error
    }
  }

  /** Everything this lane ever asked for keeps the promises. */
  async checkPromises(): Promise<void> {
    expect(await brokenPromises(this.gateway.db, this.#made, await this.effects())).toEqual([])
    await balancedLedger(this.gateway, this.user.id)
  }
}

/** The process killed itself. */
export async function died(process: Running, point: FailPoint): Promise<void> {
  expect({ point, ...(await exitOf(process)) }).toEqual({ point, code: null, signal: 'SIGKILL' })
}

/** One lane a kind of call; they share the apps. */
export async function openLanes(): Promise<Lane[]> {
  const first = await Lane.open('read')
  const { sandboxUrl } = first.gateway.site
  const others = kinds.filter((kind) => kind !== first.kind)
  return [first, ...(await Promise.all(others.map((kind) => Lane.open(kind, sandboxUrl))))]
}

/** The story in all lanes at once, each to its end: one that went on in the background would meet the next test. */
export async function inEach(lanes: readonly Lane[], story: (lane: Lane) => Promise<void>): Promise<void> {
  const ended = await Promise.allSettled(lanes.map(story))
  for (const lane of ended) if (lane.status === 'rejected') throw lane.reason
}
