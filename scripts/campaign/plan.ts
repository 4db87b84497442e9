import { Random } from './random.ts'

export type Target = 'api' | 'worker' | 'temporal' | 'postgres' | 'tree'
export type WishKind = 'read' | 'write' | 'approve' | 'reject' | 'cancel' | 'expire' | 'race'

/** Times are milliseconds from the beginning of the campaign. */
export interface PlannedKill {
  readonly at: number
  readonly target: Target
  /** Which of the two API processes or workers. */
  readonly number: 1 | 2
  /** No other kill within 12 s: this one measures the recovery from a single kill. */
  readonly alone: boolean
}

/** An action that a user wants; it should become one call. */
export interface Wish {
  readonly index: number
  readonly at: number
  readonly kind: WishKind
  /** Index of the user; users of `expire` have only 2 to 5 s to decide. */
  readonly user: number
  readonly key: string | null
  /** How many clients send it at once, with the same key. */
  readonly clients: number
  /** Seconds that a client waits for the answer, in its Prefer header. */
  readonly wait: number
  /** How long the user takes to decide, in ms. */
  readonly thinking: number
  /** Whether the client polls the call until it is final. */
  readonly follows: boolean
}

export interface PlannedFault {
  readonly at: number
  readonly kind: string
  readonly settings: Readonly<Record<string, number>>
}

export interface Plan {
  readonly seed: number
  readonly users: number
  /** Users below this index: their approval requests expire after 2 to 5 s. */
  readonly hasty: number
  readonly kills: readonly PlannedKill[]
  readonly wishes: readonly Wish[]
  readonly faults: readonly PlannedFault[]
  readonly ms: number
}

const gap = 3_300
const before = 4_000
const alone = 12_000
/** A shuffled deck, so that a short campaign has some of each. */
const targets: readonly Target[] = [
  ...(['api', 'api', 'api', 'worker', 'worker', 'worker'] as const),
  ...(['temporal', 'temporal', 'postgres', 'postgres', 'tree'] as const),
]
const kinds = { read: 22, write: 27, approve: 24, reject: 5, cancel: 8, expire: 7, race: 7 }
const faultKinds = {
  slow: 12,
  error: 3,
  drop_before: 3,
  drop_after: 3,
  garbage: 2,
  huge: 1,
  rate_limit: 2,
  block: 1,
  expire: 1,
  captcha: 0.5,
  mfa: 0.5,
}

export interface Size {
  readonly calls: number
  readonly kills: number
  readonly seed: number
  /** Kills only API processes and workers, one at a time. */
  readonly apart?: boolean
  /** Minimum duration. */
  readonly ms?: number
}

/** The whole course of a campaign, from its seed; only the machine's timing is not in it. */
export function makePlan({ calls, kills, seed, apart = false, ms: least = 0 }: Size): Plan {
  const random = new Random(seed)
  const killed = planKills(random, kills, apart)
  const ms = Math.max((killed.at(-1)?.at ?? 0) + gap, calls * 60, least)
  // A key may make 60 calls and 120 reads of records a minute; this leaves room for retries.
  const users = Math.max(12, Math.ceil(calls / 12))
  const hasty = Math.ceil(users / 5)
  const wishes = Array.from({ length: calls }, (_, index) =>
    planWish(random, index, { seed, users, hasty, killed, ms }),
  )
  const faults: PlannedFault[] = []
  for (let at = 500; at < ms; at += random.between(400, 1_600)) faults.push(planFault(random, at))
  return { seed, users, hasty, kills: killed, wishes: wishes.toSorted((a, b) => a.at - b.at), faults, ms }
}

function planKills(random: Random, count: number, apart: boolean): PlannedKill[] {
  // Spread evenly, so that a short campaign has some too.
  const lonely = new Set(Array.from({ length: Math.floor(count / 7) }, (_, index) => index * 7 + random.whole(0, 6)))
  const kills: PlannedKill[] = []
  let deck: Target[] = []
  let at = 1_000
  for (let index = 0; index < count; index++) {
    const single = apart || lonely.has(index)
    if (single) at += before
    if (deck.length === 0) deck = random.shuffled(targets)
    const target = single ? random.of(['api', 'worker'] as const) : (deck.pop() ?? 'tree')
    kills.push({ at: at + random.between(0, gap), target, number: random.chance(0.5) ? 1 : 2, alone: single })
    at += single ? gap + alone : gap
  }
  return kills
}

function planWish(
  random: Random,
  index: number,
  campaign: { seed: number; users: number; hasty: number; killed: readonly PlannedKill[]; ms: number },
): Wish {
  const kind = random.pick(kinds)
  const { seed, users, hasty, killed, ms } = campaign
  const patient = random.whole(hasty, users - 1)
  // Half of them begin shortly before a kill, so that it interrupts them.
  const kill = killed.length > 0 && random.chance(0.5) ? random.of(killed) : undefined
  const clients = random.chance(0.15) ? random.whole(2, 5) : 1
  const keyed = clients > 1 || random.chance(0.6)
  return {
    index,
    at: kill ? Math.max(0, kill.at - random.between(0, 1_500)) : random.between(0, ms),
    kind,
    user: kind === 'expire' || random.chance(0.05) ? random.whole(0, hasty - 1) : patient,
    key: keyed ? `campaign-${seed}-${index}` : null,
    clients,
    wait: random.of([0, 3, 10, 25]),
    thinking: random.between(0, 1_500),
    follows: random.chance(0.6),
  }
}

function planFault(random: Random, at: number): PlannedFault {
  const kind = random.pick(faultKinds)
  const times = random.whole(1, 3)
  const settings = {
    ...(kind !== 'expire' && kind !== 'captcha' && kind !== 'mfa' && { times }),
    ...(kind === 'slow' && { ms: random.whole(200, 2_500) }),
    ...(kind === 'rate_limit' && { retry_after: 1 }),
  }
  return { at, kind, settings }
}
