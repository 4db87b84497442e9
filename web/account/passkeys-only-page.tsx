import type { JSX } from 'preact'
import { codesAtOnce } from '../../core/users/passkeys-only.ts'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { ActionForm, Sure } from '../parts/dashboard.tsx'
import { ShownOnce } from '../parts/shown-once.tsx'
import { NewPassword } from './login-page.tsx'

const path = '/account/passkeys-only'

/** An account with a password may give it up, once it has a passkey. */
export function GiveUpPassword({ viewer }: { readonly viewer: Viewer }): JSX.Element {
  return (
    <Sure what="Take passkeys only">
      <ActionForm viewer={viewer} action={path} label="Take passkeys only">
        <p>
          Your password is switched off: nobody signs in with it any more, and no mail sets a new one. Other browsers
          are signed out. You get {codesAtOnce} recovery codes, each good for making one new passkey. Who loses all
          passkeys and all codes has lost the account, so keep the codes elsewhere than your passkeys, and add a second
          passkey.
        </p>
        <button class="danger" type="submit" name="action" value="on">
          Switch the password off now
        </button>
      </ActionForm>
    </Sure>
  )
}

/** In place of the form for the password. */
export function PasskeysOnly(props: {
  readonly viewer: Viewer
  readonly codesLeft: number
  readonly problem: string | undefined
}): JSX.Element {
  const { viewer, codesLeft, problem } = props
  return (
    <>
      <p>This account takes passkeys only: its password is switched off.</p>
      <p class={codesLeft < 3 ? 'notice warn' : 'hint'}>
        {codesLeft} of {codesAtOnce} recovery codes are left.
      </p>
      <div class="row buttons">
        <Sure what="Make new recovery codes">
          <ActionForm viewer={viewer} action={path} label="Make new recovery codes">
            <p>The codes that you have are worth nothing then.</p>
            <button class="danger" type="submit" name="action" value="codes">
              Make new ones now
            </button>
          </ActionForm>
        </Sure>
        <Sure what="Take a password again">
          <ActionForm viewer={viewer} action={path} label="Take a password again">
            <p>
              Whoever knows the password signs in with it then. Your passkeys stay; the recovery codes are worth nothing
              any more.
            </p>
            <input type="hidden" name="email" value={viewer.email} autocomplete="username" />
            <NewPassword {...(problem !== undefined && { problem: 'password-problem' })} />
            <button class="danger" type="submit" name="action" value="off">
              Take this password
            </button>
          </ActionForm>
        </Sure>
      </div>
      {problem !== undefined && (
        <p class="notice bad" role="alert" id="password-problem">
          The password was not switched on. {problem}
        </p>
      )}
    </>
  )
}

/** The codes, once. */
export function RecoveryCodesPage({
  viewer,
  codes,
}: {
  readonly viewer: Viewer
  readonly codes: readonly string[]
}): JSX.Element {
  return (
    <Layout title="Recovery codes" viewer={viewer} script="play.js">
      <article class="card lone">
        <h1>Your recovery codes</h1>
        <p class="notice warn">
          They are shown only now. Keep them where your passkeys are not: on paper, or in a safe place of somebody whom
          you trust.
        </p>
        <ShownOnce text={codes.join('\n')} copy="Copy them" />
        <p>
          If you lose all passkeys, each of them lets you make one new passkey, on the{' '}
          <a href="/recover">page for recovery codes</a>. It works once.
        </p>
        <p>
          <a class="button" href="/account">
            I have kept them
          </a>
        </p>
      </article>
    </Layout>
  )
}
