import { readFileSync, readdirSync } from 'node:fs'

/** Timing of a batch of equal work items. */
export interface Timed {
  /** Milliseconds per item, in order of completion. */
  readonly ms: readonly number[]
  readonly perSecond: number
}

/** Works off the items with `clients` at once. */
export async function lanes<T>(
  clients: number,
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<Timed> {
  const queue = [...items]
  const ms: number[] = []
  const began = performance.now()
  const lane = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      const start = performance.now()
      await work(item)
      ms.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: clients }, lane))
  return { ms, perSecond: (items.length / (performance.now() - began)) * 1000 }
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * q
  const low = sorted[Math.floor(place)] ?? Number.NaN
  const high = sorted[Math.ceil(place)] ?? Number.NaN
  return low + (high - low) * (place - Math.floor(place))
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** Named groups of processes; a group follows its children. */
export type Groups = Readonly<Record<string, () => readonly number[]>>

/** A process and its children. */
export function withChildren(pid: number): readonly number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: Number(statOf(Number(name))?.[1]) }))
  return [pid, ...parents.filter(({ parent }) => parent === pid).map((child) => child.pid)]
}

/** CPU time of each group incl. exited children, in ms. Source: proc(5), at 100 ticks a second. */
export function cpuOf(groups: Groups): Record<string, number> {
  return mapGroups(groups, (pid) => {
    const fields = statOf(pid) ?? []
    return [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field] ?? 0) * 10, 0)
  })
}

/** CPU time of the main threads alone, which determine latency. */
export function mainCpuOf(groups: Groups): Record<string, number> {
  return mapGroups(groups, (pid) => {
    const fields = fieldsOf(readProc(`/proc/${pid}/task/${pid}/stat`)) ?? []
    return [11, 12].reduce((sum, field) => sum + Number(fields[field] ?? 0) * 10, 0)
  })
}

/** Memory of each group in MB: resident, with shared pages counted once. */
export function memoryOf(groups: Groups): Record<string, number> {
  return mapGroups(groups, (pid, alone) => {
    const [file, name] = alone ? ['status', 'VmRSS'] : ['smaps_rollup', 'Pss']
    const found = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readProc(`/proc/${pid}/${file}`) ?? '')
    return Number(found?.[1] ?? 0) / 1024
  })
}

function mapGroups(groups: Groups, measure: (pid: number, alone: boolean) => number): Record<string, number> {
  return Object.fromEntries(
    Object.entries(groups).map(([name, pids]) => {
      const members = pids()
      return [name, members.reduce((sum, pid) => sum + measure(pid, members.length === 1), 0)]
    }),
  )
}

/** The fields after the command name, from the state on. */
function statOf(pid: number): string[] | undefined {
  return fieldsOf(readProc(`/proc/${pid}/stat`))
}

function fieldsOf(stat: string | undefined): string[] | undefined {
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function readProc(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // The process has ended.
    return undefined
  }
}
