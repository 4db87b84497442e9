import type { Violations } from './checks.ts'
import type { Recovery } from './recovery.ts'

export interface Report {
  readonly seed: number
  readonly seconds: number
  readonly wishes: number
  readonly kills: Readonly<Record<string, number>>
  readonly missedKills: number
  readonly calls: Readonly<Record<string, number>>
  readonly effects: number
  readonly answers: Readonly<Record<string, number>>
  /** Seconds after the last wish until every call was final; null: some never were. */
  readonly settled: number | null
  readonly violations: Violations
  readonly ledgerDifference: number
  readonly recovery: Recovery
  /** Of kills without another kill nearby. */
  readonly recoveryAlone: Recovery
}

export function holds({ violations, ledgerDifference, settled }: Report): boolean {
  return settled !== null && ledgerDifference === 0 && listsOf(violations).every(([, list]) => list.length === 0)
}

export function tell(report: Report): string {
  const { violations } = report
  const lines: [string, string][] = [
    ['seed', String(report.seed)],
    ['duration', `${report.seconds.toFixed(0)} s`],
    ['wishes', String(report.wishes)],
    ['killed', `${listed(report.kills)}${report.missedKills ? `; ${report.missedKills} found nothing to kill` : ''}`],
    ['calls', listed(report.calls)],
    ['effects', String(report.effects)],
    ['settled after', report.settled === null ? 'never' : `${report.settled.toFixed(1)} s`],
    ...listsOf(violations).map(([name, list]): [string, string] => [name, String(list.length)]),
    ['ledger difference', String(report.ledgerDifference)],
    ['recovery', times(report.recovery)],
    ['recovery, alone', times(report.recoveryAlone)],
  ]
  const table = lines.map(([name, value]) => `${name.padEnd(20)}${value}`)
  const broken = listsOf(violations).flatMap(([name, list]) => list.slice(0, 20).map((text) => `${name}: ${text}`))
  return [...table, ...broken].join('\n')
}

function listsOf(violations: Violations): [string, readonly string[]][] {
  return Object.entries(violations) as [keyof Violations, readonly string[]][]
}

function listed(counts: Readonly<Record<string, number>>): string {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const parts = Object.entries(counts).map(([name, count]) => `${name} ${count}`)
  return `${total}: ${parts.join(', ')}`
}

function times({ calls, p50, p99, longest }: Recovery): string {
  if (p50 === null || p99 === null || longest === null) return 'no call was open at a kill'
  return `p50 ${p50.toFixed(2)} s, p99 ${p99.toFixed(2)} s, longest ${longest.toFixed(2)} s (${calls} calls)`
}
