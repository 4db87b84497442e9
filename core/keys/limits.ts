import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { transaction } from '../database/pool.ts'
import { inWords } from './endpoints.ts'
import type { KeyEndpoints } from './endpoints.ts'

type Parts = Pick<Context, 'db'>

/** Sets the apps that a key may use; null = all. False: the owner has no such valid key. */
export function setKeyApps(ctx: Parts, owner: string, keyId: string, apps: readonly string[] | null): Promise<boolean> {
  return change(ctx, { owner, keyId, column: 'apps', to: apps }, { action: 'key.apps', said: { apps } })
}

/** Lets a key use one more app. Idempotent. */
export async function grantApp(ctx: Parts, owner: string, keyId: string, app: string): Promise<void> {
  await transaction(ctx.db, async (db) => {
    const { rowCount } = await db.query(
      `UPDATE api_keys k SET apps = array_append(apps, $3)
       WHERE id = $1 AND owner = $2 AND is_valid_key(k) AND apps IS NOT NULL AND NOT $3 = ANY (apps)`,
      [keyId, owner, app],
    )
    if (rowCount === 1) await audit(db, owner, 'key.app_granted', { key: keyId, app })
  })
}

/** Makes a key or grant read-only, or not. False: the owner has no such valid key. */
export function setKeyRights(ctx: Parts, owner: string, keyId: string, readOnly: boolean): Promise<boolean> {
  const said = { read_only: readOnly }
  return change(ctx, { owner, keyId, column: 'read_only', to: readOnly }, { action: 'key.rights', said })
}

/** Limits a key or grant to endpoints, by app; null: no limit. False: no such valid key. */
export function setKeyEndpoints(
  ctx: Parts,
  owner: string,
  keyId: string,
  endpoints: KeyEndpoints | null,
): Promise<boolean> {
  const said = { endpoints: inWords(endpoints) }
  const to = endpoints === null ? null : JSON.stringify(endpoints)
  return change(ctx, { owner, keyId, column: 'endpoints', to }, { action: 'key.endpoints', said })
}

/** Sets call visibility: all calls of the owner, or the key's own. False: no such valid key. */
export function setKeySight(ctx: Parts, owner: string, keyId: string, seesAll: boolean): Promise<boolean> {
  const said = { sees_all: seesAll }
  return change(ctx, { owner, keyId, column: 'sees_all', to: seesAll }, { action: 'key.sees_all', said })
}

interface Change {
  readonly owner: string
  readonly keyId: string
  readonly column: 'apps' | 'read_only' | 'endpoints' | 'sees_all'
  readonly to: unknown
}

function change(
  ctx: Parts,
  { owner, keyId, column, to }: Change,
  log: { readonly action: string; readonly said: object },
): Promise<boolean> {
  return transaction(ctx.db, async (db) => {
    const { rowCount } = await db.query(
      `UPDATE api_keys k SET ${column} = $3 WHERE id = $1 AND owner = $2 AND is_valid_key(k)`,
      [keyId, owner, to],
    )
    if (rowCount === 1) await audit(db, owner, log.action, { key: keyId, ...log.said })
    return rowCount === 1
  })
}
