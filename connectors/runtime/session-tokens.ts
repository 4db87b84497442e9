import type { AppSession } from '../../schemas/session.ts'
import type { Fill } from '../kit/csrf.ts'
import type { SessionFill } from '../kit/session-token.ts'
import type { Filled } from './message.ts'
import { Stopped } from './outcome.ts'

/** What fits into a header: anything longer, or with other characters, is not a session token. */
const tokenForm = /^[\u0021-\u007e]{1,8192}$/

export function isToken(value: unknown): value is string {
  return typeof value === 'string' && tokenForm.test(value)
}

export function isOfSession(fill: Fill): fill is SessionFill {
  return 'token' in fill
}

/**
 * Whether the tokens may be renewed: the app answered 401, or a token is missing or past its own
 * expiry. A connector's reading of an answer never starts a renewal.
 */
export function mayRenew(
  fills: readonly SessionFill[],
  { tokens = {} }: AppSession,
  status: number | undefined,
  now = Date.now(),
): boolean {
  return status === 401 || fills.some(({ token }) => !Object.hasOwn(tokens, token) || isOver(tokens[token], now))
}

/** A JWT whose `exp` has passed. Source: RFC 7519, 4.1.4. */
function isOver(token: string | undefined, now: number): boolean {
  const payload = /^[\w-]+\.([\w-]{1,8192})\.[\w-]*$/.exec(token ?? '')?.[1]
  if (payload === undefined) return false
  const exp = /"exp"\s*:\s*(\d{1,12})\b/.exec(Buffer.from(payload, 'base64url').toString('utf8'))?.[1]
  return exp !== undefined && Number(exp) * 1000 <= now
}

/** Fills in the session's tokens. Throws `auth_expired` if one is missing, as in old sessions. */
export function ofSession(fills: readonly SessionFill[], { tokens = {} }: AppSession): readonly Filled[] {
  return fills.map((fill) => {
    const token = Object.hasOwn(tokens, fill.token) ? tokens[fill.token] : undefined
    if (!isToken(token)) throw new Stopped({ kind: 'auth_expired' })
    return { fill, token: fill.scheme === '' ? token : `${fill.scheme} ${token}` }
  })
}

/** The same as headers, for a page that is only read. */
export function authorized(fills: readonly SessionFill[], session: AppSession): Readonly<Record<string, string>> {
  return Object.fromEntries(
    ofSession(fills, session).map(({ fill, token }) => ['header' in fill ? fill.header : '', token]),
  )
}
