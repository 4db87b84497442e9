import type { JSX } from 'preact'
import { Frame } from './frame.tsx'

interface LoginProps {
  readonly returnTo: string
  readonly name: string
  readonly problem?: { readonly field: 'name' | 'token'; readonly problem: string }
}

export function OperatorLoginPage({ returnTo, name, problem }: LoginProps): JSX.Element {
  const described = (field: 'name' | 'token') =>
    problem?.field === field ? { 'aria-invalid': true, 'aria-describedby': 'problem' } : {}
  return (
    <Frame title="Sign in">
      <article class="card lone">
        <h1>Sign in as an operator</h1>
        <p class="hint">
          With the token that is yours. As long as nobody has one, <code>npm run -s admin -- token</code> prints the
          shared one to whoever can read the key file.
        </p>
        {problem !== undefined && (
          <p class="notice bad" role="alert" id="problem">
            {problem.problem}
          </p>
        )}
        <form class="stack" method="post" action="/login">
          <input type="hidden" name="return_to" value={returnTo} />
          <label>
            Your name, for the log
            <input
              type="text"
              name="name"
              value={name}
              autocomplete="username"
              maxlength={60}
              autofocus={name === ''}
              {...described('name')}
            />
          </label>
          <label>
            Operator token
            <input
              type="password"
              name="token"
              autocomplete="current-password"
              required
              autofocus={name !== ''}
              {...described('token')}
            />
          </label>
          <button class="primary" type="submit">
            Sign in
          </button>
        </form>
      </article>
    </Frame>
  )
}
