import type { Bare } from './bare/process.ts'
import type { Gateway } from './gateway.ts'
import { lanes, median, quantile } from './measure.ts'
import { app } from './people.ts'
import type { Site } from './site.ts'
import { crowd, replyRequest } from './straight.ts'
import type { Contact } from './straight.ts'

export interface WaitingFigures {
  readonly waiting: number
  readonly createdPerSecond: number
  /** Ms from the approver's click to the effect in the app, the page's answer, the final record. */
  readonly toEffect: { readonly p50: number; readonly p95: number }
  readonly toAnswer: number
  readonly toFinal: number
  /** Of bare Temporal, alternating with the approvals. */
  readonly bareSignalToResult: { readonly p50: number; readonly p95: number }
  /** MB by process, as soon as the last call waits. */
  readonly memory: Readonly<Record<string, number>>
  /** MB of the API process after garbage collection. */
  readonly memoryOfApi: number
}

interface Waiting extends Contact {
  readonly callId: string
  readonly message: string
}

/** Raises the number of waiting calls to each level, and approves some of them there. */
export async function measureWaiting(
  parts: { readonly site: Site; readonly bare: Bare; readonly gateway: Gateway },
  contacts: readonly Contact[],
  sizes: {
    readonly levels: readonly number[]
    readonly approvals: number
    readonly bareWaiting: number
  },
): Promise<readonly WaitingFigures[]> {
  const { site, bare, gateway } = parts
  const bareIds = [
    ...(await bare.wait(
      crowd,
      Array.from({ length: sizes.bareWaiting }, (_, i) => replyRequest(site, contacts[i % contacts.length] as Contact)),
    )),
  ]
  const open: Waiting[] = []
  let number = 0
  const create = async (contact: Contact): Promise<void> => {
    const message = `Message ${++number}`
    const input = { contact_id: contact.contact_id, message }
    const { call_id } = await gateway.call(contact.person, 'reply_to_contact', input, 202)
    open.push({ ...contact, callId: String(call_id), message })
  }
  const figures: WaitingFigures[] = []
  for (const level of sizes.levels) {
    const wanted = Array.from({ length: level - open.length }, (_, i) => contacts[i % contacts.length] as Contact)
    const created = await lanes(crowd, wanted, create)
    const memory = site.memory()
    const memoryOfApi = await site.memoryOfApi()
    const approvals = await approveSome(parts, open, bareIds, sizes.approvals)
    figures.push({ waiting: level, createdPerSecond: created.perSecond, ...approvals, memory, memoryOfApi })
    process.stderr.write(`${level} waiting calls\n`)
  }
  return figures
}

type Approvals = Omit<WaitingFigures, 'waiting' | 'createdPerSecond' | 'memory' | 'memoryOfApi'>

async function approveSome(
  { site, bare, gateway }: { readonly site: Site; readonly bare: Bare; readonly gateway: Gateway },
  open: Waiting[],
  bareIds: string[],
  count: number,
): Promise<Approvals> {
  const turns = 10
  const approved: {
    readonly message: string
    readonly at: number
    readonly answered: number
    readonly ended: number
  }[] = []
  const signals: number[] = []
  for (let done = 0; done < count; done += turns) {
    for (const { person, callId, message } of open.splice(0, Math.min(turns, count - done))) {
      const form = await gateway.confirmForm(person, callId)
      const at = now()
      await gateway.approve(person, callId, form)
      const answered = now() - at
      const { status } = await gateway.ended(person, callId)
      if (status !== 'executed') throw new Error(`an approved call ended as ${String(status)}`)
      approved.push({ message, at, answered, ended: now() - at })
    }
    signals.push(...(await bare.signal(bareIds.splice(0, turns))).ms)
  }
  const effects = await effectTimes(site)
  const toEffect = approved.map(({ message, at }) => {
    const effect = effects.get(message)
    if (effect === undefined) throw new Error(`the app has no "${message}"`)
    return effect - at
  })
  return {
    toEffect: { p50: median(toEffect), p95: quantile(toEffect, 0.95) },
    toAnswer: median(approved.map(({ answered }) => answered)),
    toFinal: median(approved.map(({ ended }) => ended)),
    bareSignalToResult: { p50: median(signals), p95: quantile(signals, 0.95) },
  }
}

const now = (): number => performance.timeOrigin + performance.now()

/** When the app carried out each message, by its text: ms since the epoch, on the same clock. */
export async function effectTimes(site: Pick<Site, 'sandboxUrl'>): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(`${site.sandboxUrl}/_sandbox/${app}/effects`)
  const { effects } = (await response.json()) as {
    readonly effects: readonly { readonly at: string; readonly body: { readonly text?: string } }[]
  }
  return new Map(effects.map(({ at, body }) => [body.text ?? '', Date.parse(at)]))
}

/** SIGKILL and start of the API process: ms until it is ready, and until a call was answered. */
export async function measureRestart(
  site: Site,
  gateway: Gateway,
  { person }: Contact,
): Promise<{ readonly ready: number; readonly firstCall: number; readonly memory: number }> {
  await site.killApi()
  const began = performance.now()
  await site.startApi()
  const ready = performance.now() - began
  await gateway.call(person, 'list_listings', { limit: 5 })
  return { ready, firstCall: performance.now() - began, memory: site.memory()['api'] ?? Number.NaN }
}
