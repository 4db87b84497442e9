import type { Context } from '../context.ts'
import type { Db } from '../database/pool.ts'
import { audit } from '../audit.ts'
import { transaction } from '../database/pool.ts'

/** Quiet hours in a user's time zone. */
export interface Quiet {
  /** Minutes after midnight; an end before the start is on the next day. */
  readonly from_minute: number
  readonly to_minute: number
  /** IANA name. */
  readonly zone: string
}

const dayMinutes = 1_440

/** ms left of the quiet hours; 0 = not quiet. Checked again then, as the clocks may change. */
export function quietLeft({ from_minute: from, to_minute: to, zone }: Quiet, now: Date): number {
  const at = minuteIn(zone, now)
  const isQuiet = from < to ? at >= from && at < to : at >= from || at < to
  if (!isQuiet) return 0
  const minutes = (to - at + dayMinutes) % dayMinutes
  return minutes * 60_000 - (now.getTime() % 60_000)
}

function minuteIn(zone: string, now: Date): number {
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const parts = clock.formatToParts(now)
  const part = (type: 'hour' | 'minute'): number => Number(parts.find((one) => one.type === type)?.value)
  return part('hour') * 60 + part('minute')
}

export function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    // Intl throws for an unknown zone.
    return false
  }
}

export async function readQuiet(db: Db, owner: string): Promise<Quiet | undefined> {
  const { rows } = await db.query<Quiet>('SELECT from_minute, to_minute, zone FROM quiet_hours WHERE owner = $1', [
    owner,
  ])
  return rows[0]
}

/** Undefined: removes them. Messages held by the old quiet hours are checked within a minute. */
export function setQuiet(ctx: Pick<Context, 'db'>, owner: string, quiet: Quiet | undefined): Promise<void> {
  return transaction(ctx.db, async (db) => {
    if (quiet === undefined) await db.query('DELETE FROM quiet_hours WHERE owner = $1', [owner])
    else
      await db.query(
        `INSERT INTO quiet_hours (owner, from_minute, to_minute, zone) VALUES ($1, $2, $3, $4)
         ON CONFLICT (owner) DO UPDATE SET from_minute = $2, to_minute = $3, zone = $4`,
        [owner, quiet.from_minute, quiet.to_minute, quiet.zone],
      )
    await db.query(
      `UPDATE notice_targets SET mail_at = least(mail_at, clock_timestamp() + interval '1 minute') WHERE owner = $1`,
      [owner],
    )
    await audit(db, owner, 'notices.quiet', { on: quiet !== undefined })
  })
}
