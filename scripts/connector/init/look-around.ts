import { isTokenName } from '../../../connectors/authoring/suggest/tokens.ts'
import { select } from '../../../connectors/kit/select.ts'
import type { Node } from '../../../connectors/kit/select.ts'
import type { Page, Visitor } from './visit.ts'

/** What an app shows without a session. Paths are relative to its root. */
export interface Found {
  /** Whether the app answered at all. */
  readonly answers: boolean
  /** The page with a password field, or one whose URL suggests signing in. */
  readonly signIn: { readonly path: string; readonly hasPassword: boolean } | null
  /** The other origin where the app signs users in. */
  readonly elsewhere: string | null
  readonly token: Token | null
  /** A page that needs a session, and where it redirects without one. */
  readonly guarded: { readonly path: string; readonly leadsTo: string } | null
  /** The status of a missing page. */
  readonly missing: number | null
}

/** For an app that was not probed. */
export const unseen: Found = {
  answers: true,
  signIn: null,
  elsewhere: null,
  token: null,
  guarded: null,
  missing: null,
}

/** A CSRF token. `page`: where it was found. */
export interface Token {
  readonly kind: 'field' | 'meta' | 'cookie'
  readonly name: string
  readonly page: string
}

const signInWords =
  /log[ _-]?[io]n\b|sign[ _-]?in\b|anmeld|einlogg|connexion|acceder|iniciar|entrar|accedi|inloggen|logga/i
const guardedWords = /account|profile|settings|dashboard|preferences|inbox|messages|new\b|create|add\b|submit|ask\b/i
const harmful = /log[ _-]?out|sign[ _-]?out|delete|remove|unsubscribe/i
const usualPaths = ['login', 'accounts/login/', 'users/sign_in', 'login/', 'wp-login.php', 'user/login', 'signin']
const nowhere = 'callgate-looks-for-a-page-that-is-not-there'

/** Probes the app without a session: start page, sign-in, a missing page, and guarded pages. */
export async function lookAround(visitor: Visitor): Promise<Found> {
  const start = await visitor.page('')
  if (start === null)
    return { answers: false, signIn: null, elsewhere: null, token: null, guarded: null, missing: null }
  const missing = await visitor.page(nowhere)
  const { signIn, elsewhere } = await findSignIn(visitor, start)
  const guarded = await findGuarded(visitor, start, signIn?.path)
  const page = signIn === null ? null : await visitor.page(signIn.path)
  return {
    answers: true,
    signIn: signIn === null ? null : { path: signIn.path, hasPassword: signIn.hasPassword },
    elsewhere,
    token: tokenOf(start, '/') ?? (page && signIn ? tokenOf(page, `/${signIn.path}`) : null),
    guarded,
    // A redirect to a common page says nothing about missing pages.
    missing: missing === null || missing.route.length > 1 ? null : missing.status,
  }
}

async function findSignIn(visitor: Visitor, start: Page) {
  const links = linksOf(start).filter(({ url, text }) => signInWords.test(text) || signInWords.test(url.pathname))
  const elsewhere = links.find(({ url }) => visitor.below(url) === null)?.url ?? null
  const own = [...new Set(links.filter(({ url }) => visitor.below(url) !== null).map(({ url }) => pageOf(url)))]
  let second: { path: string; hasPassword: boolean } | null = null
  let other = elsewhere
  for (const address of [...own.slice(0, 3), '', ...usualPaths]) {
    const page = await visitor.page(address)
    const end = page?.route.at(-1)
    if (page === null || end === undefined) continue
    const path = visitor.below(new URL(pageOf(end)))
    if (path === null) other ??= end
    else if (page.status === 200 && select(page.html).any('input[type=password]').length > 0)
      return { signIn: { path, hasPassword: true }, elsewhere: null }
    // Some ask for the password on the next page or email a link, but not by redirecting home.
    else if (page.status === 200 && own.includes(address) && end.href !== start.route.at(-1)?.href)
      second ??= { path, hasPassword: false }
  }
  return { signIn: second, elsewhere: second === null ? (other?.origin ?? null) : null }
}

/**
 * URL of a sign-in page, without its return address. Apps with one path for all pages name it in
 * the query: `index.php?title=UserLogin`.
 */
function pageOf({ origin, pathname, searchParams }: URL): string {
  const names = [...searchParams].filter(([, value]) => signInWords.test(value))
  const query = signInWords.test(pathname) ? '' : new URLSearchParams(names).toString()
  return `${origin}${pathname}${query && `?${query}`}`
}

async function findGuarded(visitor: Visitor, start: Page, signIn: string | undefined): Promise<Found['guarded']> {
  if (signIn === undefined) return null
  const leadsToIt = (page: Page): string | null => {
    const end = page.route.at(-1)
    return page.route.length > 1 && end && visitor.isPage(end, signIn) ? signIn : null
  }
  const paths = linksOf(start)
    .filter(
      ({ url, text }) =>
        guardedWords.test(`${url.pathname}${url.search} ${text}`) && !harmful.test(`${url.href} ${text}`),
    )
    .filter(({ url }) => !visitor.isPage(url, signIn))
    .map(({ url }) => visitor.below(url))
    .filter((path) => path !== null)
  for (const path of new Set(['', ...paths.slice(0, 4)])) {
    const page = path === '' ? start : await visitor.page(path)
    const leadsTo = page && leadsToIt(page)
    if (leadsTo) return { path, leadsTo }
  }
  return null
}

function linksOf({ html, route }: Page): readonly { readonly url: URL; readonly text: string }[] {
  return select(html)
    .any('a[href]')
    .flatMap((link) => {
      const url = URL.parse(link.attribute('href'), route.at(-1))
      return url === null || !/^https?:$/.test(url.protocol) ? [] : [{ url, text: link.text() }]
    })
}

/** From a meta tag, a hidden input or a cookie: ordered by how likely all pages have it. */
function tokenOf({ html, setCookies }: Page, page: string): Token | null {
  const at = select(html)
  const named = (css: string, attribute: string): string | undefined =>
    at
      .any(css)
      .map((one: Node) => one.attribute(attribute))
      .find((name) => isTokenName(name))
  const meta = named('meta[name][content]', 'name')
  if (meta !== undefined) return { kind: 'meta', name: meta, page }
  const field = named('form input[type=hidden][name]', 'name')
  if (field !== undefined) return { kind: 'field', name: field, page }
  const cookie = setCookies.map((one) => one.split('=', 1)[0]?.trim() ?? '').find((name) => isTokenName(name))
  return cookie === undefined ? null : { kind: 'cookie', name: cookie, page }
}
