import { readIdentity } from '../../connectors/runtime/identity.ts'
import type { Later } from '../../connectors/runtime/renew.ts'
import type { AppSession } from '../../schemas/session.ts'
import type { Context } from '../context.ts'
import { renewTokens } from './renewal.ts'
import type { InSession, Place } from './renewal.ts'
import { renewSession } from './sessions.ts'

/** What came of talking to an app. */
interface Talked {
  readonly outcome: { readonly kind: string }
  /** With the cookies that the app changed. */
  readonly session: AppSession | null
}

type OrLater<R extends Talked> = Omit<R, 'outcome'> & { readonly outcome: R['outcome'] | Later['outcome'] }

/**
 * Asks an app for what changes nothing. Where it says that the session is over, and gives new tokens, it is asked once more. Says with which session
 * it was asked last, too.
 */
export async function inSession<R extends Talked>(
  ctx: Context,
  place: Place,
  session: AppSession,
  talk: (session: AppSession) => Promise<R>,
): Promise<InSession & { readonly result: OrLater<R> }> {
  const result = await talk(session)
  const first = { account: place.account, session, result }
  if (result.outcome.kind !== 'auth_expired' || place.app.renew === null) return first
  const renewal = await renewTokens(ctx, place, session)
  if (renewal.kind === 'over') return first
  if (renewal.kind === 'later') return { ...first, result: { ...result, outcome: renewal.outcome, session: null } }
  return { account: renewal.account, session: renewal.session, result: await talk(renewal.session) }
}

/**
 * Before a write is sent, which has one try: asks whose the session is, and renews its tokens where it is nobody's any more. Otherwise why nothing may
 * be sent now. An app that gives no new tokens is not asked.
 */
export async function readyToWrite(
  ctx: Context,
  place: Place,
  session: AppSession,
): Promise<InSession | { readonly outcome: Later['outcome'] | { readonly kind: 'auth_expired' } }> {
  const { app, site, account } = place
  if (app.renew === null) return { account, session }
  const { who, session: after } = await readIdentity(app, site, session)
  if (who.kind !== 'auth_expired') {
    if (after === null) return { account, session }
    const session_version = await renewSession(ctx, account, { before: session, after, over: false })
    return { account: { ...account, session_version }, session: after }
  }
  const renewal = await renewTokens(ctx, place, session)
  if (renewal.kind === 'renewed') return renewal
  return { outcome: renewal.kind === 'later' ? renewal.outcome : { kind: 'auth_expired' } }
}
