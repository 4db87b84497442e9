import webPush from 'web-push'
import type { Context } from '../context.ts'
import type { Db } from '../database/pool.ts'
import { unwrapDataKey, wrapDataKey } from '../secrets/crypto.ts'

const id = 'vapid'

interface PushKeys {
  /** For browsers, which then accept pushes from this key only: base64url. */
  readonly publicKey: string
  readonly privateKey: string
}

/** The gateway's VAPID key pair, created on first use. If processes race, one pair is kept. */
export async function pushKeys(ctx: Pick<Context, 'db' | 'secrets'>): Promise<PushKeys> {
  const kept = await read(ctx)
  if (kept !== undefined) return kept
  const made = webPush.generateVAPIDKeys()
  await ctx.db.query('INSERT INTO push_keys (id, public_key, secret) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
    id,
    made.publicKey,
    wrapDataKey(ctx.secrets, id, Buffer.from(made.privateKey, 'base64url')),
  ])
  const first = await read(ctx)
  if (first === undefined) throw new Error('the key pair for pushes was not kept')
  return first
}

async function read({
  db,
  secrets,
}: {
  readonly db: Db
  readonly secrets: Context['secrets']
}): Promise<PushKeys | undefined> {
  const { rows } = await db.query<{ public_key: string; secret: Buffer }>(
    'SELECT public_key, secret FROM push_keys WHERE id = $1',
    [id],
  )
  return (
    rows[0] && {
      publicKey: rows[0].public_key,
      privateKey: unwrapDataKey(secrets, id, rows[0].secret).toString('base64url'),
    }
  )
}
