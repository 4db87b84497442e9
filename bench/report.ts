import type { AcceptFigures } from './accept.ts'
import type { SettleFigures } from './settle.ts'
import type { FloodFigures } from './flood.ts'
import type { Spread, StraightFigures } from './straight.ts'
import type { WaitingFigures } from './waiting.ts'

export interface Figures {
  readonly machine: {
    readonly processor: string
    readonly processors: number
    readonly memoryGiB: number
    readonly node: string
    readonly loadBefore: readonly number[]
    readonly loadAfter: readonly number[]
    readonly seconds: number
  }
  readonly sizes: { readonly rounds: number; readonly people: number }
  readonly straight: StraightFigures
  readonly flood: FloodFigures
  readonly accepting: AcceptFigures
  readonly settling: SettleFigures
  /** p50 of a discovery page, in ms. */
  readonly discovery: Readonly<Record<string, number>>
  /** MB by process: just started, and before any call waited. */
  readonly fresh: Readonly<Record<string, number>>
  readonly idle: Readonly<Record<string, number>>
  /** MB of the API process before any call waited, after garbage collection. */
  readonly idleApi: number
  readonly waiting: readonly WaitingFigures[]
  readonly restart: { readonly ready: number; readonly firstCall: number; readonly memory: number }
}

/** The figures as Markdown, with the targets that they must meet. */
export function report({
  machine,
  sizes,
  straight,
  flood,
  accepting,
  settling,
  discovery,
  fresh,
  idle,
  idleApi,
  waiting,
  restart,
}: Figures): string {
  const { alone, crowded, cpu, mainCpu, loopDelay } = straight
  const rows = (['bare', 'read', 'write'] as const).map((kind) => [
    { bare: 'bare engine', read: 'a read', write: 'a write without approval' }[kind],
    between(alone[kind].p50),
    between(alone[kind].p95),
    between(crowded[kind].perSecond),
    between(crowded[kind].p50),
  ])
  const processes = Object.keys(cpu.read)
  const overBare = timeOf(cpu.read, processesOfCallgate) / timeOf(cpu.bare, processesOfBare)
  const last = waiting.at(-1)
  const cost = (last?.memoryOfApi ?? Number.NaN) - idleApi
  const costFresh = restart.memory - (fresh['api'] ?? Number.NaN)
  return [
    `${machine.processors} × ${machine.processor}, ${machine.memoryGiB} GiB, Node ${machine.node}; load ${loads(machine.loadBefore)} before, ${loads(machine.loadAfter)} after; ${machine.seconds} s`,
    `${sizes.rounds} rounds, ${sizes.people} users; medians of the rounds (least to greatest)`,
    '',
    ...table(['', 'p50, 1 client (ms)', 'p95, 1 client (ms)', 'calls/s, 16 clients', 'p50, 16 clients (ms)'], rows),
    '',
    ...table(
      ['processor time of a call at 16 clients (ms)', ...processes, 'all'],
      (['bare', 'read', 'write'] as const).map((kind) => [
        kind,
        ...processes.map((name) => (cpu[kind][name] ?? 0).toFixed(1)),
        processes.reduce((sum, name) => sum + (cpu[kind][name] ?? 0), 0).toFixed(1),
      ]),
    ),
    '',
    `of it on main threads: ${(['read', 'write'] as const)
      .flatMap((kind) => Object.entries(mainCpu[kind]).map(([name, ms]) => `${kind}, ${name} ${ms.toFixed(1)}`))
      .join('; ')}`,
    `delay of event loops, p99 and longest in ms (10 at rest): ${(['read', 'write'] as const)
      .flatMap((kind) =>
        Object.entries(loopDelay[kind]).map(
          ([name, { p99, longest }]) => `${kind}, ${name} ${p99.toFixed(0)} and ${longest.toFixed(0)}`,
        ),
      )
      .join('; ')}`,
    '',
    `accept() alone: p50 ${accepting.p50.toFixed(1)} ms with 1 client; with 16 ${accepting.crowdedP50.toFixed(1)} ms, ${accepting.perSecond.toFixed(0)}/s and ${accepting.cpu.toFixed(2)} ms of processor time each`,
    `settling alone, at a flush of 2 ms: ${whole(settling.after.median)}/s (${whole(settling.after.min)} to ${whole(settling.after.max)}); with the word inside the commit ${whole(settling.inside.median)}/s`,
    `discovery, p50: ${Object.entries(discovery)
      .map(([page, p50]) => `${page} ${p50.toFixed(2)} ms`)
      .join(', ')}`,
    `reads of other keys while one key is refused ${flood.refusedPerSecond.toFixed(0)} times a second: p50 ${flood.flooded.p50.toFixed(1)} ms, p99 ${flood.flooded.p99.toFixed(1)} ms; quiet: ${flood.quiet.p50.toFixed(1)} and ${flood.quiet.p99.toFixed(1)} ms`,
    '',
    ...table(
      ['waiting calls', 'created/s', 'click → effect p50, p95', '→ answer', '→ final', 'bare signal → result p50, p95'],
      waiting.map((level) => [
        String(level.waiting),
        level.createdPerSecond.toFixed(0),
        `${level.toEffect.p50.toFixed(0)}, ${level.toEffect.p95.toFixed(0)} ms`,
        `${level.toAnswer.toFixed(0)} ms`,
        `${level.toFinal.toFixed(0)} ms`,
        `${level.bareSignalToResult.p50.toFixed(0)}, ${level.bareSignalToResult.p95.toFixed(0)} ms`,
      ]),
    ),
    '',
    ...table(
      ['memory (MB)', ...Object.keys(idle)],
      [
        ['just started', ...Object.values(fresh).map(whole)],
        ['none waiting', ...Object.values(idle).map(whole)],
        ...waiting.map(({ waiting: count, memory }) => [`${count} waiting`, ...Object.values(memory).map(whole)]),
      ],
    ),
    `the API when its garbage is collected: ${whole(idleApi)} MB with none waiting, ${waiting.map((level) => `${whole(level.memoryOfApi)} MB with ${level.waiting}`).join(', ')}`,
    '',
    `restart of the API process after SIGKILL with ${last?.waiting} waiting: ready in ${whole(restart.ready)} ms, first call answered after ${whole(restart.firstCall)} ms, ${whole(restart.memory)} MB`,
    `429 answers while measuring: ${straight.limited}`,
    '',
    ...table(
      ['must hold', 'is', ''],
      [
        must('p50 of a read ≤ bare + 6 ms', straight.added, straight.added.median <= 6),
        must('calls/s of reads, 16 clients ≥ 0.8 × bare', straight.throughput, straight.throughput.median >= 0.8, 2),
        ['processor time of a read ≤ 1.15 × bare', `${overBare.toFixed(2)} ×`, verdict(overBare <= 1.15)],
        [
          'p99 of other keys in a flood < 2 × quiet',
          (flood.flooded.p99 / flood.quiet.p99).toFixed(2),
          verdict(flood.flooded.p99 < 2 * flood.quiet.p99),
        ],
        ['accept ≥ 500/s', `${whole(accepting.perSecond)}/s`, verdict(accepting.perSecond >= 500)],
        ['accept ≤ 2 ms of processor time', `${accepting.cpu.toFixed(2)} ms`, verdict(accepting.cpu <= 2)],
        ['API just started ≤ 220 MB', `${whole(fresh['api'] ?? Number.NaN)} MB`, verdict((fresh['api'] ?? 0) <= 220)],
        [
          'settle ≥ 1,500/s at a flush of 2 ms',
          `${whole(settling.after.median)}/s`,
          verdict(settling.after.median >= 1_500),
        ],
        ...Object.entries(discovery).map(([page, p50]) => [
          `p50 of ${page} ≤ 1 ms`,
          `${p50.toFixed(2)} ms`,
          verdict(p50 <= 1),
        ]),
        ...waiting.map(({ waiting: count, toEffect, bareSignalToResult }) => {
          const more = toEffect.p50 - bareSignalToResult.p50
          return [`click → effect ≤ bare + 10 ms, ${count} waiting`, `${more.toFixed(1)} ms`, verdict(more <= 10)]
        }),
        [
          `${last?.waiting} waiting cost the API that made them < 150 MB, garbage collected`,
          `${whole(cost)} MB`,
          verdict(cost < 150),
        ],
        [`${last?.waiting} waiting cost a fresh API < 150 MB`, `${whole(costFresh)} MB`, verdict(costFresh < 150)],
      ],
    ),
  ].join('\n')
}

/** The processes that take part in each; idle ones of the other are left out. */
const processesOfCallgate = ['api', 'worker', 'postgres', 'temporal', 'sandbox', 'bench']
const processesOfBare = ['bare engine', 'bare worker', 'temporal', 'sandbox']

function timeOf(cpu: Readonly<Record<string, number>>, processes: readonly string[]): number {
  return processes.reduce((sum, name) => sum + (cpu[name] ?? Number.NaN), 0)
}

function must(what: string, value: Spread, holds: boolean, digits = 1): string[] {
  return [what, between(value, digits), verdict(holds)]
}

const verdict = (holds: boolean): string => (holds ? 'holds' : 'does not hold')
const whole = (value: number): string => value.toFixed(0)
const loads = (values: readonly number[]): string => values.map((value) => value.toFixed(1)).join(' ')

function between({ median, min, max }: Spread, digits = 1): string {
  return `${median.toFixed(digits)} (${min.toFixed(digits)} to ${max.toFixed(digits)})`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
}
