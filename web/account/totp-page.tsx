import type { JSX } from 'preact'
import encodeQR from 'qr'
import { totpMinutes } from '../../core/users/totp.ts'
import type { TotpKey } from '../../core/users/totp.ts'
import { ActionForm, FlashMessage, Sure } from '../parts/dashboard.tsx'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { Time, counted } from '../parts/time.tsx'
import { CodeField } from './login-code-page.tsx'

const address = '/account/totp'
const messages: Readonly<Record<string, string>> = {
  removed: 'The password is enough from now on. Delete the entry in your app, too.',
  late: `That took longer than ${totpMinutes} minutes. Start again.`,
}

export function TotpPage(props: {
  readonly viewer: Viewer
  readonly since: Date | undefined
  /** Recovery codes left. */
  readonly left: number
  readonly said: string | null
}): JSX.Element {
  const { viewer, since, left, said } = props
  return (
    <Layout title="Authenticator app" viewer={viewer}>
      <p class="eyebrow">
        <a href="/account">Account</a>
      </p>
      <h1>Authenticator app</h1>
      <p class="lead">
        A password can be seen or guessed. With an authenticator app on your phone, signing in with the password also
        asks for a code. Passkeys are safe on their own and ask for none.
      </p>
      <FlashMessage what={said} words={messages} />
      <section class="card" aria-labelledby="app">
        <h2 id="app">Authenticator app</h2>
        {since === undefined ? (
          <>
            <p>Not set up: the password is enough.</p>
            <ActionForm viewer={viewer} action={address} label="Set it up">
              <button class="primary" type="submit" name="action" value="begin">
                Set it up
              </button>
            </ActionForm>
          </>
        ) : (
          <>
            <p>
              <span class="tag good">on</span> since <Time at={since} />. {counted(left, 'recovery code')} left.
            </p>
            {left < 4 && <p class="notice warn">Make new recovery codes before the last one is used.</p>}
            <Sure what="New recovery codes">
              <ActionForm viewer={viewer} action={address} label="New recovery codes">
                <p>The codes you have now stop working.</p>
                <button class="primary" type="submit" name="action" value="codes">
                  Make new recovery codes
                </button>
              </ActionForm>
            </Sure>
            <Sure what="Remove the app">
              <ActionForm viewer={viewer} action={address} label="Remove the app">
                <p>You then sign in with the password alone, and the recovery codes stop working for it.</p>
                <button class="danger" type="submit" name="action" value="remove">
                  Stop asking for codes
                </button>
              </ActionForm>
            </Sure>
          </>
        )}
        <p>
          <a href="/account">Back to the account</a>
        </p>
      </section>
    </Layout>
  )
}

/** Shows the secret for the authenticator app. */
export function TotpKeyPage(props: {
  readonly viewer: Viewer
  readonly key: TotpKey
  readonly problem: string | undefined
}): JSX.Element {
  const { viewer, key, problem } = props
  return (
    <Layout title="Set up the app" viewer={viewer}>
      <article class="card lone">
        <h1>Set up the app</h1>
        <p>In your authenticator app, add an account and scan this:</p>
        <img class="qr" src={pictureOf(key.uri)} alt="QR code of the key below" width="220" height="220" />
        <p>
          Or <a href={key.uri}>open it in an app on this device</a>, or type the key:
        </p>
        <p>
          <code class="wrap">{key.key.match(/.{1,4}/g)?.join(' ')}</code>
        </p>
        <ActionForm viewer={viewer} action={address} label="Say the first code">
          <CodeField
            name="code"
            label="The code that the app shows now"
            problem={problem === undefined ? undefined : 'problem'}
          />
          {problem !== undefined && (
            <p class="notice bad" role="alert" id="problem">
              {problem}
            </p>
          )}
          <button class="primary" type="submit" name="action" value="confirm">
            Ask for codes from now on
          </button>
        </ActionForm>
        <p class="hint">
          Nothing changes until the first code is right. <a href={address}>Leave it</a>
        </p>
      </article>
    </Layout>
  )
}

/** Dark on light in any theme: cameras need the contrast. */
function pictureOf(uri: string): string {
  return `data:image/svg+xml,${encodeURIComponent(encodeQR(uri, 'svg'))}`
}
