import { pathAndQuery } from '../kit/address-parts.ts'
import type { FailureRule } from '../kit/failures.ts'
import { isFields } from '../kit/wire.ts'

/** Pages that the app redirects to, relative to its root. */
export interface Pages {
  readonly signIn: string
  readonly captcha: string
  readonly mfa: string
}

/**
 * A redirect to exactly one of these pages, without a query or with the return URL in `back`. With
 * any other query its meaning is unknown: `changed`.
 */
export function ledAway({ signIn, captcha, mfa }: Pages, back: string): FailureRule {
  const kinds = new Map<string, 'auth_expired' | 'captcha' | 'mfa'>([
    [signIn, 'auth_expired'],
    [captcha, 'captcha'],
    [mfa, 'mfa'],
  ])
  return ({ location }) => {
    const [path, query] = pathAndQuery(location ?? '')
    const kind = location === null ? undefined : kinds.get(path)
    if (kind === undefined) return undefined
    const isWayBack = query === undefined || query.size === 0 || query.has(back)
    return isWayBack ? { kind } : { kind: 'changed', rule: `a redirect to /${path} without ${back}` }
  }
}

/** How frameworks spell codes. Agents get all of them in the form TEXT_TOO_LONG. */
const spellings = {
  screaming: /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)*$/,
  snake: /^[a-z][a-z\d]*(?:_[a-z\d]+)*$/,
  kebab: /^[a-z][a-z\d]*(?:-[a-z\d]+)*$/,
  dotted: /^[a-z][a-z\d]*(?:\.[a-z\d]+)*$/,
  studly: /^(?:[A-Z][a-z\d]*)+$/,
} as const

/** The code in the spelling for agents; undefined if it is not spelled as expected. */
export function codeOf(said: unknown, spelling: keyof typeof spellings): string | undefined {
  if (typeof said !== 'string' || !spellings[spelling].test(said)) return undefined
  const words = spelling === 'studly' ? said.replaceAll(/(?<=.)[A-Z]/g, '_$&') : said.replaceAll(/[-.]/g, '_')
  return words.toUpperCase()
}

/** Code for a rejected CSRF token, whatever the app calls it. */
export const tokenInvalid = 'TOKEN_INVALID'

/** The first member of an object, such as the first rejected field. */
export function firstMember(value: unknown): readonly [name: string, value: unknown] | undefined {
  return isFields(value) ? Object.entries(value)[0] : undefined
}

export function firstItem(value: unknown): unknown {
  return Array.isArray(value) ? (value as readonly unknown[])[0] : undefined
}
