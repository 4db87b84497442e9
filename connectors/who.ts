import type { AppSession } from '../schemas/session.ts'
import { read } from './answer.ts'
import { CookieJar } from './cookies.ts'
import type { Failure } from './failures.ts'
import { send } from './http.ts'
import type { App } from './registry.ts'

/** What an app says of a session: whose it is, why it is nobody's, or nothing that means either. */
export type Who =
  | { readonly kind: 'account'; readonly id: string }
  | { readonly kind: Extract<Failure['kind'], 'auth_expired' | 'captcha' | 'mfa'> }
  | { readonly kind: 'unclear' }

/** Reads the app's page for who is signed in: no action, nothing changes. Takes 15 s at most. */
export async function whoIs(app: App, session: AppSession): Promise<Who> {
  const [endpoint] = app.endpoints.values()
  if (endpoint === undefined) return { kind: 'unclear' }
  const url = new URL(app.signIn.who.page, app.origin)
  const cookie = new CookieJar(session).header(url)
  const result = await send(
    {
      url,
      method: 'GET',
      headers: {
        accept: 'application/json, text/html;q=0.9',
        ...(cookie !== '' && { cookie }),
        ...(session.user_agent !== null && { 'user-agent': session.user_agent }),
      },
      body: null,
    },
    { signal: AbortSignal.timeout(15_000), timedOut: () => true, maxBytes: 1024 * 1024 },
  )
  if (result.kind !== 'answer') return { kind: 'unclear' }
  const account = result.answer.status === 200 ? app.signIn.who.account(result.answer.text) : null
  if (account !== null) return { kind: 'account', id: account.id }
  const failure = endpoint.failure(read(result.answer, url, app.origin))
  if (failure?.kind === 'auth_expired' || failure?.kind === 'captcha' || failure?.kind === 'mfa')
    return { kind: failure.kind }
  return { kind: 'unclear' }
}
