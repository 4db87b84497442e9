import type { JSX } from 'preact'
import { Layout } from '../parts/layout.tsx'

export function RecoverPage(props: {
  readonly csrf: string
  /** Passkeys work at the gateway's address. */
  readonly usable: boolean
  readonly problem: string | undefined
}): JSX.Element {
  const { csrf, usable, problem } = props
  return (
    <Layout title="Use a recovery code" script="passkey.js">
      <article class="card lone">
        <h1>Use a recovery code</h1>
        <p>
          Your account takes passkeys only, and you have lost them? One of your recovery codes lets you make a new
          passkey on this device. The code works once.
        </p>
        {usable ? (
          <>
            <p class="hint" data-no-passkey>
              It takes a browser that knows passkeys, with JavaScript on.
            </p>
            <form class="stack" method="post" action="/recover" data-passkey="add" hidden aria-label="Recovery code">
              <input type="hidden" name="csrf" value={csrf} />
              <input type="hidden" name="credential" />
              <label>
                Email
                <input type="email" name="email" autocomplete="username" required autofocus />
              </label>
              <label>
                Recovery code
                <input
                  type="text"
                  name="recovery_code"
                  required
                  maxlength={40}
                  autocomplete="off"
                  autocapitalize="none"
                  spellcheck={false}
                  placeholder="abcde-fghjk-mnpqr-stuvw"
                />
              </label>
              <label>
                Name of the new passkey
                <input type="text" name="name" required maxLength={60} placeholder="My phone" autocomplete="off" />
              </label>
              <p class="notice bad" role="alert" data-problem hidden={problem === undefined}>
                {problem}
              </p>
              <button class="primary" type="submit">
                Make a new passkey
              </button>
            </form>
          </>
        ) : (
          <p class="notice warn">Passkeys do not work at this gateway’s address. Ask the operator of this Callgate.</p>
        )}
        <p>
          <a href="/login">Back to the sign-in</a>
        </p>
      </article>
    </Layout>
  )
}
