import type { Logger } from 'pino'
import type { Db } from './database/pool.ts'
import { errorName } from './error-labels.ts'

/** What is noted: a refusal that an attack would leave behind. */
export const securityKinds = [
  'sign_in_failed',
  'sign_in_slowed',
  'reset_asked',
  'reset_slowed',
  'recovery_used',
  'operator_refused',
  'operator_slowed',
  'host_refused',
  'key_refused',
] as const
export type SecurityKind = (typeof securityKinds)[number]

/** Notes refusals without holding up the answer: they are written together, every few seconds. */
export interface SecurityLog {
  /** `address`: the client's, as far as it is known. */
  note(kind: SecurityKind, address: string): void
  /** Writes what is noted. What cannot be written now is tried again with the next. */
  flush(): Promise<void>
}

export interface SecurityEntry {
  /** The minute's beginning. */
  readonly minute: Date
  readonly kind: SecurityKind
  readonly address: string
  /** How often in that minute. */
  readonly times: number
}

const writeEvery = 2_000
/** So many rows are noted between two writes; further addresses count as others. */
const mostRows = 100
const keptDays = 90

/** One per process. `count` is told of each refusal, for the metrics; `stopped` ends the writing, after what is noted was written. */
export function createSecurityLog(parts: {
  readonly db: Db
  readonly log: Logger
  readonly count: (kind: SecurityKind) => void
  readonly stopped: AbortSignal
}): SecurityLog {
  const { db, log, count, stopped } = parts
  const noted = new Map<string, SecurityEntry>()
  const add = (entry: SecurityEntry): void => {
    const { minute, kind } = entry
    const idOf = (address: string): string => `${minute.getTime()} ${kind} ${address}`
    const known = noted.has(idOf(entry.address)) || noted.size < mostRows
    const address = known ? entry.address : '(others)'
    const id = idOf(address)
    noted.set(id, { ...entry, address, times: (noted.get(id)?.times ?? 0) + entry.times })
  }
  const security: SecurityLog = {
    note(kind, address) {
      count(kind)
      const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000)
      add({ minute, kind, address: address.replace(/^::ffff:/i, '').slice(0, 64), times: 1 })
    },
    async flush() {
      const entries = [...noted.values()]
      if (entries.length === 0) return
      noted.clear()
      try {
        await write(db, entries)
      } catch (error) {
        entries.forEach(add)
        log.warn({ reason: errorName(error) }, 'the security log was not written; it is tried again')
      }
    },
  }
  const timer = setInterval(() => void security.flush(), writeEvery)
  timer.unref()
  stopped.addEventListener('abort', () => {
    clearInterval(timer)
    void security.flush()
  })
  return security
}

async function write(db: Db, entries: readonly SecurityEntry[]): Promise<void> {
  await db.query(
    `INSERT INTO security_log (minute, kind, address, times)
     SELECT * FROM unnest($1::timestamptz[], $2::text[], $3::text[], $4::integer[])
     ON CONFLICT (minute, kind, address) DO UPDATE SET times = security_log.times + excluded.times`,
    [
      entries.map(({ minute }) => minute.toISOString()),
      entries.map(({ kind }) => kind),
      entries.map(({ address }) => address),
      entries.map(({ times }) => times),
    ],
  )
}

/** Newest first. */
export async function listSecurityLog(db: Db, limit: number): Promise<readonly SecurityEntry[]> {
  const { rows } = await db.query<SecurityEntry>(
    'SELECT minute, kind, address, times FROM security_log ORDER BY minute DESC, times DESC, kind, address LIMIT $1',
    [limit],
  )
  return rows
}

/** Forgets what is older than it is kept. */
export async function pruneSecurityLog(db: Db): Promise<void> {
  await db.query('DELETE FROM security_log WHERE minute < now() - make_interval(days => $1)', [keptDays])
}
