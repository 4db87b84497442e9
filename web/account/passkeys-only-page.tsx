import type { JSX } from 'preact'
import { recoveryCodes } from '../../core/users/recovery-codes.ts'
import type { Viewer } from '../parts/layout.tsx'
import { ActionForm, Sure } from '../parts/dashboard.tsx'
import { NewPassword } from './login-page.tsx'

const path = '/account/passkeys-only'

/** Offers to drop the password, once the account has a passkey. */
export function GiveUpPassword({ viewer }: { readonly viewer: Viewer }): JSX.Element {
  return (
    <Sure what="Take passkeys only">
      <ActionForm viewer={viewer} action={path} label="Take passkeys only">
        <p>
          Your password is switched off: nobody signs in with it any more, and no mail sets a new one. Other browsers
          are signed out. You get {recoveryCodes} new recovery codes, each good for making one new passkey; those that
          you may have for an authenticator app are void. Who loses all passkeys and all codes has lost the account, so
          keep the codes elsewhere than your passkeys, and add a second passkey.
        </p>
        <button class="danger" type="submit" name="action" value="on">
          Switch the password off now
        </button>
      </ActionForm>
    </Sure>
  )
}

/** Replaces the password form. */
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
        {codesLeft} of {recoveryCodes} recovery codes are left.
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
              Whoever knows the password signs in with it then. Your passkeys stay; recovery codes make no passkey any
              more.
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
