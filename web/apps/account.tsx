import type { JSX } from 'preact'
import type { Account } from '../../core/accounts/accounts.ts'
import { reasons } from '../connect/page.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { Text } from '../parts/text.tsx'
import { Time } from '../parts/time.tsx'
import { ActionForm, Sure } from '../parts/dashboard.tsx'

/** A connection: its state, and a button to disconnect. */
export function Connected({ viewer, account }: { readonly viewer: Viewer; readonly account: Account }): JSX.Element {
  return (
    <div>
      <Text value={account.label} /> <StateTag account={account} />
      <br />
      {account.origin !== '' && (
        <>
          <span class="mono at">
            <Text value={account.origin} />
          </span>
          <br />
        </>
      )}
      <code class="hint">{account.id}</code>
      <Health account={account} />
      <Sure what="Disconnect">
        <ActionForm viewer={viewer} action={`/apps/${account.app}`} label={`Disconnect ${account.label}`}>
          <input type="hidden" name="account" value={account.id} />
          <p>
            Its session is deleted right away and nothing more is sent in this account: waiting calls fail, and its
            standing approvals end. You can connect the account again at any time, as a new one.
          </p>
          <button class="danger" type="submit" name="action" value="disconnect">
            Disconnect now
          </button>
        </ActionForm>
      </Sure>
    </div>
  )
}

/** When it was connected, or why it does not work and how to fix that. */
function Health({ account: { app, id, state, reason, connected_at: at } }: { readonly account: Account }): JSX.Element {
  return (
    <>
      {state !== 'connected' && (
        <p>
          {reasons[reason ?? 'AUTH_EXPIRED']} <a href={`/connect/${app}?account=${id}`}>Sign in again</a>
        </p>
      )}
      {at !== null && (
        <p class="hint">
          Last connected <Time at={at} />
        </p>
      )}
    </>
  )
}

export function StateTag({ account }: { readonly account: Account }): JSX.Element {
  const connected = account.state === 'connected'
  return <span class={`tag ${connected ? 'good' : 'warn'}`}>{connected ? 'connected' : 'sign in again'}</span>
}
