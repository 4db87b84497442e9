import type { JSX } from 'preact'
import { invitationDays } from '../../core/users/invitations.ts'
import type { Invitation, NewInvitation } from '../../core/users/invitations.ts'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { ShownOnce } from '../parts/shown-once.tsx'
import { Text } from '../parts/text.tsx'
import { Time } from '../parts/time.tsx'
import { ActionForm, FlashMessage } from '../parts/dashboard.tsx'
import { EmailField } from './email-field.tsx'
import type { EmailProblem } from './email-field.tsx'

interface PeopleProps {
  readonly viewer: Viewer
  readonly invitations: readonly Invitation[]
  readonly said: string | null
  readonly problem: EmailProblem | undefined
  /** The gateway can send mail. */
  readonly mails: boolean
}

export function PeoplePage({ viewer, invitations, said, problem, mails }: PeopleProps): JSX.Element {
  return (
    <Layout title="People" viewer={viewer} wide>
      <p class="eyebrow">
        <a href="/account">Account</a>
      </p>
      <h1>People</h1>
      <p class="lead">
        People you invite get their own account, with their own apps, keys and credits. Nobody sees what belongs to
        somebody else.
      </p>
      <FlashMessage what={said} words={{ revoked: 'The invitation is revoked: its link does nothing any more.' }} />
      <div class="columns list-first">
        <div>
          <section class="card" aria-labelledby="invite">
            <h2 id="invite">Invite somebody</h2>
            <ActionForm viewer={viewer} action="/people" label="Invite somebody">
              <EmailField label="Email" problem={problem} autocomplete="off" />
              {mails && (
                <button class="primary" type="submit" name="action" value="mail">
                  Mail the invitation
                </button>
              )}
              <button class={mails ? 'quiet' : 'primary'} type="submit" name="action" value="link">
                {mails ? 'Only make the link' : 'Make the link'}
              </button>
            </ActionForm>
          </section>
        </div>
        <div>
          <section class="card" aria-labelledby="invitations">
            <h2 id="invitations">Invitations</h2>
            {invitations.length === 0 ? (
              <p class="empty">None yet.</p>
            ) : (
              <ul class="accounts">
                {invitations.map((invitation) => (
                  <Row key={invitation.id} viewer={viewer} invitation={invitation} />
                ))}
              </ul>
            )}
          </section>
        </div>
      </div>
    </Layout>
  )
}

const tones = { open: 'tag warn', used: 'tag good', expired: 'tag', revoked: 'tag' } as const

function Row({ viewer, invitation }: { readonly viewer: Viewer; readonly invitation: Invitation }): JSX.Element {
  const { id, email, state, created_at, expires_at } = invitation
  return (
    <li>
      <div class="row">
        <div>
          <strong>
            <Text value={email} />
          </strong>{' '}
          <span class={tones[state]}>{state}</span>
          <p class="hint">
            made <Time at={created_at} />
            {state === 'open' && (
              <>
                , works until <Time at={expires_at} />
              </>
            )}
          </p>
        </div>
        {state === 'open' && (
          <ActionForm viewer={viewer} action={`/people/${id}`} label={`Revoke the invitation of ${email}`}>
            <button class="quiet" type="submit" name="action" value="revoke">
              Revoke
            </button>
          </ActionForm>
        )}
      </div>
    </li>
  )
}

export function NewInvitationPage({
  viewer,
  made,
  mailed,
}: {
  readonly viewer: Viewer
  readonly made: NewInvitation
  readonly mailed: boolean
}): JSX.Element {
  return (
    <Layout title="The invitation" viewer={viewer} script="play.js">
      <article class="card">
        <p class="eyebrow">
          <Text value={made.email} />
        </p>
        <h1>The invitation</h1>
        {mailed && (
          <p class="notice good" role="status">
            A mail with the link is on its way.
          </p>
        )}
        <p class="notice warn">
          {mailed
            ? 'In case the mail does not arrive, copy the link now: you will not see it again.'
            : 'Copy the link now: you will not see it again.'}{' '}
          Send it to nobody else: the first person to use it gets the account.
        </p>
        <ShownOnce text={made.link} copy="Copy the link" />
        <p class="hint">
          It works once, for {invitationDays} days, until <Time at={made.expires_at} />. If this address already has an
          account, its owner is asked to sign in instead. <a href="/people">Back to the people</a>
        </p>
      </article>
    </Layout>
  )
}
