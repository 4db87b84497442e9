import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { transaction } from '../database/pool.ts'
import { inWords } from './endpoints.ts'
import type { KeyEndpoints } from './endpoints.ts'

type Parts = Pick<Context, 'db'>

/** Ticks the apps that a key may use; null = all. False: the owner has no such valid key. */
export function setKeyApps(ctx: Parts, owner: string, keyId: string, apps: readonly string[] | null): Promise<boolean> {
  return change(ctx, { owner, keyId, column: 'apps', to: apps }, { action: 'key.apps', said: { apps } })
}

/** Whether a key, or a program that signed in, may only call what reads. False: the owner has no such valid key. */
export function setKeyRights(ctx: Parts, owner: string, keyId: string, readOnly: boolean): Promise<boolean> {
  const said = { read_only: readOnly }
  return change(ctx, { owner, keyId, column: 'read_only', to: readOnly }, { action: 'key.rights', said })
}

/** The endpoints that a key, or a program that signed in, may call of some apps; null: all of every one. False: the owner has no such valid key. */
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

/** Marks a key as seeing all calls of its owner, or as seeing its own only. False: the owner has no such valid key. */
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
      `UPDATE api_keys SET ${column} = $3 WHERE id = $1 AND owner = $2 AND revoked_at IS NULL`,
      [keyId, owner, to],
    )
    if (rowCount === 1) await audit(db, owner, log.action, { key: keyId, ...log.said })
    return rowCount === 1
  })
}
