import type { AppSession } from '../../schemas/session.ts'
import type { Fill } from '../kit/csrf.ts'
import type { SessionFill } from '../kit/session-token.ts'
import type { Filled } from './message.ts'
import { Stopped } from './outcome.ts'

/** Of what may go into a header: a longer one, or one with other signs, is none of a session. */
const tokenForm = /^[\u0021-\u007e]{1,8192}$/

export function isToken(value: unknown): value is string {
  return typeof value === 'string' && tokenForm.test(value)
}

export function isOfSession(fill: Fill): fill is SessionFill {
  return 'token' in fill
}

/** Fills what the session has the tokens for. A session that was made before the app had them is over. */
export function ofSession(fills: readonly SessionFill[], { tokens = {} }: AppSession): readonly Filled[] {
  return fills.map((fill) => {
    const token = Object.hasOwn(tokens, fill.token) ? tokens[fill.token] : undefined
    if (!isToken(token)) throw new Stopped({ kind: 'auth_expired' })
    return { fill, token: fill.scheme === '' ? token : `${fill.scheme} ${token}` }
  })
}

/** The same for a page that is only read: the headers themselves. */
export function authorized(fills: readonly SessionFill[], session: AppSession): Readonly<Record<string, string>> {
  return Object.fromEntries(
    ofSession(fills, session).map(({ fill, token }) => ['header' in fill ? fill.header : '', token]),
  )
}
