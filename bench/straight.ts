import type { Bare } from './bare/process.ts'
import type { BareRequest } from './bare/activities.ts'
import type { Gateway } from './gateway.ts'
import { lanes, median, quantile } from './measure.ts'
import type { Timed } from './measure.ts'
import { app } from './people.ts'
import type { Person } from './people.ts'
import type { LoopDelay, Site } from './site.ts'

export interface Contact {
  readonly person: Person
  readonly contact_id: string
}

export interface Sizes {
  readonly rounds: number
  /** Calls of each kind in a round, with one client and with sixteen. */
  readonly alone: number
  readonly crowded: number
}

type Kind = 'bare' | 'read' | 'write'
const kinds: readonly Kind[] = ['bare', 'read', 'write']
export const crowd = 16

/** The median over the rounds, with minimum and maximum. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

export interface StraightFigures {
  /** p50 and p95 in ms. */
  readonly alone: Readonly<Record<Kind, { readonly p50: Spread; readonly p95: Spread }>>
  readonly crowded: Readonly<Record<Kind, { readonly perSecond: Spread; readonly p50: Spread }>>
  /** p50 of a read less p50 of bare Temporal in the same round, in ms. */
  readonly added: Spread
  /** Reads per second divided by those of bare Temporal in the same round. */
  readonly throughput: Spread
  /** CPU time per call at sixteen clients by process, in ms. */
  readonly cpu: Readonly<Record<Kind, Readonly<Record<string, number>>>>
  /** The main threads' share of it, for API and worker. */
  readonly mainCpu: Readonly<Record<Kind, Readonly<Record<string, number>>>>
  /** Event loop delay of API and worker at sixteen clients, in ms: medians over the rounds. */
  readonly loopDelay: Readonly<Record<Kind, Readonly<Record<string, LoopDelay>>>>
  readonly limited: number
}

/** A read, a write without approval, and bare Temporal, alternating in one run. */
export async function measureStraight(
  parts: { readonly site: Site; readonly bare: Bare; readonly gateway: Gateway; readonly cpuOfBare: () => Cpu },
  contacts: readonly Contact[],
  sizes: Sizes,
): Promise<StraightFigures> {
  const { site, bare, gateway, cpuOfBare } = parts
  let turn = 0
  const some = (count: number): Contact[] =>
    Array.from({ length: count }, () => contacts[turn++ % contacts.length] as Contact)
  const run: Record<Kind, (clients: number, who: readonly Contact[]) => Promise<Timed>> = {
    bare: (clients, who) =>
      bare.run(
        clients,
        who.map(({ person }) => readRequest(site, person)),
      ),
    read: (clients, who) =>
      lanes(clients, who, ({ person }) => gateway.call(person, 'list_listings', { status: 'all', limit: 5 })),
    write: (clients, who) =>
      lanes(clients, who, ({ person, contact_id }) =>
        gateway.call(person, 'add_contact_note', { contact_id, note: `Note ${turn}` }),
      ),
  }
  const results = kinds.map((kind) => ({
    kind,
    alone: [] as Timed[],
    crowded: [] as Timed[],
    cpu: {} as Cpu,
    mainCpu: {} as Cpu,
    loopDelays: [] as Record<string, LoopDelay>[],
  }))
  // Warm-up: the first hundred calls of a process cost more than later ones.
  for (const { kind } of results) await run[kind](crowd, some(sizes.crowded))
  for (let round = 0; round < sizes.rounds; round++) {
    // Rotate the order, so that no kind always comes first.
    const order = results.map((_, place) => results[(place + round) % results.length] as (typeof results)[number])
    for (const { kind, alone } of order) alone.push(await run[kind](1, some(sizes.alone)))
    for (const { kind, crowded, cpu, mainCpu, loopDelays } of order) {
      await site.loopDelay()
      const [before, mainBefore] = [{ ...site.cpu(), ...cpuOfBare() }, site.mainCpu()]
      crowded.push(await run[kind](crowd, some(sizes.crowded)))
      addCpu(cpu, before, { ...site.cpu(), ...cpuOfBare() }, sizes)
      addCpu(mainCpu, mainBefore, site.mainCpu(), sizes)
      loopDelays.push(await site.loopDelay())
    }
    process.stderr.write(`round ${round + 1} of ${sizes.rounds}\n`)
  }
  const of = (kind: Kind) => results.find((result) => result.kind === kind) as (typeof results)[number]
  const p50 = ({ ms }: Timed): number => median(ms)
  const byKind = <T>(make: (result: (typeof results)[number]) => T) =>
    Object.fromEntries(results.map((result) => [result.kind, make(result)])) as Record<Kind, T>
  return {
    alone: byKind(({ alone }) => ({
      p50: spread(alone.map(p50)),
      p95: spread(alone.map(({ ms }) => quantile(ms, 0.95))),
    })),
    crowded: byKind(({ crowded }) => ({
      perSecond: spread(crowded.map(({ perSecond }) => perSecond)),
      p50: spread(crowded.map(p50)),
    })),
    added: spread(of('read').alone.map((timed, round) => p50(timed) - p50(of('bare').alone[round] as Timed))),
    throughput: spread(
      of('read').crowded.map(({ perSecond }, round) => perSecond / (of('bare').crowded[round] as Timed).perSecond),
    ),
    cpu: byKind(({ cpu }) => cpu),
    mainCpu: byKind(({ mainCpu }) => mainCpu),
    loopDelay: byKind(({ loopDelays }) => medianDelays(loopDelays)),
    limited: gateway.limited,
  }
}

function medianDelays(rounds: readonly Record<string, LoopDelay>[]): Record<string, LoopDelay> {
  const of = (process: string, which: keyof LoopDelay): number =>
    median(rounds.map((round) => round[process]?.[which] ?? Number.NaN))
  const processes = Object.keys(rounds[0] ?? {})
  return Object.fromEntries(processes.map((name) => [name, { p99: of(name, 'p99'), longest: of(name, 'longest') }]))
}

type Cpu = Record<string, number>

function addCpu(sum: Cpu, before: Cpu, after: Cpu, { crowded, rounds }: Sizes): void {
  for (const [name, ms] of Object.entries(after))
    sum[name] = (sum[name] ?? 0) + (ms - (before[name] ?? 0)) / (crowded * rounds)
}

export function spread(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) }
}

/** The request that `list_listings` sends. */
export function readRequest(site: Pick<Site, 'sandboxUrl'>, { appCookie }: Person): BareRequest {
  return {
    url: `${site.sandboxUrl}/${app}/api/ads?phase=any&deal=any&per_page=5`,
    cookie: appCookie,
  }
}

/** The page that `reply_to_contact` begins at. */
export function replyRequest(site: Pick<Site, 'sandboxUrl'>, { person, contact_id }: Contact): BareRequest {
  return { url: `${site.sandboxUrl}/${app}/inbox/${contact_id}`, cookie: person.appCookie }
}
