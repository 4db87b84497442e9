import { createECDH, createHash } from 'node:crypto'
import { ulid } from 'ulid'
import type { Context } from '../context.ts'
import type { Db } from '../database/pool.ts'
import { audit } from '../audit.ts'
import { transaction } from '../database/pool.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import { checkUrl } from './address.ts'
import { topicOf } from './ntfy.ts'
import type { Topic } from './ntfy.ts'
import type { Subscription } from './push.ts'
import type { PersonChannel } from './retry-policy.ts'
import { disableTarget } from './rows.ts'
import { sealPlace } from './sealed.ts'

const atMost = { push: 20, ntfy: 5 } as const

type Parts = Pick<Context, 'db' | 'secrets'>

/** A browser's push subscription from JSON; undefined if invalid, or if its URL is not allowed. */
export function subscriptionFrom(text: string, networks: readonly string[]): Subscription | undefined {
  const told = parsed(text)
  const keys = isFields(told) ? told['keys'] : undefined
  if (!isFields(told) || !isFields(keys)) return undefined
  const [endpoint, p256dh, auth] = [told['endpoint'], keys['p256dh'], keys['auth']]
  if (typeof endpoint !== 'string' || typeof p256dh !== 'string' || typeof auth !== 'string') return undefined
  const checked = checkUrl(endpoint, networks)
  if ('problem' in checked || !isOnCurve(p256dh) || Buffer.from(auth, 'base64url').length !== 16) return undefined
  return { endpoint: checked.url, p256dh, auth }
}

/**
 * Stores the subscription sealed: its secrets and our key together allow pushing. A browser that
 * was added before is updated, or moves here if another user had added it.
 */
export function addDevice(
  ctx: Parts,
  owner: string,
  name: string,
  subscription: Subscription,
): Promise<{ readonly id: string } | 'full'> {
  const place = createHash('sha256').update(subscription.endpoint).digest()
  return transaction(ctx.db, async (db) => {
    const { rows } = await db.query<{ id: string; owner: string }>(
      'SELECT id, owner FROM notice_targets WHERE place = $1 FOR NO KEY UPDATE',
      [place],
    )
    const before = rows[0]
    if (before?.owner === owner) {
      await db.query(
        'UPDATE notice_targets SET name = $2, secret = $3, enabled = true, disabled_reason = NULL WHERE id = $1',
        [before.id, name, sealPlace(ctx, before.id, { ...subscription })],
      )
      return { id: before.id }
    }
    if (before !== undefined) await forget(db, before.id)
    return insert(ctx, db, owner, { channel: 'push', name, place, secret: { ...subscription } })
  })
}

/** Adds a topic of an ntfy server. `problem`: why it is refused. */
export async function addTopic(
  ctx: Parts,
  owner: string,
  typed: { readonly url: string; readonly token: string },
  networks: readonly string[],
): Promise<{ readonly id: string } | { readonly problem: string }> {
  const checked = checkUrl(typed.url, networks)
  if ('problem' in checked) return checked
  const { host, search } = new URL(checked.url)
  if (search !== '' || topicOf(checked.url) === undefined)
    return { problem: 'A topic looks like https://ntfy.sh/a-word-nobody-guesses.' }
  if (!/^[\x21-\x7e]{0,100}$/.test(typed.token))
    return { problem: 'An access token has no spaces: it looks like tk_….' }
  const topic: Topic = { url: checked.url, token: typed.token === '' ? null : typed.token }
  const made = await transaction(ctx.db, (db) =>
    insert(ctx, db, owner, { channel: 'ntfy', name: host.slice(0, 60), place: null, secret: { ...topic } }),
  )
  return made === 'full' ? { problem: `There are ${atMost.ntfy} topics already: delete one first.` } : made
}

async function insert(
  ctx: Parts,
  db: Db,
  owner: string,
  made: {
    readonly channel: Exclude<PersonChannel, 'email'>
    readonly name: string
    readonly place: Buffer | null
    readonly secret: Readonly<Record<string, unknown>>
  },
): Promise<{ readonly id: string } | 'full'> {
  const { channel, name, place, secret } = made
  // Locks the user, so that concurrent requests count one after the other.
  await db.query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [owner])
  const { rows } = await db.query<{ n: number }>(
    'SELECT count(*)::integer AS n FROM notice_targets WHERE owner = $1 AND channel = $2 AND deleted_at IS NULL',
    [owner, channel],
  )
  if ((rows[0]?.n ?? 0) >= atMost[channel]) return 'full'
  const id = `ntt_${ulid()}`
  await db.query(
    `INSERT INTO notice_targets (id, owner, channel, kinds, name, place, secret)
     VALUES ($1, $2, $3, '{call.waiting}', $4, $5, $6)`,
    [id, owner, channel, name, place, sealPlace(ctx, id, secret)],
  )
  await audit(db, owner, 'notices.added', { channel, name })
  return { id }
}

/** Deletes a target: drops its pending notifications, and its secrets. */
export async function forget(db: Db, id: string): Promise<void> {
  await disableTarget(db, id, null)
  await db.query(
    `UPDATE notice_targets SET deleted_at = clock_timestamp(), disabled_reason = NULL, secret = NULL, old_secret = NULL,
       old_secret_until = NULL, place = NULL WHERE id = $1`,
    [id],
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Invalid JSON is not a subscription.
    return undefined
  }
}

/** Whether messages can be encrypted for this public key: a point on P-256. */
function isOnCurve(p256dh: string): boolean {
  const point = Buffer.from(p256dh, 'base64url')
  if (point.length !== 65) return false
  const own = createECDH('prime256v1')
  own.generateKeys()
  try {
    return own.computeSecret(point).length === 32
  } catch {
    return false
  }
}
