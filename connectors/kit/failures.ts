import type { Answer } from './answer.ts'
import { isHtml } from './content-type.ts'
import { elements } from './html.ts'
import { isFields } from './wire.ts'
import type { Fields } from './wire.ts'

/** What an answer says went wrong. */
export type Failure =
  | { readonly kind: 'blocked' | 'auth_expired' | 'captcha' | 'mfa' }
  /** Nobody knows what it means. `rule`: what was looked for and is not there, in words for operators; nothing that the app said. */
  | { readonly kind: 'changed'; readonly rule: string }
  | { readonly kind: 'rate_limited'; readonly retryAfterMs: number }
  /** The app said no and did nothing. */
  | { readonly kind: 'rejected'; readonly appCode: string; readonly appMessage: string }
  | { readonly kind: 'app_error'; readonly status: number }

export type FailureRule = (answer: Answer) => Failure | undefined

/** Thrown by `encode` for an input that cannot be put in the app's words, such as a name that the account does not have: nothing is sent. */
export class InputRejected extends Error {
  override readonly name = 'InputRejected'
  /** As the app itself would say it. */
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

type Sign = 'blocked' | 'auth_expired' | 'captcha' | 'mfa'

/** The first rule that recognises the answer speaks. 429 and 5xx are recognised without a rule, after them. */
export function firstOf(...rules: readonly FailureRule[]): FailureRule {
  return anyOf([...rules, tooMany, broken])
}

/** The first of these rules that recognises the answer speaks, and no other. */
export function anyOf(rules: readonly FailureRule[]): FailureRule {
  return (answer) => {
    for (const rule of rules) {
      const failure = rule(answer)
      if (failure) return failure
    }
    return undefined
  }
}

/** What the failures of an app look like that has the usual signs, and its quirks besides. */
export interface UsualSigns {
  /** Paths that it leads to: to sign in, to prove to be human, to give a second factor. */
  readonly pages: { readonly signIn: string; readonly captcha: string; readonly mfa: string }
  /** Where a JSON refusal says its code and its message. */
  readonly refusal: (body: Fields, status: number) => { readonly code: unknown; readonly message: unknown }
  /** The element of a page that refuses. Default: `<p class="problem" data-code="…">`; null: it has no such pages. */
  readonly page?: Parameters<typeof pageRefusal>[0] | null
  /** Rules of its own, asked after the pages and before what JSON says. */
  readonly first?: readonly FailureRule[]
  /** Rules of its own, asked last. */
  readonly last?: readonly FailureRule[]
}

/** The failures of an app with the usual signs: a wall's header, three pages, three codes, and its refusals as JSON and as pages. */
export function usualFailures({ pages, refusal, page, first = [], last = [] }: UsualSigns): FailureRule {
  const says = (code: string, kind: Sign) => jsonSays((body, status) => refusal(body, status).code === code, kind)
  return firstOf(
    header('x-palisade', /^denied/, 'blocked'),
    // The page for signing in may be above the two others.
    redirectTo(pages.captcha, 'captcha'),
    redirectTo(pages.mfa, 'mfa'),
    redirectTo(pages.signIn, 'auth_expired'),
    ...first,
    says('SIGN_IN_REQUIRED', 'auth_expired'),
    says('HUMAN_CHECK_REQUIRED', 'captcha'),
    says('SECOND_FACTOR_REQUIRED', 'mfa'),
    jsonRefusal(refusal),
    ...(page === null ? [] : [pageRefusal(page ?? { tag: 'p', class: 'problem', code: 'data-code' })]),
    ...last,
  )
}

/**
 * A redirect to this path below the app's root, or further below it. Of an app with one path for everything the path has a query, such as
 * `index.php?do=login`: the redirect goes to that path, with these parameters among others.
 */
export function redirectTo(path: string, kind: Sign): FailureRule {
  const [wanted = '', query] = path.split('?', 2)
  const parameters = [...new URLSearchParams(query)]
  return ({ location }) => {
    const [target = '', asked] = location?.split('#', 1)[0]?.split('?', 2) ?? []
    if (query === undefined) return target === wanted || target.startsWith(`${wanted}/`) ? { kind } : undefined
    const has = new URLSearchParams(asked)
    return target === wanted && parameters.every(([name, value]) => has.get(name) === value) ? { kind } : undefined
  }
}

/**
 * A redirect out of the app to this address or further below it, such as a host for signing in to many apps:
 * `https://login.example.org/realms/shop`, or `/accounts/login` on the app's own host. Nothing is asked for there.
 */
export function redirectAway(address: string, kind: Sign): FailureRule {
  const target = bare(URL.canParse(address) ? new URL(address).href : address)
  return ({ elsewhere }) => {
    const at = elsewhere === null ? '' : bare(elsewhere)
    return at === target || at.startsWith(`${target}/`) ? { kind } : undefined
  }
}

/** An address without query, fragment and last slash. */
function bare(address: string): string {
  return (address.split(/[?#]/, 1)[0] ?? '').replace(/\/$/, '')
}

/** A header, of an answer of any status, that matches. */
export function header(name: string, pattern: RegExp, kind: Sign): FailureRule {
  return ({ headers }) => (pattern.test(headers[name] ?? '') ? { kind } : undefined)
}

/** A JSON body, of a status from 400 to 499, that says so. */
export function jsonSays(test: (body: Fields, status: number) => boolean, kind: Sign): FailureRule {
  return ({ status, json }) => (refused(status) && isFields(json) && test(json, status) ? { kind } : undefined)
}

/** The app's own refusal as JSON, of a status from 400 to 499: where its code and its message stand. */
export function jsonRefusal(
  find: (body: Fields, status: number) => { readonly code: unknown; readonly message: unknown },
): FailureRule {
  return ({ status, json }) => {
    if (!refused(status) || !isFields(json)) return undefined
    const { code, message } = find(json, status)
    return rejected(code, message)
  }
}

/** The app's own refusal as a page, of a status from 400 to 499: an element of this class, its text, and its code in an attribute. */
export function pageRefusal(find: {
  readonly tag: string
  readonly class: string
  readonly code: string
}): FailureRule {
  return (answer) => {
    if (!refused(answer.status) || !isPage(answer)) return undefined
    const found = elements(answer.text, find.tag).find(({ attributes }) =>
      attributes.get('class')?.split(/\s+/).includes(find.class),
    )
    return found && rejected(found.attributes.get(find.code), found.text)
  }
}

export function rejected(code: unknown, message: unknown): Failure | undefined {
  if (typeof code !== 'string' || code === '') return undefined
  const words = typeof message === 'string' ? message : ''
  return { kind: 'rejected', appCode: code.slice(0, 100), appMessage: words.slice(0, 1000) }
}

function refused(status: number): boolean {
  return status >= 400 && status < 500 && status !== 429
}

function isPage(answer: Answer): boolean {
  return isHtml(answer.headers['content-type'] ?? '')
}

const tooMany: FailureRule = ({ status, headers }) =>
  status === 429 ? { kind: 'rate_limited', retryAfterMs: retryAfterMs(headers['retry-after']) } : undefined

const broken: FailureRule = ({ status }) => (status >= 500 ? { kind: 'app_error', status } : undefined)

/** Retry-After as seconds or as a date; 5 s when the app does not say, at most an hour. */
function retryAfterMs(header: string | undefined): number {
  const text = header?.trim() ?? ''
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), 3_600_000) : 5000
}
