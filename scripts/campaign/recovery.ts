import type { CallRow } from '../../core/calls/rows.ts'
import type { Held, Kill } from './storm.ts'

/** Seconds from a SIGKILL of an API or worker process until the calls in progress were final. */
export interface Recovery {
  readonly calls: number
  readonly p50: number | null
  readonly p99: number | null
  readonly longest: number | null
  /** The longest ones: what was killed, and which call it was. */
  readonly slowest: readonly string[]
}

type Row = Pick<
  CallRow,
  'id' | 'access' | 'status' | 'confirm' | 'created_at' | 'decision' | 'decided_at' | 'updated_at'
>

/** Calls that start to wait for the app or the user (blocked, signed out) count until then. */
export function recoveryOf(rows: readonly Row[], kills: readonly Kill[], held: Held): Recovery {
  const times = kills
    .filter(({ target }) => target === 'api' || target === 'worker')
    .flatMap(({ target, moment }) =>
      rows.flatMap((row) => {
        const began = row.confirm ? (row.decision === 'approved' ? row.decided_at : null) : row.created_at
        const end = Math.min(row.updated_at.getTime(), held.get(row.id) ?? Infinity)
        if (began === null || began.getTime() >= moment || end <= moment) return []
        const seconds = (end - moment) / 1_000
        return { seconds, text: `${seconds.toFixed(1)} s after ${target}: ${row.id} (${row.access}, ${row.status})` }
      }),
    )
    .toSorted((a, b) => a.seconds - b.seconds)
  const at = (share: number) => times[Math.min(times.length - 1, Math.ceil(share * times.length) - 1)]?.seconds ?? null
  return {
    calls: times.length,
    p50: at(0.5),
    p99: at(0.99),
    longest: times.at(-1)?.seconds ?? null,
    slowest: times.slice(-5).map(({ text }) => text),
  }
}
