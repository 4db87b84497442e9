import type { JSX } from 'preact'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { CodeField } from './login-code-page.tsx'

/** Re-authentication fields, added to those of the original form. */
export const againFields = {
  password: 'again_password',
  code: 'again_code',
  credential: 'again_credential',
} as const

/** Asks for re-authentication, then posts the original form with all its fields. */
export function AgainPage(props: {
  readonly viewer: Viewer
  readonly path: string
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** The account has a password. */
  readonly passwords: boolean
  /** Passkeys work at the gateway's address. */
  readonly passkeys: boolean
  /** A TOTP code is required besides the password. */
  readonly code: boolean
  readonly problem?: string
}): JSX.Element {
  const { viewer, path, fields, passwords, passkeys, code, problem } = props
  const kept = fields.map(([name, value], index) => <input key={index} type="hidden" name={name} value={value} />)
  return (
    <Layout title="Is it you?" viewer={viewer} {...(passkeys && { script: 'passkey.js' })}>
      <article class="card lone">
        <h1>Is it you?</h1>
        <p class="hint">
          What you are about to do lets something happen without asking you, gives somebody a key, or changes how you
          sign in. You signed in more than ten minutes ago, so please confirm that it is you. Nothing you typed is lost.
        </p>
        {problem !== undefined && (
          <p class="notice bad" role="alert" id="problem">
            {problem}
          </p>
        )}
        {passwords ? (
          <form class="stack" method="post" action={path}>
            {kept}
            {/* For password managers; not submitted. */}
            <input type="text" value={viewer.email} autocomplete="username" readonly hidden />
            <label>
              Your password
              <input
                type="password"
                name={againFields.password}
                autocomplete="current-password"
                required
                autofocus
                aria-describedby={problem === undefined ? undefined : 'problem'}
              />
            </label>
            {code && <CodeField name={againFields.code} />}
            <button class="primary" type="submit">
              Go on
            </button>
          </form>
        ) : (
          <p class="hint" data-no-passkey>
            It takes one of your passkeys, in a browser that knows them, with JavaScript on.
          </p>
        )}
        {passkeys && (
          <form
            class="stack"
            method="post"
            action={path}
            data-passkey="use"
            data-options="/account/again"
            data-field={againFields.credential}
            hidden
            aria-label="Passkey"
          >
            {kept}
            <input type="hidden" name={againFields.credential} />
            <button class="quiet" type="submit">
              Use a passkey
            </button>
            <p class="notice bad" role="alert" data-problem hidden />
          </form>
        )}
      </article>
    </Layout>
  )
}
