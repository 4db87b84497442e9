import type { BrowserContext, Cookie } from 'playwright-core'
import { asBytes, textOf } from '../../../connectors/runtime/cookies.ts'
import type { SessionCookie } from '../../../schemas/session.ts'

type Told = Pick<Cookie, 'name' | 'value' | 'domain' | 'path' | 'httpOnly' | 'secure' | 'expires'>

/**
 * Of a browser's cookies, those of the app's own hosts, on every path. Cookies of other hosts, such
 * as a sign-in service's, are left out.
 */
export function sessionCookies(cookies: readonly Told[], hosts: readonly string[]): SessionCookie[] {
  return cookies
    .filter(({ domain }) =>
      hosts.some((host) => host === domain || (domain.startsWith('.') && `.${host}`.endsWith(domain))),
    )
    .map(({ name, value, domain, path, httpOnly, secure, expires }) => ({
      ...{ name: asBytes(name), value: asBytes(value), domain, path },
      ...(httpOnly && { http_only: true as const }),
      ...(secure && { secure: true as const }),
      // Negative: a session cookie, which ends with the browser.
      ...(expires >= 0 && { expires: Math.floor(expires) }),
    }))
}

/**
 * Sets a stored session's cookies in a browser. Skips cookies that it rejects, which no browser
 * could have sent, so that the others are kept.
 */
export async function giveCookies(context: BrowserContext, cookies: readonly SessionCookie[]): Promise<void> {
  const told = cookies.map(({ name, value, domain, path, http_only, secure, expires = -1 }) => ({
    ...{ name: textOf(name), value: textOf(value), domain, path, expires },
    ...{ httpOnly: http_only === true, secure: secure === true },
  }))
  await Promise.allSettled(told.map((cookie) => context.addCookies([cookie])))
}

/**
 * Applies to the browser's cookies what the response to a request outside it changed (`before`,
 * `after`). A cookie that the browser received since that request stays: it is newer, such as that
 * of a sign-in, which the response would remove.
 */
export async function changeCookies(
  context: BrowserContext,
  hosts: readonly string[],
  { before, after }: { readonly before: readonly SessionCookie[]; readonly after: readonly SessionCookie[] },
): Promise<void> {
  const isSame = (one: SessionCookie, other: SessionCookie): boolean =>
    one.name === other.name && one.domain === other.domain && one.path === other.path
  const changed = [
    ...before.filter((cookie) => !after.some((other) => isSame(cookie, other))),
    ...after.filter((cookie) => !before.includes(cookie)),
  ]
  if (changed.length === 0) return
  const now = sessionCookies(await context.cookies(), hosts)
  const valueIn = (cookies: readonly SessionCookie[], of: SessionCookie): string | undefined =>
    cookies.find((cookie) => isSame(cookie, of))?.value
  const due = changed.filter((cookie) => valueIn(now, cookie) === valueIn(before, cookie))
  for (const { name, domain, path } of due.filter((cookie) => !after.includes(cookie)))
    await context.clearCookies({ name: textOf(name), domain, path })
  await giveCookies(
    context,
    due.filter((cookie) => after.includes(cookie)),
  )
}
