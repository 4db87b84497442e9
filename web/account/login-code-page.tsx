import type { JSX } from 'preact'
import { Layout } from '../parts/layout.tsx'

export function LoginCodePage(props: {
  readonly csrf: string
  readonly returnTo: string
  readonly problem: string | undefined
}): JSX.Element {
  const { csrf, returnTo, problem } = props
  return (
    <Layout title="Your code">
      <article class="card lone">
        <h1>Your code</h1>
        <p>The password is right. Say the code that your authenticator app shows now, too.</p>
        <form class="stack" method="post" action="/login/code">
          <input type="hidden" name="csrf" value={csrf} />
          <input type="hidden" name="return_to" value={returnTo} />
          <CodeField name="code" problem={problem === undefined ? undefined : 'problem'} autofocus />
          {problem !== undefined && (
            <p class="notice bad" role="alert" id="problem">
              {problem}
            </p>
          )}
          <button class="primary" type="submit">
            Sign in
          </button>
        </form>
        <p class="hint">
          Lost the app? Use one of your recovery codes instead. If you have none, ask the operator of this Callgate.{' '}
          <a href="/login">Back to the password</a>
        </p>
      </article>
    </Layout>
  )
}

/** Field for a TOTP or recovery code. */
export function CodeField(props: {
  readonly name: string
  readonly problem?: string | undefined
  readonly autofocus?: boolean
  readonly label?: string
}): JSX.Element {
  return (
    <label>
      {props.label ?? 'Code of the app, or a recovery code'}
      <input
        type="text"
        name={props.name}
        autocomplete="one-time-code"
        maxLength={40}
        required
        autofocus={props.autofocus}
        autocapitalize="none"
        spellcheck={false}
        aria-describedby={props.problem}
      />
    </label>
  )
}
