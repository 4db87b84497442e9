import { pathAndQuery, says } from './address-parts.ts'
import type { Answer } from './answer.ts'
import { isHtml } from './content-type.ts'
import { elements } from './html.ts'
import { select } from './select.ts'
import type { Node } from './select.ts'
import { isFields } from './wire.ts'
import type { Fields } from './wire.ts'

/** What went wrong, according to an answer. */
export type Failure =
  | { readonly kind: 'blocked' | 'auth_expired' | 'captcha' | 'mfa' }
  /** Unknown meaning. `rule` tells operators what is missing; it never quotes the app. */
  | { readonly kind: 'changed'; readonly rule: string }
  | { readonly kind: 'rate_limited'; readonly retryAfterMs: number }
  /** The app refused and did nothing. `isOwn`: Callgate itself refused and sent nothing. */
  | { readonly kind: 'rejected'; readonly appCode: string; readonly appMessage: string; readonly isOwn?: boolean }
  | { readonly kind: 'app_error'; readonly status: number }

export type FailureRule = (answer: Answer) => Failure | undefined

/**
 * Thrown by `encode` for an input that has no equivalent in the app, such as a name unknown to the
 * account. Nothing is sent.
 */
export class InputRejected extends Error {
  override readonly name = 'InputRejected'
  /** The code that the app itself would use. */
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** The failures that a sign can mean. `Retry-After` sets how long `rate_limited` lasts. */
type Sign = 'blocked' | 'auth_expired' | 'captcha' | 'mfa' | 'rate_limited'

/** The first rule that matches wins. 429 and 5xx are recognised last, without a rule. */
export function firstOf(...rules: readonly FailureRule[]): FailureRule {
  return anyOf([...rules, tooMany, broken])
}

/** The first rule that matches wins, with no built-in ones for 429 and 5xx. */
export function anyOf(rules: readonly FailureRule[]): FailureRule {
  return (answer) => {
    for (const rule of rules) {
      const failure = rule(answer)
      if (failure) return failure
    }
    return undefined
  }
}

/** Applies rules to answers with this status and these headers only. Null: header absent. */
export function given(
  {
    status,
    headers = {},
  }: {
    readonly status?: number | readonly number[]
    readonly headers?: Readonly<Record<string, RegExp | null>>
  },
  ...rules: readonly FailureRule[]
): FailureRule {
  const statuses = typeof status === 'number' ? [status] : status
  const rule = anyOf(rules)
  return (answer) => {
    const fits = Object.entries(headers).every(([name, pattern]) => {
      const value = answer.headers[name]
      return pattern === null ? value === undefined : value !== undefined && value.search(pattern) >= 0
    })
    return fits && (statuses === undefined || statuses.includes(answer.status)) ? rule(answer) : undefined
  }
}

/**
 * A redirect to this path relative to the app's root, or to a path below it. If the path has a
 * query, as in `index.php?do=login`, only that exact path with these parameters (and any others)
 * matches.
 */
export function redirectTo(path: string, kind: Sign): FailureRule {
  const [wanted, parameters] = pathAndQuery(path)
  return (answer) => {
    if (answer.location === null) return undefined
    const [target, query] = pathAndQuery(answer.location)
    const isBelow = parameters === undefined && target.startsWith(`${wanted}/`)
    return isBelow || (target === wanted && says(query, parameters ?? [])) ? failed(kind, answer) : undefined
  }
}

/**
 * A redirect out of the app to this address or below it, such as a single sign-on host:
 * `https://login.example.org/realms/shop`, or `/accounts/login` on the app's own host. The redirect
 * is not followed.
 */
export function redirectAway(address: string, kind: Sign): FailureRule {
  const target = bare(URL.canParse(address) ? new URL(address).href : address)
  return (answer) => {
    const at = answer.elsewhere === null ? '' : bare(answer.elsewhere)
    return at === target || at.startsWith(`${target}/`) ? failed(kind, answer) : undefined
  }
}

/** Drops the query, the fragment and a trailing slash. */
function bare(address: string): string {
  return (address.split(/[?#]/, 1)[0] ?? '').replace(/\/$/, '')
}

/** An answer of any status whose header matches. */
export function header(name: string, pattern: RegExp, kind: Sign): FailureRule {
  return (answer) => (pattern.test(answer.headers[name] ?? '') ? failed(kind, answer) : undefined)
}

/**
 * A JSON body, of any status, that passes `test`. If the field has other meanings in other answers,
 * `test` must check the status too.
 */
export function jsonSays(test: (body: Fields, status: number) => boolean, kind: Sign): FailureRule {
  return (answer) => (isFields(answer.json) && test(answer.json, answer.status) ? failed(kind, answer) : undefined)
}

/** A page of any status with such an element, visible or not. `says`: its text must match. */
export function pageHas(css: string, kind: Sign, { says: said }: { readonly says?: RegExp } = {}): FailureRule {
  return (answer) => {
    if (!isPage(answer)) return undefined
    const found = select(answer.text).any(css)
    return found.some((one) => said === undefined || one.text().search(said) >= 0) ? failed(kind, answer) : undefined
  }
}

/** The app's refusal as 4xx JSON, except 429. `find` returns code and message. */
export function jsonRefusal(
  find: (body: Fields, status: number) => { readonly code: unknown; readonly message: unknown },
): FailureRule {
  return ({ status, json }) => {
    if (!refused(status) || !isFields(json)) return undefined
    const { code, message } = find(json, status)
    return rejected(code, message)
  }
}

/**
 * The element with the refusal: a tag with a class and its code in the attribute `code`; or a
 * selector and a function that reads the code.
 */
export type PageSign =
  | { readonly tag: string; readonly class: string; readonly code: string }
  | { readonly css: string; readonly code: (element: Node) => unknown }

/** The app's refusal as a 4xx page, except 429: text and code of the first such element. */
export function pageRefusal(find: PageSign): FailureRule {
  return (answer) => {
    if (!refused(answer.status) || !isPage(answer)) return undefined
    if ('css' in find) {
      const [element] = select(answer.text).any(find.css)
      return element && rejected(find.code(element), element.text())
    }
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

function failed(kind: Sign, { headers }: Answer): Failure {
  return kind === 'rate_limited' ? { kind, retryAfterMs: retryAfterMs(headers['retry-after']) } : { kind }
}

const tooMany: FailureRule = (answer) => (answer.status === 429 ? failed('rate_limited', answer) : undefined)

const broken: FailureRule = ({ status }) => (status >= 500 ? { kind: 'app_error', status } : undefined)

/** Parses Retry-After, in seconds or as a date, into ms: 5 s if it is missing, an hour at most. */
function retryAfterMs(header: string | undefined): number {
  const text = header?.trim() ?? ''
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), 3_600_000) : 5000
}
