import type { DatabaseSync } from 'node:sqlite'
import { isRecord } from './body.ts'
import { maybeNumber, number, one, run, text } from './rows.ts'

/** These hit any request. */
export const anyRequest = ['block'] as const
/** These hit any request of a live session, and last until the person has finished them. */
export const sessionFaults = ['expire', 'captcha', 'mfa'] as const
/** These count only requests that carry the action. */
export const actionFaults = ['rate_limit', 'error', 'drop_before', 'drop_after', 'garbage', 'huge', 'slow'] as const

const kinds = [...anyRequest, ...sessionFaults, ...actionFaults]
export type FaultKind = (typeof kinds)[number]

export interface Fault {
  kind: FaultKind
  /** slow: how late the answer is. */
  ms: number
  /** rate_limit: seconds, for the Retry-After header. */
  retryAfter: number
}

export interface NewFault extends Fault {
  times: number
  path: string
}

const fields = ['kind', 'times', 'path', 'ms', 'retry_after']

function whole(value: unknown, preset: number, low: number, high: number): number | undefined {
  if (value === undefined) return preset
  return typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high ? value : undefined
}

/** The fault that a control request describes, or a sentence that says what is wrong with it. */
export function parseFault(slug: string, input: unknown): NewFault | string {
  if (!isRecord(input)) return 'The body must be a JSON object such as { "kind": "block", "times": 1, "path": "/" }.'
  const unknown = Object.keys(input).find((name) => !fields.includes(name))
  if (unknown !== undefined) return `There is no field "${unknown}"; there are: ${fields.join(', ')}.`
  const kind = kinds.find((name) => name === input['kind'])
  if (kind === undefined) return `"kind" must be one of ${kinds.join(', ')}.`
  const times = whole(input['times'], 1, 1, 1_000_000)
  if (times === undefined) return '"times" must be a whole number from 1 to 1000000.'
  const wanted = input['path'] ?? '/'
  const path =
    typeof wanted === 'string' && `${wanted}/`.startsWith(`/${slug}/`) ? wanted.slice(slug.length + 1) || '/' : wanted
  if (typeof path !== 'string' || !path.startsWith('/')) return `"path" must begin with "/": a prefix below /${slug}.`
  if (input['ms'] !== undefined && kind !== 'slow') return '"ms" goes with the kind "slow" only.'
  const ms = whole(input['ms'], 20_000, 0, 600_000)
  if (ms === undefined) return '"ms" must be a whole number from 0 to 600000.'
  if (input['retry_after'] !== undefined && kind !== 'rate_limit')
    return '"retry_after" goes with the kind "rate_limit" only.'
  const retryAfter = whole(input['retry_after'], 2, 0, 86_400)
  if (retryAfter === undefined) return '"retry_after" must be a whole number of seconds from 0 to 86400.'
  return { kind, times, path, ms, retryAfter }
}

export function addFault(db: DatabaseSync, fault: NewFault): void {
  const sql = 'INSERT INTO sb_faults (kind, times, path, ms, retry_after) VALUES (?, ?, ?, ?, ?)'
  run(db, sql, fault.kind, fault.times, fault.path, fault.ms, fault.retryAfter)
}

/** Uses up one turn of the oldest armed fault of these kinds that covers the path. */
export function takeFault(db: DatabaseSync, among: readonly FaultKind[], path: string): Fault | undefined {
  const marks = among.map(() => '?').join(', ')
  const sql = `UPDATE sb_faults SET times = times - 1 WHERE id = (SELECT id FROM sb_faults WHERE times > 0
    AND kind IN (${marks}) AND substr(?, 1, length(path)) = path ORDER BY id LIMIT 1) RETURNING kind, ms, retry_after`
  if (!one(db, 'SELECT 1 FROM sb_faults WHERE times > 0 LIMIT 1')) return undefined
  const row = one(db, sql, ...among, path)
  const kind = row && kinds.find((name) => name === text(row, 'kind'))
  if (!row || !kind) return undefined
  return { kind, ms: maybeNumber(row, 'ms') ?? 0, retryAfter: number(row, 'retry_after') }
}
