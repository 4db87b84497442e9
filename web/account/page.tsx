import type { JSX } from 'preact'
import type { AuditEntry } from '../../core/audit.ts'
import type { Party, Passkey } from '../../core/users/passkeys.ts'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { NewPassword } from './login-page.tsx'
import { PasskeysOnly } from './passkeys-only-page.tsx'
import { Text } from '../parts/text.tsx'
import { Time } from '../parts/time.tsx'
import { detailParts } from './audit-detail.ts'
import type { Names } from './audit-detail.ts'
import { auditWords } from './audit-text.ts'
import type { OwnSession } from '../../core/users/web-sessions.ts'
import { Sessions } from './account-sessions.tsx'
import { AccountTheme } from './account-theme.tsx'
import { OwnData } from './account-data.tsx'
import { Passkeys } from './account-passkeys.tsx'
import { ActionForm, FlashMessage, Sure } from '../parts/dashboard.tsx'

interface AccountProps {
  readonly viewer: Viewer
  readonly entries: readonly AuditEntry[]
  /** Names of their ids. */
  readonly names: Names
  /** Id of the last entry shown, if there are older ones. */
  readonly next: string | undefined
  readonly said: string | null
  readonly passkeys: readonly Passkey[]
  /** Undefined: passkeys do not work at the gateway's address. */
  readonly party: Party | undefined
  readonly publicUrl: string
  /** The user may invite others. */
  readonly invites: boolean
  readonly sessions: readonly OwnSession[]
  /** Recovery codes left, of a passkey-only account; undefined: it has a password. */
  readonly codesLeft: number | undefined
  /** They re-authenticated recently. */
  readonly recent: boolean
  /** Current session. */
  readonly current: string
  readonly problem: AccountProblem | undefined
}

/** The error of a form, and its typed values. */
export interface AccountProblem {
  readonly about: 'password' | 'passkey'
  readonly text: string
  readonly name?: string
}

const messages: Readonly<Record<string, string>> = {
  password: 'The password is changed. All other browsers are signed out.',
  'password-again': 'The account takes this password from now on, too. All other browsers are signed out.',
  recovered: 'The new passkey is added, and you are signed in. The recovery code is used up.',
  'passkey-added': 'The passkey is added. You can sign in with it from now on.',
  email: 'The email address is changed. The old one got a mail with which it can be taken back for 7 days.',
  theme: 'The theme of this browser is changed.',
  'signed-out': 'Signed out there.',
  'was-signed-out': 'That browser was already signed out.',
  'passkey-removed': 'The passkey is removed: nobody can sign in with it any more. Delete it on your device, too.',
}

export function AccountPage(props: AccountProps): JSX.Element {
  const { viewer, entries, next, said, passkeys, party, publicUrl, invites, sessions, current, problem, names } = props
  return (
    <Layout title="Account" viewer={viewer} wide {...(party && { script: 'passkey.js' })}>
      <h1>Account</h1>
      <FlashMessage what={said} words={messages} />
      <div class="columns">
        <div>
          <section class="card" aria-labelledby="password">
            <h2 id="password">Password</h2>
            {props.codesLeft === undefined ? (
              <ChangePassword viewer={viewer} problem={problem?.about === 'password' ? problem.text : undefined} />
            ) : (
              <PasskeysOnly
                viewer={viewer}
                codesLeft={props.codesLeft}
                problem={problem?.about === 'password' ? problem.text : undefined}
              />
            )}
          </section>
          <Passkeys
            viewer={viewer}
            passkeys={passkeys}
            party={party}
            publicUrl={publicUrl}
            only={props.codesLeft !== undefined}
            recent={props.recent}
            problem={problem?.about === 'passkey' ? problem : undefined}
          />
          <section class="card" aria-labelledby="browsers">
            <h2 id="browsers">Where you are signed in</h2>
            <Sessions viewer={viewer} sessions={sessions} current={current} />
            <Sure what="Sign out everywhere">
              <ActionForm viewer={viewer} action="/account" label="Sign out everywhere">
                <p>
                  Every browser in which you are signed in is signed out, this one too. Keys and passkeys keep working:
                  remove passkeys above, revoke keys on <a href="/keys">their page</a>.
                </p>
                <button class="danger" type="submit" name="action" value="sign-out">
                  Sign out everywhere now
                </button>
              </ActionForm>
            </Sure>
          </section>
        </div>
        <div>
          <AccountTheme viewer={viewer} />
          <section class="card" aria-labelledby="more">
            <h2 id="more">More settings</h2>
            <ul class="accounts links">
              <li class="row">
                <a href="/account/email">Email address</a>
              </li>
              <li class="row">
                <a href="/account/totp">Authenticator app</a>
              </li>
              <li class="row">
                <a href="/standing">Standing approvals</a>
              </li>
              <li class="row">
                <a href="/notices">Notices: phone, email and webhooks</a>
              </li>
              {invites && (
                <li class="row">
                  <a href="/people">People and invitations</a>
                </li>
              )}
            </ul>
          </section>
          <OwnData viewer={viewer} />
        </div>
      </div>
      <section class="card" aria-labelledby="log">
        <h2 id="log">What was changed</h2>
        {entries.length === 0 ? <p class="empty">Nothing yet.</p> : <Log entries={entries} names={names} />}
        {next !== undefined && (
          <p>
            <a href={`/account?before=${next}`}>Older changes</a>
          </p>
        )}
      </section>
    </Layout>
  )
}

function ChangePassword({ viewer, problem }: { viewer: Viewer; problem: string | undefined }): JSX.Element {
  const passwordProblem = problem === undefined ? undefined : 'password-problem'
  return (
    <ActionForm viewer={viewer} action="/account" label="Change the password">
      <input type="hidden" name="email" value={viewer.email} autocomplete="username" />
      <label>
        Current password
        <input
          type="password"
          name="current"
          autocomplete="current-password"
          required
          aria-describedby={passwordProblem}
        />
      </label>
      <NewPassword {...(passwordProblem !== undefined && { problem: passwordProblem })} />
      {problem !== undefined && (
        <p class="notice bad" role="alert" id={passwordProblem}>
          The password was not changed. {problem}
        </p>
      )}
      <button class="primary" type="submit" name="action" value="password">
        Change the password
      </button>
    </ActionForm>
  )
}

function Log({ entries, names }: Pick<AccountProps, 'entries' | 'names'>): JSX.Element {
  return (
    <ol class="timeline">
      {entries.map(({ id, at, actor, action, detail }) => (
        <li key={id}>
          <span class="hint">
            <Time at={at} />
            {!actor.startsWith('user_') && ` · ${actor}`}
          </span>{' '}
          {auditWords(action)}{' '}
          <span class="hint">
            {detailParts({ detail }, names).map(({ label, text, page }, index) => (
              <span key={label}>
                {index > 0 && ', '}
                {label}: {page === undefined ? <Text value={text} /> : <a href={page}>{text}</a>}
              </span>
            ))}
          </span>
        </li>
      ))}
    </ol>
  )
}
