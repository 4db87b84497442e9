import { takenOver } from '../../connectors/runtime/cookies.ts'
import { renewInApp } from '../../connectors/runtime/threads/exchange-threads.ts'
import type { Later } from '../../connectors/runtime/renew.ts'
import type { Site } from '../../connectors/runtime/site.ts'
import type { App } from '../../connectors/registry.ts'
import type { AppSession } from '../../schemas/session.ts'
import type { Context } from '../context.ts'
import { whileAway } from '../database/failures.ts'
import { transaction } from '../database/pool.ts'
import type { Db } from '../database/pool.ts'
import { failPoint } from '../fail-point.ts'
import { retry } from '../retry.ts'
import { sleep } from '../sleep.ts'
import { openSession, sealNext } from './sessions.ts'
import type { SealedAccount } from './sessions.ts'

/** An account, with its app and the app's site. */
export interface Place {
  readonly app: App
  readonly site: Site
  readonly account: SealedAccount
}

export interface InSession {
  readonly account: SealedAccount
  readonly session: AppSession
}

export type Renewal = (InSession & { readonly kind: 'renewed' }) | { readonly kind: 'over' } | Later

/** Longer than the app's timeout (ms): the outcome of a renewal begun earlier is unknown. */
const knownWithin = 20_000
const longestDatabaseAway = 15_000

/**
 * Renews the tokens of a session that is over, or returns those that a concurrent renewal got. One
 * renewal per account, recorded before it begins: a single-use token is never used twice, and if
 * its use is uncertain, the session is over.
 */
export async function renewTokens(ctx: Context, place: Place, before: AppSession): Promise<Renewal> {
  for (;;) {
    const turn = await transaction(ctx.db, (db) => takeTurn(ctx, db, place.account, before))
    if (turn.kind === 'ours') return renewed(ctx, place, turn)
    if (turn.kind !== 'others') return turn
    await sleep(150)
  }
}

type Turn =
  | (InSession & { readonly kind: 'renewed' })
  | (InSession & { readonly kind: 'ours' })
  | { readonly kind: 'over' }
  /** Another process is renewing. */
  | { readonly kind: 'others' }

interface Row extends SealedAccount {
  readonly session: Buffer
  readonly signed_in_version: number
  readonly renewal_begun: Date | null
  readonly lost: boolean
}

async function takeTurn(ctx: Context, db: Db, account: SealedAccount, before: AppSession): Promise<Turn> {
  const row = await lockedRow(db, account)
  if (row === undefined) return { kind: 'over' }
  const present = { account: row, session: openSession(ctx, row) }
  if (isNewer(row, account, present.session, before)) return { kind: 'renewed', ...present }
  if (row.lost) {
    ctx.log.warn(
      { account: account.id },
      'a renewal of a session was refused, or nobody knows what came of it: the session is over',
    )
    return { kind: 'over' }
  }
  if (row.renewal_begun !== null) return { kind: 'others' }
  await db.query('UPDATE accounts SET renewal_begun = clock_timestamp() WHERE id = $1', [account.id])
  return { kind: 'ours', ...present }
}

/** A new sign-in or a concurrent renewal has replaced the session. */
function isNewer(row: Row, account: SealedAccount, session: AppSession, before: AppSession): boolean {
  return row.signed_in_version > account.session_version || (session.renewed ?? 0) > (before.renewed ?? 0)
}

async function renewed(ctx: Context, { app, site }: Place, { account, session }: InSession): Promise<Renewal> {
  const result = await renewInApp(app, site, session)
  failPoint('renewal.before-saving')
  const retries = whileAway(Date.now() + longestDatabaseAway)
  if (result.kind === 'renewed') {
    const change = { before: session, after: result.session }
    return retry(() => transaction(ctx.db, (db) => save(ctx, db, account, change)), retries)
  }
  // The app would refuse the same token again: -infinity marks the renewal as lost at once.
  const begun = result.kind === 'later' ? null : '-infinity'
  await retry(
    () =>
      ctx.db.query(
        'UPDATE accounts SET renewal_begun = $3 WHERE id = $1 AND owner = $2 AND signed_in_version <= $4 AND renewal_begun IS NOT NULL',
        [account.id, account.owner, begun, account.session_version],
      ),
    retries,
  )
  return result
}

/** Saves the new tokens before anything uses them, merged with what other exchanges changed. */
async function save(
  ctx: Context,
  db: Db,
  account: SealedAccount,
  { before, after }: { readonly before: AppSession; readonly after: AppSession },
): Promise<Renewal> {
  const row = await lockedRow(db, account)
  if (row === undefined) return { kind: 'over' }
  const present = openSession(ctx, row)
  if (isNewer(row, account, present, before)) return { kind: 'renewed', account: row, session: present }
  const session = { ...after, cookies: takenOver(present.cookies, before.cookies, after.cookies) }
  const { version, sealed } = sealNext(ctx, row, session)
  await db.query(
    `UPDATE accounts SET session = $2, session_version = $3, renewal_begun = NULL, state = 'connected', reason = NULL WHERE id = $1`,
    [account.id, sealed, version],
  )
  return { kind: 'renewed', account: { ...row, session_version: version }, session }
}

async function lockedRow(db: Db, account: SealedAccount): Promise<Row | undefined> {
  const { rows } = await db.query<Row>(
    `SELECT id, owner, origin, data_key, session, session_version, signed_in_version, renewal_begun,
       coalesce(renewal_begun < clock_timestamp() - make_interval(secs => $3), false) AS lost
     FROM accounts WHERE id = $1 AND owner = $2 AND session IS NOT NULL AND state <> 'disconnected' FOR NO KEY UPDATE`,
    [account.id, account.owner, knownWithin / 1_000],
  )
  return rows[0]
}
