import { readIdentity } from '../../connectors/runtime/threads/exchange-threads.ts'
import type { Later } from '../../connectors/runtime/renew.ts'
import type { AppSession } from '../../schemas/session.ts'
import type { Context } from '../context.ts'
import { whileAway } from '../database/failures.ts'
import { retry } from '../retry.ts'
import { renewTokens } from './renewal.ts'
import type { InSession, Place } from './renewal.ts'
import { renewSession, usableSession } from './sessions.ts'

/** How long storing an answer's cookies is retried while Postgres is down (ms). */
const longestDatabaseAway = 20_000

/** Result of an exchange with an app. */
interface Talked {
  readonly outcome: { readonly kind: string }
  /** The session with the cookies that the app changed; null = no change. */
  readonly session: AppSession | null
  /** Whether tokens may be renewed: the host's rule, whatever the connector makes of the answer. */
  readonly mayRenew?: boolean
}

type OrLater<R extends Talked> = Omit<R, 'outcome'> & { readonly outcome: R['outcome'] | Later['outcome'] }

/** `session`: the one last sent; `account`: its version that holds the cookies of the answer. */
type Kept<R extends Talked> = InSession & { readonly result: OrLater<R> }

/**
 * Reads from an app in an account's session: renews expired tokens and keeps changed cookies.
 * Undefined: no session can be opened; the account's state records it.
 */
export async function talkAs<R extends Talked>(
  ctx: Context,
  place: Place & { readonly account: { readonly session: Buffer | null } },
  talk: (session: AppSession) => Promise<R>,
): Promise<Kept<R> | undefined> {
  const session = await usableSession(ctx, place.account)
  return session && keepCookies(ctx, await inSession<R>(ctx, place, session, talk))
}

/**
 * Stores changed cookies, which exist nowhere else: retries until `until` while Postgres is down.
 */
export async function keepCookies<T extends InSession & { readonly result: Omit<Talked, 'mayRenew'> }>(
  ctx: Context,
  talked: T,
  until = Date.now() + longestDatabaseAway,
): Promise<T> {
  const { account, session: before, result } = talked
  const { session: after, outcome } = result
  if (after === null) return talked
  const change = { before, after, over: outcome.kind === 'auth_expired' }
  const session_version = await retry(() => renewSession(ctx, account, change), whileAway(until))
  return { ...talked, account: { ...account, session_version } }
}

/** Reads from an app, once more after a token renewal. Returns the session used last, too. */
export async function inSession<R extends Talked>(
  ctx: Context,
  place: Place,
  session: AppSession,
  talk: (session: AppSession) => Promise<R>,
): Promise<InSession & { readonly result: OrLater<R> }> {
  const result = await talk(session)
  const first = { account: place.account, session, result }
  if (result.outcome.kind !== 'auth_expired' || result.mayRenew !== true || place.app.renew === null) return first
  const renewal = await renewTokens(ctx, place, session)
  if (renewal.kind === 'over') return first
  if (renewal.kind === 'later') return { ...first, result: { ...result, outcome: renewal.outcome, session: null } }
  return { account: renewal.account, session: renewal.session, result: await talk(renewal.session) }
}

/**
 * Before a write, which has one attempt: checks the session and renews expired tokens, if the app
 * has renewal. `outcome`: why nothing may be sent now.
 */
export async function readyToWrite(
  ctx: Context,
  place: Place,
  session: AppSession,
): Promise<InSession | { readonly outcome: Later['outcome'] | { readonly kind: 'auth_expired' } }> {
  const { app, site, account } = place
  if (app.renew === null) return { account, session }
  const { who, session: after, mayRenew } = await readIdentity(app, site, session)
  if (who.kind !== 'auth_expired') {
    const kept = await keepCookies(ctx, { account, session, result: { outcome: who, session: after } })
    return { account: kept.account, session: after ?? session }
  }
  if (mayRenew !== true) return { outcome: { kind: 'auth_expired' } }
  const renewal = await renewTokens(ctx, place, session)
  if (renewal.kind === 'renewed') return renewal
  return { outcome: renewal.kind === 'later' ? renewal.outcome : { kind: 'auth_expired' } }
}
