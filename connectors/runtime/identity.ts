import type { AppSession } from '../../schemas/session.ts'
import { read } from './answer.ts'
import { CookieJar } from './cookies.ts'
import type { Failure } from '../kit/failures.ts'
import { send } from './http.ts'
import { pageRequest } from './message.ts'
import type { RawAnswer } from './http.ts'
import type { App } from './app.ts'
import { Stopped } from './outcome.ts'
import { authorized, mayRenew } from './session-tokens.ts'
import { below } from './site.ts'
import type { Site } from './site.ts'
import { UnknownShape } from '../kit/wire.ts'

/** Whose session it is, why it is no longer valid, or unclear. */
export type Who =
  | { readonly kind: 'account'; readonly id: string }
  | { readonly kind: Extract<Failure['kind'], 'auth_expired' | 'captcha' | 'mfa'> }
  | { readonly kind: 'unclear' }

export interface Asked {
  readonly who: Who
  /** The session with the cookies that the app changed; null if it changed none. */
  readonly session: AppSession | null
  /** The host's own rule allows renewing the tokens. */
  readonly mayRenew?: boolean
}

const timeoutMs = 15_000

/** Reads the app's page that shows who is signed in; changes nothing. Takes at most 15 s. */
export async function readIdentity(app: App, site: Site, session: AppSession, ask = send): Promise<Asked> {
  const jar = new CookieJar(session)
  const url = below(site.origin, app.signIn.who.page)
  const authorized = tokensFor(app, session)
  if (authorized === undefined) return { who: { kind: 'auth_expired' }, session: null, mayRenew: true }
  const sender = { session, cookie: jar.header(url), authorized }
  const result = await ask(pageRequest(url, 'json', sender), {
    signal: AbortSignal.timeout(timeoutMs),
    timedOut: () => true,
    ms: timeoutMs,
    maxBytes: 1024 * 1024,
    reach: site.reach,
  })
  if (result.kind !== 'answer') return { who: { kind: 'unclear' }, session: null }
  jar.take(result.answer.setCookies, url)
  const renewable = mayRenew(app.authorize, session, result.answer.status)
  const who = told(app, site, result.answer, url)
  return { who, session: jar.changes(), ...(renewable && { mayRenew: true }) }
}

/** The headers with the session's tokens; undefined: one is missing. */
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

/** All endpoints of an app share its failure rule. Undefined if the rule cannot read the answer. */
function failureIn(app: App, site: Site, answer: RawAnswer, url: URL): Failure | undefined {
  const [endpoint] = app.endpoints.values()
  try {
    return endpoint?.failure(read(answer, url, site.origin))
  } catch (error) {
    if (error instanceof UnknownShape) return undefined
    throw error
  }
}
