import type { JSX } from 'preact'
import { Layout } from './layout.tsx'

interface LoginProps {
  readonly csrf: string
  readonly returnTo: string
  readonly email: string
  readonly problem?: string
}

export function LoginPage({ csrf, returnTo, email, problem }: LoginProps): JSX.Element {
  return (
    <Layout title="Sign in">
      <article class="card lone">
        <h1>Sign in</h1>
        {returnTo.startsWith('/confirm/') && (
          <p class="hint">A call waits for your decision. Sign in to see exactly what would be sent.</p>
        )}
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
              autocomplete="username"
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
      </article>
    </Layout>
  )
}
