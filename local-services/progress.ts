import { readFileSync, readdirSync } from 'node:fs'

/** Processor time in ticks, and bytes read and written. */
type Work = readonly [ticks: number, bytes: number]

/**
 * Resolves once a process, its children and its process group have used no CPU time and moved no
 * bytes for `stalledMs`; never if they end before. The signal stops the watch.
 */
export function stalled(pid: number, stalledMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let last = workOf(pid)
    let since = performance.now()
    const timer = setInterval(
      () => {
        const now = workOf(pid)
        if (now.some((amount, at) => amount !== last[at])) {
          last = now
          since = performance.now()
        } else if (performance.now() - since >= stalledMs) {
          clearInterval(timer)
          resolve()
        }
      },
      Math.min(1_000, stalledMs / 4),
    )
    timer.unref()
    signal.addEventListener('abort', () => clearInterval(timer), { once: true })
    if (signal.aborted) clearInterval(timer)
  })
}

/** Source: proc_pid_stat(5), proc_pid_io(5). */
export function workOf(pid: number): Work {
  let ticks = 0
  let bytes = 0
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const stat = read(`/proc/${entry}/stat`)
    // The command name is in parentheses and may contain any character.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [, parent, group] = fields.map(Number)
    if (Number(entry) !== pid && parent !== pid && group !== pid) continue
    ticks += Number(fields[11]) + Number(fields[12])
    const io = read(`/proc/${entry}/io`)
    for (const [, amount] of io.matchAll(/^[rw]char: (\d+)$/gm)) bytes += Number(amount)
  }
  return [ticks, bytes]
}

/** '' if the process has just ended, or the file belongs to another user. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
