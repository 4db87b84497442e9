import type { JSX } from 'preact'
import { FlashMessage } from '../parts/dashboard.tsx'
import { Layout } from '../parts/layout.tsx'

export const shortestPassword = 12
export const longestPassword = 200

interface LoginProps {
  readonly csrf: string
  readonly returnTo: string
  readonly email: string
  /** Passkeys work at the gateway's address. */
  readonly passkeys: boolean
  readonly problem?: string
  /** Message code from the redirect. */
  readonly said?: string | null
}

const messages: Readonly<Record<string, string>> = {
  'email-back':
    'The old email address is back, and every browser is signed out. Look through your passkeys and keys, and remove what you do not know.',
  password: 'The password is set, and every browser is signed out. Sign in with the new one.',
}

export function LoginPage({ csrf, returnTo, email, passkeys, problem, said = null }: LoginProps): JSX.Element {
  return (
    <Layout title="Sign in" {...(passkeys && { script: 'passkey.js' })}>
      <article class="card lone">
        <h1>Sign in</h1>
        {returnTo.startsWith('/confirm/') && (
          <p class="hint">A call waits for your decision. Sign in to see exactly what would be sent.</p>
        )}
        {returnTo.startsWith('/oauth/authorize?') && (
          <p class="hint">
            A program asks for access to your apps. Sign in to decide, also if you did so a while ago: next you see what
            it asks for.
          </p>
        )}
        <FlashMessage what={said} words={messages} />
        {problem !== undefined && (
          <p class="notice bad" role="alert" id="problem">
            {problem}
          </p>
        )}
        <form class="stack" method="post" action="/login">
          <input type="hidden" name="csrf" value={csrf} />
          <input type="hidden" name="return_to" value={returnTo} />
          <label>
            Email
            <input
              type="email"
              name="email"
              value={email}
              autocomplete="username webauthn"
              required
              autofocus={email === ''}
              aria-describedby={problem === undefined ? undefined : 'problem'}
            />
          </label>
          <label>
            Password
            <input type="password" name="password" autocomplete="current-password" required autofocus={email !== ''} />
          </label>
          <button class="primary" type="submit">
            Sign in
          </button>
        </form>
        {passkeys && (
          <form class="stack" method="post" action="/login/passkey" data-passkey="use" hidden aria-label="Passkey">
            <input type="hidden" name="csrf" value={csrf} />
            <input type="hidden" name="return_to" value={returnTo} />
            <input type="hidden" name="credential" />
            <button class="quiet" type="submit">
              Sign in with a passkey
            </button>
            <p class="notice bad" role="alert" data-problem hidden />
          </form>
        )}
        <p>
          <a href="/forgot">Lost your password?</a>
          {passkeys && (
            <>
              {' · '}
              <a href="/recover">Lost your passkeys?</a>
            </>
          )}
        </p>
        <p class="hint">No account? Ask the operator of this Callgate. No app or agent ever needs this password.</p>
      </article>
    </Layout>
  )
}

/** New password, typed twice. */
export function NewPassword({ problem }: { readonly problem?: string }): JSX.Element {
  const bounds = { required: true, minLength: shortestPassword, maxLength: longestPassword }
  return (
    <>
      <label>
        New password ({shortestPassword} characters or more)
        <input type="password" name="new" autocomplete="new-password" {...bounds} aria-describedby={problem} />
      </label>
      <label>
        The new password again
        <input type="password" name="again" autocomplete="new-password" {...bounds} />
      </label>
    </>
  )
}
