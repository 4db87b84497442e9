import { randomBytes } from 'node:crypto'
import { ulid } from 'ulid'
import type { Context } from '../context.ts'
import { wrapDataKey } from '../secrets/crypto.ts'
import { audit } from '../audit.ts'
import { transaction } from '../database/pool.ts'
import { shownSecret } from './event.ts'
import type { NoticeKind } from './rows.ts'
import { disableTarget } from './rows.ts'

const webhooksAtMost = 10
const testsAtMost = 5
const secretBytes = 32
/** Hours in which an old secret signs too. */
const overlapHours = 24

export type CallKind = Exclude<NoticeKind, 'test'>

type Parts = Pick<Context, 'db' | 'secrets'>

/** A webhook that was just made, or whose secret was: the only moment in which it can be read. */
export interface NewSecret {
  readonly id: string
  readonly url: string
  readonly secret: string
}

/** Adds a webhook; 'full': the owner has as many as may be. The address was checked. */
export function addWebhook(
  ctx: Parts,
  owner: string,
  url: string,
  kinds: readonly CallKind[],
): Promise<NewSecret | 'full'> {
  return transaction(ctx.db, async (db) => {
    // Two at once count one after the other.
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

/** A new secret; for a day the old one signs too. Undefined: the owner has no such webhook. */
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

/** False: the owner has no such webhook. Switched off, what is still to be told there is dropped. */
export function setWebhookEnabled(ctx: Parts, owner: string, id: string, enabled: boolean): Promise<boolean> {
  return transaction(ctx.db, async (db) => {
    const { rows } = await db.query<{ enabled: boolean }>(
      `SELECT enabled FROM notice_targets
       WHERE id = $1 AND owner = $2 AND channel = 'webhook' AND deleted_at IS NULL FOR NO KEY UPDATE`,
      [id, owner],
    )
    const before = rows[0]
    if (before === undefined) return false
    if (before.enabled === enabled) return true
    if (enabled) await db.query('UPDATE notice_targets SET enabled = true, disabled_reason = NULL WHERE id = $1', [id])
    else await disableTarget(db, id, null)
    await audit(db, owner, 'webhook.switched', { webhook: id, on: enabled })
    return true
  })
}

/** False: the owner has no such webhook. */
export function deleteWebhook(ctx: Parts, owner: string, id: string): Promise<boolean> {
  return transaction(ctx.db, async (db) => {
    const { rowCount } = await db.query(
      `SELECT 1 FROM notice_targets
       WHERE id = $1 AND owner = $2 AND channel = 'webhook' AND deleted_at IS NULL FOR NO KEY UPDATE`,
      [id, owner],
    )
    if (rowCount !== 1) return false
    await disableTarget(db, id, null)
    await db.query(
      `UPDATE notice_targets SET deleted_at = clock_timestamp(), disabled_reason = NULL, secret = NULL, old_secret = NULL,
         old_secret_until = NULL WHERE id = $1`,
      [id],
    )
    await audit(db, owner, 'webhook.deleted', { webhook: id })
    return true
  })
}

/** Asks for a test, which is tried once. 'off': it is switched off; a number: so many seconds until the next may be asked for. */
export function askForTest(ctx: Parts, owner: string, id: string): Promise<'asked' | 'off' | number | undefined> {
  return transaction(ctx.db, async (db) => {
    const { rows } = await db.query<{ enabled: boolean }>(
      `SELECT enabled FROM notice_targets WHERE id = $1 AND owner = $2 AND channel = 'webhook' AND deleted_at IS NULL`,
      [id, owner],
    )
    if (rows[0]?.enabled !== true) return rows[0] && 'off'
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
    await audit(db, owner, 'webhook.tested', { webhook: id })
    return 'asked'
  })
}

/** Emails about waiting calls, to the address of the account. */
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

/** Of an address, what a log may show: the rest may be a secret of the receiver. */
function hostOf(url: string): string {
  return new URL(url).host
}
