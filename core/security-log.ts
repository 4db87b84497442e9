import type { Logger } from 'pino'
import type { Db, Pool } from './database/pool.ts'
import { errorName } from './error-labels.ts'
import { CannotOpen } from './secrets/crypto.ts'

/** Kinds of refusals that an attack would leave behind. */
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
  'access_refused',
  'grant_ended',
  'row_tampered',
] as const
export type SecurityKind = (typeof securityKinds)[number]

/** Logs refusals without delaying the response: they are written in batches every 2 s. */
export interface SecurityLog {
  /**
   * `address`: the client's; '' without one. `subject`: a key's or row's id; whitespace becomes
   * `_`.
   */
  note(kind: SecurityKind, address: string, subject?: string): void
  /** Writes pending entries. Entries that cannot be written are retried with the next flush. */
  flush(): Promise<void>
  /** Count of each kind since the process started. */
  counts(): ReadonlyMap<SecurityKind, number>
}

export interface SecurityEntry {
  /** Start of the minute. */
  readonly minute: Date
  readonly kind: SecurityKind
  readonly address: string
  /** Occurrences in that minute. */
  readonly times: number
  /** Affected keys or rows: at most `mostSubjects`, plus one if there were more. */
  readonly subjects: readonly string[]
}

const writeEvery = 2_000
/** Per kind and minute, so that a flood neither hides other kinds nor fills the disk. */
const mostAddresses = 50
export const mostSubjects = 100
const keptDays = 90

/** One per process. */
export function createSecurityLog({ db, log }: { readonly db: Pool; readonly log: Logger }): SecurityLog {
  const counts = new Map<SecurityKind, number>()
  const unwritten = new Map<string, SecurityEntry>()
  const addressOf = fewAddresses()
  let timer: NodeJS.Timeout | undefined
  const add = (entry: SecurityEntry): void => {
    const id = `${entry.minute.getTime()} ${entry.kind} ${entry.address}`
    const before = unwritten.get(id)
    const subjects = [...new Set([...(before?.subjects ?? []), ...entry.subjects])].slice(0, mostSubjects + 1)
    unwritten.set(id, { ...entry, times: (before?.times ?? 0) + entry.times, subjects })
    timer ??= setTimeout(() => void flush(), writeEvery).unref()
  }
  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const entries = [...unwritten.values()]
    // The pool has ended, so nothing can write these.
    if (entries.length === 0 || db.ended) return
    unwritten.clear()
    try {
      await write(db, entries)
    } catch (error) {
      entries.forEach(add)
      log.warn({ reason: errorName(error) }, 'the security log was not written; it is tried again')
    }
  }
  return {
    note(kind, given, subject) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
      const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000)
      const address = addressOf(minute, kind, given.replace(/^::ffff:/i, '').slice(0, 64))
      add({ minute, kind, address, times: 1, subjects: subject === undefined ? [] : [plain(subject)] })
    },
    flush,
    counts: () => counts,
  }
}

/** Subjects are stored joined by spaces. */
const plain = (subject: string): string => subject.replaceAll(/\s/g, '_').slice(0, 200)

/** Returns the address if it is among the first of its kind in the minute, else `(others)`. */
function fewAddresses(): (minute: Date, kind: SecurityKind, address: string) => string {
  let now = 0
  const noted = new Map<SecurityKind, Set<string>>()
  return (minute, kind, address) => {
    if (minute.getTime() !== now) noted.clear()
    now = minute.getTime()
    const known = noted.get(kind) ?? new Set()
    noted.set(kind, known)
    if (!known.has(address) && known.size >= mostAddresses) return '(others)'
    known.add(address)
    return address
  }
}

/**
 * Records that a row failed verification: either it was tampered with, or the key that signed or
 * sealed it is gone; the two cannot be told apart. The caller refuses what the row would have
 * allowed.
 */
export function noteTampered({ security }: { readonly security: SecurityLog }, subject: string): void {
  security.note('row_tampered', '', subject)
}

/** Logs the error, and records it for operators if a sealed value did not open. */
export function logUnopened(
  ctx: { readonly log: Logger; readonly security: SecurityLog },
  about: Readonly<Record<string, string>>,
  error: unknown,
  message: string,
): void {
  ctx.log.error({ ...about, err: error }, message)
  noteIfUnopened(ctx, error)
}

/** Records the error for operators if it is a sealed value that did not open. */
export function noteIfUnopened(ctx: { readonly security: SecurityLog }, thrown: unknown): void {
  if (thrown instanceof CannotOpen) noteTampered(ctx, thrown.about)
}

async function write(db: Db, entries: readonly SecurityEntry[]): Promise<void> {
  await db.query(
    `INSERT INTO security_log (minute, kind, address, times, subjects)
     SELECT minute, kind, address, times, string_to_array(subjects, ' ')
     FROM unnest($1::timestamptz[], $2::text[], $3::text[], $4::integer[], $5::text[]) AS noted(minute, kind, address, times, subjects)
     ON CONFLICT (minute, kind, address) DO UPDATE SET times = security_log.times + excluded.times,
       subjects = ARRAY(SELECT DISTINCT s FROM unnest(security_log.subjects || excluded.subjects) s ORDER BY s LIMIT $6)`,
    [
      entries.map(({ minute }) => minute.toISOString()),
      entries.map(({ kind }) => kind),
      entries.map(({ address }) => address),
      entries.map(({ times }) => times),
      entries.map(({ subjects }) => subjects.join(' ')),
      mostSubjects + 1,
    ],
  )
}

/** Newest first; of one kind, or of all. */
export async function listSecurityLog(db: Db, limit: number, kind?: SecurityKind): Promise<readonly SecurityEntry[]> {
  const { rows } = await db.query<SecurityEntry>(
    `SELECT minute, kind, address, times, subjects FROM security_log WHERE $2::text IS NULL OR kind = $2
     ORDER BY minute DESC, times DESC, kind, address LIMIT $1`,
    [limit, kind ?? null],
  )
  return rows
}

/** Count of each kind in the last 24 hours, most frequent first. */
export async function securityToday(
  db: Db,
): Promise<readonly { readonly kind: SecurityKind; readonly times: number }[]> {
  const { rows } = await db.query<{ kind: SecurityKind; times: number }>(
    `SELECT kind, sum(times)::float8 AS times FROM security_log WHERE minute > now() - interval '24 hours'
     GROUP BY kind ORDER BY times DESC, kind`,
  )
  return rows
}

/** Deletes entries older than `keptDays`. */
export async function pruneSecurityLog(db: Db): Promise<void> {
  await db.query('DELETE FROM security_log WHERE minute < now() - make_interval(days => $1)', [keptDays])
}
