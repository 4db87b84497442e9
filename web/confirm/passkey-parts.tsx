import type { JSX } from 'preact'
import type { WantedPasskey } from './passkey.ts'

/** Why an approval was not recorded. */
export function NeedsPasskey({ why }: { readonly why: 'missing' | 'failed' }): JSX.Element {
  return (
    <div class="notice bad" role="alert">
      <h2>Nothing was decided</h2>
      <p>
        {why === 'missing'
          ? 'Approving this needs one of your passkeys at this very decision, and none was used.'
          : 'The passkey did not sign just this decision: it is not one of yours, it took too long, or the page was used before. Read the page, then approve again.'}
      </p>
    </div>
  )
}

/** The passkey requirement, above the bar with the buttons. */
export function PasskeyWanted({ passkey }: { readonly passkey: WantedPasskey }): JSX.Element {
  return (
    <div class={passkey === 'ready' ? 'notice' : 'notice warn'} id="passkey">
      <p>
        You demand a passkey for approving this.{' '}
        {passkey === 'none' ? (
          <>
            You have none any more, so it can only be rejected: <a href="/account#passkeys">add a passkey</a>, then come
            back.
          </>
        ) : passkey === 'not here' ? (
          'Browsers use none at this gateway’s address, so it can only be rejected. The operator can change that (PUBLIC_URL).'
        ) : (
          <>
            Your browser asks for it when you approve. Rejecting needs none.
            <strong data-no-passkey> It takes a browser that knows passkeys, with JavaScript on.</strong>
          </>
        )}
      </p>
    </div>
  )
}
