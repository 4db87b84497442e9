import type { JSX } from 'preact'
import type { Invitation } from '../../core/users/invitations.ts'
import { Layout } from '../parts/layout.tsx'
import { NewPassword } from './login-page.tsx'
import { Text } from '../parts/text.tsx'
import { Time } from '../parts/time.tsx'

interface InvitationProps {
  readonly csrf: string
  readonly token: string
  readonly invitation: Invitation
  readonly problem: string | undefined
  /** Email of the session in this browser, perhaps of another user. */
  readonly signedInAs: string | undefined
}

export function InvitationPage({ csrf, token, invitation, problem, signedInAs }: InvitationProps): JSX.Element {
  const { email, expires_at } = invitation
  return (
    <Layout title="Your invitation">
      <article class="card lone">
        <p class="eyebrow">You are invited</p>
        <h1>Choose a password</h1>
        <p>
          With Callgate your AI agents use your apps for you, and what matters waits for your approval. This makes an
          account for{' '}
          <strong>
            <Text value={email} />
          </strong>
          .
        </p>
        {signedInAs !== undefined && (
          <p class="notice warn">
            In this browser <Text value={signedInAs} /> is signed in. Going on signs them out here.
          </p>
        )}
        <form class="stack" method="post" action={`/invitation/${token}`}>
          <input type="hidden" name="csrf" value={csrf} />
          <input type="hidden" name="email" value={email} autocomplete="username" />
          <NewPassword {...(problem !== undefined && { problem: 'problem' })} />
          {problem !== undefined && (
            <p class="notice bad" role="alert" id="problem">
              {problem}
            </p>
          )}
          <button class="primary" type="submit">
            Make the account
          </button>
        </form>
        <p class="hint">
          The link works once, until <Time at={expires_at} />. You have an account already? <a href="/login">Sign in</a>
        </p>
      </article>
    </Layout>
  )
}

/** One answer for all causes. */
export function InvitationOverPage(): JSX.Element {
  return (
    <Layout title="This invitation cannot be used">
      <article class="card lone">
        <h1>This invitation cannot be used</h1>
        <p>It was used, revoked, or is too old, or there is an account for its address already.</p>
        <p>
          If you have an account, <a href="/login">sign in</a>. If not, ask for a new invitation.
        </p>
      </article>
    </Layout>
  )
}
