import type { Endpoint } from '../../connectors/registry.ts'
import { openCursor } from '../../connectors/runtime/cursor.ts'
import type { Context } from '../context.ts'
import type { Db } from '../database/pool.ts'
import { derivedKey } from '../secrets/crypto.ts'
import { invalidInput } from './invalid-input.ts'

/** Throws invalid_input for a cursor of another account. `input` is as `parseInput` returned it. */
export async function checkCursor(
  ctx: Pick<Context, 'db' | 'secrets'>,
  { app, name }: Endpoint,
  input: Readonly<Record<string, unknown>>,
  account: string,
): Promise<void> {
  const { cursor } = input
  if (typeof cursor !== 'string') return
  const place = openCursor(derivedKey(ctx.secrets, 'cursor'), `${app}.${name}`, cursor)
  if (place?.account === account) return
  if (place !== null && place.account === undefined && (await areUnboundTaken(ctx.db))) return
  const message = 'is not a cursor of this account: pass next_cursor of an earlier answer of the same account back'
  throw invalidInput([{ path: 'cursor', message }])
}

/** Cursors of the previous release name no account; they stay valid for a day after migrating. */
async function areUnboundTaken(db: Db): Promise<boolean> {
  const { rowCount } = await db.query(
    `SELECT FROM migrations WHERE name = '0145_bind_cursors' AND run_on > clock_timestamp() - interval '1 day'`,
  )
  return rowCount === 1
}
