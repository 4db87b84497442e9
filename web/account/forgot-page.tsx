import type { JSX } from 'preact'
import { resetMinutes } from '../../core/users/password-resets.ts'
import { FlashMessage } from '../parts/dashboard.tsx'
import { Layout } from '../parts/layout.tsx'
import { Text } from '../parts/text.tsx'
import { NewPassword } from './login-page.tsx'

interface ForgotProps {
  readonly csrf: string
  /** The gateway can send mail. */
  readonly mails: boolean
  readonly sent?: boolean
  readonly typed?: string
  readonly problem?: string
}

export function ForgotPage({ csrf, mails, sent, typed, problem }: ForgotProps): JSX.Element {
  return (
    <Layout title="Set a new password">
      <article class="card lone">
        <h1>Set a new password</h1>
        {mails ? (
          <>
            {sent === true ? (
              <p class="notice good" role="status">
                If there is an account with that address, a mail is on its way. Look into the mailbox, also among spam.
                The link in it works once, for {resetMinutes} minutes.
              </p>
            ) : (
              <p>Say the email address of your account. You get a mail with a link to set a new password.</p>
            )}
            <AskForm csrf={csrf} typed={typed} problem={problem} again={sent === true} />
            <p class="hint">
              No mail? Check that it is the address of your account, or ask the operator of this Callgate.
            </p>
          </>
        ) : (
          <>
            <p class="notice warn">This gateway sends no mail, so it cannot send you a link.</p>
            <p>Ask the operator of this Callgate: they can make a link for you to set a new password.</p>
          </>
        )}
        <p>
          <a href="/login">Back to the sign-in</a>
        </p>
      </article>
    </Layout>
  )
}

function AskForm(props: {
  readonly csrf: string
  readonly typed: string | undefined
  readonly problem: string | undefined
  readonly again: boolean
}): JSX.Element {
  const { csrf, typed, problem, again } = props
  return (
    <form class="stack" method="post" action="/forgot" aria-label="Mail me a link">
      <input type="hidden" name="csrf" value={csrf} />
      <label>
        Email
        <input
          type="email"
          name="email"
          value={typed}
          autocomplete="username"
          maxLength={254}
          required
          autofocus={!again}
          aria-describedby={problem === undefined ? undefined : 'problem'}
        />
      </label>
      {problem !== undefined && (
        <p class="notice bad" role="alert" id="problem">
          {problem}
        </p>
      )}
      <button class={again ? 'quiet' : 'primary'} type="submit">
        {again ? 'Mail me another link' : 'Mail me a link'}
      </button>
    </form>
  )
}

const resetMessages: Readonly<Record<string, string>> = {
  'email-back':
    'The old email address is back, and every browser is signed out. Set a password that nobody else knows, sign in, and remove the passkeys and keys that you do not know.',
}

export function ResetPage(props: {
  readonly csrf: string
  readonly token: string
  readonly email: string
  readonly problem: string | undefined
  /** Message code from the redirect. */
  readonly said: string | null
}): JSX.Element {
  const { csrf, token, email, problem, said } = props
  return (
    <Layout title="Set a new password">
      <article class="card lone">
        <h1>Set a new password</h1>
        <FlashMessage what={said} words={resetMessages} />
        <p>
          For the account of{' '}
          <strong>
            <Text value={email} />
          </strong>
          . Every browser is signed out, and you sign in with the new password.
        </p>
        <form class="stack" method="post" action={`/forgot/${token}`}>
          <input type="hidden" name="csrf" value={csrf} />
          <input type="hidden" name="email" value={email} autocomplete="username" />
          <NewPassword {...(problem !== undefined && { problem: 'problem' })} />
          {problem !== undefined && (
            <p class="notice bad" role="alert" id="problem">
              {problem}
            </p>
          )}
          <button class="primary" type="submit">
            Set the password
          </button>
        </form>
      </article>
    </Layout>
  )
}

/** One answer for all causes. */
export function ResetOverPage(): JSX.Element {
  return (
    <Layout title="This link cannot be used">
      <article class="card lone">
        <h1>This link cannot be used</h1>
        <p>
          It was used, is older than {resetMinutes} minutes, or the password was changed since. Or not all of it was
          copied.
        </p>
        <p>
          <a href="/forgot">Ask for a new link</a>, or <a href="/login">sign in</a>.
        </p>
      </article>
    </Layout>
  )
}
