import type { JSX } from 'preact'
import { confirmHours, undoDays } from '../../core/users/email-changes.ts'
import type { EmailChange } from '../../core/users/email-changes.ts'
import { ActionForm, FlashMessage } from '../parts/dashboard.tsx'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { Text } from '../parts/text.tsx'
import { Time } from '../parts/time.tsx'
import { EmailField } from './email-field.tsx'
import type { EmailProblem } from './email-field.tsx'

interface EmailProps {
  readonly viewer: Viewer
  /** The gateway can send mail. */
  readonly mails: boolean
  readonly waiting: EmailChange | undefined
  readonly said: string | null
  readonly problem: EmailProblem | undefined
}

const messages: Readonly<Record<string, string>> = {
  mailed: 'A mail is on its way to the new address. Nothing is changed until you open its link and confirm.',
  cancelled: 'The link does nothing any more. The address stays as it is.',
}

export function EmailPage({ viewer, mails, waiting, said, problem }: EmailProps): JSX.Element {
  return (
    <Layout title="Email address" viewer={viewer} wide>
      <p class="eyebrow">
        <a href="/account">Account</a>
      </p>
      <h1>Email address</h1>
      <FlashMessage what={said} words={messages} />
      <div class="columns list-first">
        <div>
          <section class="card" aria-labelledby="email">
            <h2 id="email">Yours</h2>
            <p>
              <strong>
                <Text value={viewer.email} />
              </strong>
            </p>
            <p class="hint">You sign in with it, and mails about your account and your calls go there.</p>
            {waiting !== undefined && (
              <ActionForm viewer={viewer} action="/account/email" label="Keep the address">
                <p class="notice warn">
                  <Text value={waiting.new_email} /> waits to be confirmed, until <Time at={waiting.confirm_until} />.
                </p>
                <button class="quiet" type="submit" name="action" value="cancel">
                  Keep the address as it is
                </button>
              </ActionForm>
            )}
          </section>
        </div>
        <div>
          <section class="card" aria-labelledby="change">
            <h2 id="change">Another address</h2>
            {mails ? (
              <ActionForm viewer={viewer} action="/account/email" label="Change the address">
                <p class="hint">
                  The new address gets a mail with a link, which works for {confirmHours} hours. Once you have
                  confirmed, the old address gets a mail with which this can be taken back for {undoDays} days.
                </p>
                <EmailField label="New email address" problem={problem} autocomplete="email" />
                <button class="primary" type="submit" name="action" value="change">
                  Mail the link
                </button>
              </ActionForm>
            ) : (
              <p class="notice warn">
                This gateway sends no mail, so a new address cannot be confirmed. Ask the operator of this Callgate.
              </p>
            )}
            <p>
              <a href="/account">Back to the account</a>
            </p>
          </section>
        </div>
      </div>
    </Layout>
  )
}

export function ConfirmEmailPage(props: {
  readonly viewer: Viewer
  readonly token: string
  readonly change: EmailChange
}): JSX.Element {
  const { viewer, token, change } = props
  return (
    <Layout title="Confirm the new address" viewer={viewer}>
      <article class="card lone">
        <h1>Confirm the new address</h1>
        <p>
          <strong>
            <Text value={change.new_email} />
          </strong>{' '}
          becomes the email address of your account, instead of <Text value={viewer.email} />. You sign in with it from
          then on.
        </p>
        <ActionForm viewer={viewer} action={`/account/email/${token}`}>
          <button class="primary" type="submit">
            Change the address
          </button>
        </ActionForm>
        <p class="hint">
          The link works until <Time at={change.confirm_until} />. <a href="/account/email">Leave it as it is</a>
        </p>
      </article>
    </Layout>
  )
}
