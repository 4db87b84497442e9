import { firstOf, jsonRefusal, pageRefusal, redirectTo } from './failures.ts'
import type { FailureRule, PageSign } from './failures.ts'
import type { Fields } from './wire.ts'

/** Options of `usualFailures`, all specific to the app. */
export interface UsualSigns {
  /** Paths that the app redirects to: sign-in, captcha, second factor. */
  readonly pages: { readonly signIn: string; readonly captcha: string; readonly mfa: string }
  /** Reads code and message of a JSON refusal. */
  readonly refusal: (body: Fields, status: number) => { readonly code: unknown; readonly message: unknown }
  /** The element with a page's refusal; null or absent: no page refuses. */
  readonly page?: PageSign | null
  /** Extra rules, after the redirects and before `refusal`. */
  readonly first?: readonly FailureRule[]
  /** Extra rules, after all others. */
  readonly last?: readonly FailureRule[]
}

/** Ordered rules of an app that redirects to three pages and refuses as JSON and pages. */
export function usualFailures({ pages, refusal, page, first = [], last = [] }: UsualSigns): FailureRule {
  return firstOf(
    // The sign-in path may be a prefix of the two others, so it comes last.
    redirectTo(pages.captcha, 'captcha'),
    redirectTo(pages.mfa, 'mfa'),
    redirectTo(pages.signIn, 'auth_expired'),
    ...first,
    jsonRefusal(refusal),
    ...(page ? [pageRefusal(page)] : []),
    ...last,
  )
}
