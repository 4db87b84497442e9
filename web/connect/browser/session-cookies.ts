import type { SessionCookie } from '../../../schemas/session.ts'

/** Of all that a browser got, the cookies of the app's own hosts, of every path. Those of other hosts, such as a sign-in service's, are left there. */
export function sessionCookies(cookies: readonly SessionCookie[], hosts: readonly string[]): SessionCookie[] {
  return cookies
    .filter(({ domain }) =>
      hosts.some((host) => host === domain || (domain.startsWith('.') && `.${host}`.endsWith(domain))),
    )
    .map(({ name, value, domain, path }) => ({ name, value, domain, path }))
}
