import { randomBytes } from 'node:crypto'
import { ulid } from 'ulid'
import type { Context } from '../context.ts'
import { wrapDataKey } from '../secrets/crypto.ts'
import { audit } from '../audit.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'
import { forget } from './devices.ts'
import type { Channel } from './retry-policy.ts'
import { shownSecret } from './event.ts'
import type { CallKind, Shows } from './rows.ts'
import { disableTarget } from './rows.ts'

const webhooksAtMost = 10
const testsAtMost = 5
const secretBytes = 32
/** Hours in which a replaced secret still signs, too. */
const overlapHours = 24

type Parts = Pick<Context, 'db' | 'secrets'>

/** A new webhook or a new secret: the only time that the secret can be read. */
export interface NewSecret {
  readonly id: string
  readonly url: string
  readonly secret: string
}

/** Adds a webhook; the URL must be checked before. 'full': the owner has the maximum. */
export function addWebhook(
  ctx: Parts,
  owner: string,
  url: string,
  kinds: readonly CallKind[],
): Promise<NewSecret | 'full'> {
  return transaction(ctx.db, async (db) => {
    // Locks the user, so that concurrent requests count one after the other.
    await db.query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [owner])
    const { rows } = await db.query<{ n: number }>(
      `SELECT count(*)::integer AS n FROM notice_targets WHERE owner = $1 AND channel = 'webhook' AND deleted_at IS NULL`,
      [owner],
    )
    if ((rows[0]?.n ?? 0) >= webhooksAtMost) return 'full'
    const id = `ntt_${ulid()}`
    const secret = randomBytes(secretBytes)
    await db.query(
      `INSERT INTO notice_targets (id, owner, channel, kinds, url, secret) VALUES ($1, $2, 'webhook', $3, $4, $5)`,
      [id, owner, kinds, url, wrapDataKey(ctx.secrets, id, secret)],
    )
    await audit(db, owner, 'webhook.created', { webhook: id, host: hostOf(url), kinds })
    return { id, url, secret: shownSecret(secret) }
  })
}

/** A new secret; for a day the old one signs, too. Undefined: the owner has no such webhook. */
export function rotateSecret(ctx: Parts, owner: string, id: string): Promise<NewSecret | undefined> {
  return transaction(ctx.db, async (db) => {
    const secret = randomBytes(secretBytes)
    const { rows } = await db.query<{ url: string }>(
      `UPDATE notice_targets SET old_secret = secret, old_secret_until = clock_timestamp() + make_interval(hours => $4), secret = $3
       WHERE id = $1 AND owner = $2 AND channel = 'webhook' AND deleted_at IS NULL RETURNING url`,
      [id, owner, wrapDataKey(ctx.secrets, id, secret), overlapHours],
    )
    const found = rows[0]
    if (found === undefined) return undefined
    await audit(db, owner, 'webhook.secret', { webhook: id, overlap_hours: overlapHours })
    return { id, url: found.url, secret: shownSecret(secret) }
  })
}

/** False: the owner has no such target. Disabling drops its pending notifications. */
export function setTargetEnabled(ctx: Parts, owner: string, id: string, enabled: boolean): Promise<boolean> {
  return transaction(ctx.db, async (db) => {
    const before = await own(db, owner, id)
    if (before === undefined) return false
    if (before.enabled === enabled) return true
    if (enabled) await db.query('UPDATE notice_targets SET enabled = true, disabled_reason = NULL WHERE id = $1', [id])
    else await disableTarget(db, id, null)
    await note(db, owner, 'switched', before, { on: enabled })
    return true
  })
}

/** False: no such target, or the email target, which lasts as long as the account. */
export function deleteTarget(ctx: Parts, owner: string, id: string): Promise<boolean> {
  return transaction(ctx.db, async (db) => {
    const target = await own(db, owner, id)
    if (target === undefined || target.channel === 'email') return false
    await forget(db, id)
    await note(db, owner, 'deleted', target, {})
    return true
  })
}

/**
 * Requests a test, which is tried once. 'off': the target is disabled; a number: seconds until the
 * next test is allowed; undefined: the owner has no such target.
 */
export function askForTest(ctx: Parts, owner: string, id: string): Promise<'asked' | 'off' | number | undefined> {
  return transaction(ctx.db, async (db) => {
    const target = await own(db, owner, id)
    if (target?.enabled !== true) return target && 'off'
    const { rows: admitted } = await db.query<{ wait: number }>(
      `SELECT CASE WHEN admitted THEN 0 ELSE ceil(extract(epoch FROM retry_after))::integer END AS wait
       FROM admit($1, $2, interval '1 minute')`,
      [`notice-test:${owner}`, testsAtMost],
    )
    const wait = admitted[0]?.wait ?? 0
    if (wait > 0) return wait
    await db.query(`INSERT INTO notices (id, owner, target, kind) VALUES ($1, $2, $3, 'test')`, [
      `ntc_${randomBytes(16).toString('hex')}`,
      owner,
      id,
    ])
    await note(db, owner, 'tested', target, {})
    return 'asked'
  })
}

/** What a target is notified of, and how much it shows. */
export interface TargetChoice {
  readonly kinds: readonly CallKind[]
  /** Apps and kinds that it does not get, such as `crm call.final`. */
  readonly muted: readonly string[]
  readonly shows: Shows
  /** Undefined: unchanged. */
  readonly name?: string
}

/** False: the owner has no such target. */
export function changeTarget(ctx: Parts, owner: string, id: string, choice: TargetChoice): Promise<boolean> {
  const { kinds, muted, shows, name } = choice
  return transaction(ctx.db, async (db) => {
    const target = await own(db, owner, id)
    if (target === undefined) return false
    await db.query(
      'UPDATE notice_targets SET kinds = $2, muted = $3, shows = $4, name = coalesce($5, name) WHERE id = $1',
      [id, kinds, muted, shows, name ?? null],
    )
    await note(db, owner, 'changed', target, { kinds, shows })
    return true
  })
}

interface OwnTarget {
  readonly id: string
  readonly channel: Channel
  readonly enabled: boolean
  readonly name: string | null
}

async function own(db: Db, owner: string, id: string): Promise<OwnTarget | undefined> {
  const { rows } = await db.query<OwnTarget>(
    `SELECT id, channel, enabled, name FROM notice_targets
     WHERE id = $1 AND owner = $2 AND deleted_at IS NULL FOR NO KEY UPDATE`,
    [id, owner],
  )
  return rows[0]
}

async function note(
  db: Db,
  owner: string,
  what: 'switched' | 'deleted' | 'tested' | 'changed',
  { id, channel, name }: OwnTarget,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (channel === 'webhook') return audit(db, owner, `webhook.${what}`, { webhook: id, ...detail })
  return audit(db, owner, `notices.${what}`, { channel, ...(name !== null && { name }), ...detail })
}

/** Turns emails about waiting calls on or off. */
export function setEmailNotices(ctx: Pick<Context, 'db'>, owner: string, on: boolean): Promise<void> {
  return transaction(ctx.db, async (db) => {
    const { rows } = await db.query<{ id: string }>(
      `INSERT INTO notice_targets (id, owner, channel, kinds, enabled) VALUES ($1, $2, 'email', '{call.waiting}', $3)
       ON CONFLICT (owner) WHERE channel = 'email'
         DO UPDATE SET enabled = notice_targets.enabled OR excluded.enabled RETURNING id`,
      [`ntt_${ulid()}`, owner, on],
    )
    const id = rows[0]?.id
    if (!on && id !== undefined) await disableTarget(db, id, null)
    await audit(db, owner, 'notices.email', { on })
  })
}

/** The part of a URL that a log may show: the rest may hold a secret. */
function hostOf(url: string): string {
  return new URL(url).host
}
