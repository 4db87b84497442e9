import type { AppSession } from '../../schemas/session.ts'
import type { Failure } from '../kit/failures.ts'
import { firstOf } from '../kit/failures.ts'
import { address, parseLine } from '../kit/request-line.ts'
import type { Renew, RenewFields } from '../kit/session-token.ts'
import { isFields } from '../kit/wire.ts'
import { read } from './answer.ts'
import { CookieJar } from './cookies.ts'
import { send } from './http.ts'
import { isToken } from './session-tokens.ts'
import type { Site } from './site.ts'

/** The result of a token renewal. */
export type Renewed =
  | { readonly kind: 'renewed'; readonly session: AppSession }
  /** The app refused, or the result is unknown: the user has to sign in again. */
  | { readonly kind: 'over' }
  | Later

/** The app did nothing: a retry is safe. */
export interface Later {
  readonly kind: 'later'
  readonly outcome: Extract<Failure, { kind: 'rate_limited' | 'app_error' }> | { readonly kind: 'refused' }
}

const timeoutMs = 10_000
const usualFailure = firstOf()

/** One attempt only: whatever the answer, it may have consumed a single-use token. */
export async function renewInApp(
  renew: Renew,
  { origin, reach }: Site,
  session: AppSession,
  ask = send,
): Promise<Renewed> {
  const body = bodyOf(renew, session)
  if (body === undefined) return { kind: 'over' }
  const url = address(origin, parseLine(renew.request).path, {})
  const jar = new CookieJar(session)
  const cookie = jar.header(url)
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'content-type': renew.json ? 'application/json' : 'application/x-www-form-urlencoded',
    origin: url.origin,
    ...(cookie !== '' && { cookie }),
    ...(session.user_agent !== null && { 'user-agent': session.user_agent }),
  }
  const result = await ask(
    { url, method: 'POST', headers, body },
    { signal: AbortSignal.timeout(timeoutMs), timedOut: () => true, ms: timeoutMs, maxBytes: 1024 * 1024, reach },
  )
  if (result.kind !== 'answer') return result.sent ? { kind: 'over' } : { kind: 'later', outcome: { kind: 'refused' } }
  const answer = read(result.answer, url, origin)
  const failure = usualFailure(answer)
  if (failure?.kind === 'rate_limited' || (failure?.kind === 'app_error' && failure.status === 503))
    return { kind: 'later', outcome: failure }
  const given = answer.status >= 200 && answer.status < 300 ? tokensIn(renew, answer.json) : undefined
  if (given === undefined) return { kind: 'over' }
  jar.take(result.answer.setCookies, url)
  const tokens = { ...session.tokens, ...given }
  return {
    kind: 'renewed',
    session: { ...(jar.changes() ?? session), tokens, renewed: (session.renewed ?? 0) + 1 },
  }
}

/** Undefined: the session lacks one of the tokens. */
function bodyOf({ form, json }: Renew, session: AppSession): string | undefined {
  const fields = filled(json ?? form ?? {}, session)
  if (fields === undefined) return undefined
  return json ? JSON.stringify(fields) : new URLSearchParams(fields).toString()
}

function filled(fields: RenewFields, { tokens = {} }: AppSession): Record<string, string> | undefined {
  const made: Record<string, string> = {}
  for (const [name, value] of Object.entries(fields)) {
    const text = typeof value === 'string' ? value : tokens[value.token]
    if (text === undefined) return undefined
    made[name] = text
  }
  return made
}

/** Undefined: the answer lacks one of the tokens. */
function tokensIn({ gives }: Renew, json: unknown): Record<string, string> | undefined {
  const found: Record<string, string> = {}
  for (const [token, place] of Object.entries(gives)) {
    const value = place.split('.').reduce<unknown>((at, name) => (isFields(at) ? at[name] : undefined), json)
    if (!isToken(value)) return undefined
    found[token] = value
  }
  return found
}
