import type { JSX } from 'preact'
import { undoDays } from '../../core/users/email-changes.ts'
import type { EmailChange } from '../../core/users/email-changes.ts'
import { Layout } from '../parts/layout.tsx'
import { Text } from '../parts/text.tsx'
import { Time } from '../parts/time.tsx'

export function UndoEmailPage(props: {
  readonly csrf: string
  readonly token: string
  readonly change: EmailChange
  readonly problem: string | undefined
}): JSX.Element {
  const { csrf, token, change, problem } = props
  return (
    <Layout title="Take the address back">
      <article class="card lone">
        <h1>Take the address back</h1>
        <p>
          The email address of the account was changed from{' '}
          <strong>
            <Text value={change.old_email} />
          </strong>{' '}
          to <Text value={change.new_email} />.
        </p>
        <p>
          If it was not you: the address becomes the old one again, every browser is signed out, and you set a new
          password.
        </p>
        {problem !== undefined && (
          <p class="notice bad" role="alert">
            {problem}
          </p>
        )}
        <form class="stack" method="post" action={`/email/${token}`}>
          <input type="hidden" name="csrf" value={csrf} />
          <button class="primary" type="submit">
            Take it back and sign everybody out
          </button>
        </form>
        {change.undo_until && (
          <p class="hint">
            The link works until <Time at={change.undo_until} />. If it was you, close this page.
          </p>
        )}
      </article>
    </Layout>
  )
}

/** One answer for all causes. */
export function UndoOverPage(): JSX.Element {
  return (
    <Layout title="This link cannot be used">
      <article class="card lone">
        <h1>This link cannot be used</h1>
        <p>
          It was used, or is older than {undoDays} days, or an earlier address was taken back since. Or not all of it
          was copied.
        </p>
        <p>
          <a href="/forgot">Set a new password</a>, <a href="/login">sign in</a>, or ask the operator of this Callgate.
        </p>
      </article>
    </Layout>
  )
}
