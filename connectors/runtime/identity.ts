import type { AppSession } from '../../schemas/session.ts'
import { read } from './answer.ts'
import { CookieJar } from './cookies.ts'
import type { Failure } from '../kit/failures.ts'
import { send } from './http.ts'
import { pageRequest } from './message.ts'
import type { RawAnswer } from './http.ts'
import type { App } from './app.ts'
import { Stopped } from './outcome.ts'
import { authorized } from './session-tokens.ts'
import { below } from './site.ts'
import type { Site } from './site.ts'
import { UnknownShape } from '../kit/wire.ts'

/** What an app says of a session: whose it is, why it is nobody's, or nothing that means either. */
export type Who =
  | { readonly kind: 'account'; readonly id: string }
  | { readonly kind: Extract<Failure['kind'], 'auth_expired' | 'captcha' | 'mfa'> }
  | { readonly kind: 'unclear' }

export interface Asked {
  readonly who: Who
  /** The session with the cookies that the app changed; null when it changed none. */
  readonly session: AppSession | null
}

/** Reads the app's page for who is signed in: no action, nothing changes. Takes 15 s at most. */
export async function readIdentity(app: App, site: Site, session: AppSession): Promise<Asked> {
  const jar = new CookieJar(session)
  const url = below(site.origin, app.signIn.who.page)
  const authorized = tokensFor(app, session)
  if (authorized === undefined) return { who: { kind: 'auth_expired' }, session: null }
  const sender = { session, cookie: jar.header(url), authorized }
  const result = await send(pageRequest(url, 'json', sender), {
    signal: AbortSignal.timeout(15_000),
    timedOut: () => true,
    maxBytes: 1024 * 1024,
    reach: site.reach,
  })
  if (result.kind !== 'answer') return { who: { kind: 'unclear' }, session: null }
  jar.take(result.answer.setCookies, url)
  return { who: told(app, site, result.answer, url), session: jar.changes() }
}

/** The headers with the session's tokens; undefined: it lacks one. */
function tokensFor({ authorize }: App, session: AppSession): Readonly<Record<string, string>> | undefined {
  try {
    return authorized(authorize, session)
  } catch (error) {
    if (error instanceof Stopped) return undefined
    throw error
  }
}

function told(app: App, site: Site, answer: RawAnswer, url: URL): Who {
  const account = answer.status === 200 ? app.signIn.who.account(answer.text) : null
  if (account !== null) return { kind: 'account', id: account.id }
  const failure = failureIn(app, site, answer, url)
  return failure?.kind === 'auth_expired' || failure?.kind === 'captcha' || failure?.kind === 'mfa'
    ? { kind: failure.kind }
    : { kind: 'unclear' }
}

/** What a failure looks like is the same for all endpoints of an app. An answer that no rule can read says nothing. */
function failureIn(app: App, site: Site, answer: RawAnswer, url: URL): Failure | undefined {
  const [endpoint] = app.endpoints.values()
  try {
    return endpoint?.failure(read(answer, url, site.origin))
  } catch (error) {
    if (error instanceof UnknownShape) return undefined
    throw error
  }
}
