import type { JSX } from 'preact'
import type { Account } from '../../activities/accounts.ts'
import type { App } from '../../connectors/registry.ts'
import type { ReconnectCode } from '../../schemas/call.ts'
import { Layout } from './layout.tsx'
import type { Viewer } from './layout.tsx'
import { Text } from './text.tsx'
import { counted, Time } from './time.tsx'

interface ConnectProps {
  readonly viewer: Viewer
  readonly app: App
  readonly accounts: readonly Account[]
  /** Approved calls that wait for this. */
  readonly waiting: number
}

const reasons: Readonly<Record<ReconnectCode, string>> = {
  AUTH_EXPIRED: 'The app ended the sign-in. It has to be made again.',
  CAPTCHA_REQUIRED: 'The app asks for a check that only a person can pass (a CAPTCHA).',
  MFA_REQUIRED: 'The app asks for a second factor, such as a code from your phone.',
}

export function ConnectPage({ viewer, app, accounts, waiting }: ConnectProps): JSX.Element {
  const broken = accounts.filter((account) => account.state !== 'connected')
  const title = titleOf(app, accounts.length, broken.length)
  return (
    <Layout title={title} viewer={viewer}>
      <article class="card">
        <p class="eyebrow">{app.name}</p>
        <h1>{title}</h1>
        <p>{app.description}</p>
        {waiting > 0 && (
          <p class="notice warn">
            {counted(waiting, 'approved call')} {waiting === 1 ? 'waits' : 'wait'} for this, for up to 72 hours, and{' '}
            {waiting === 1 ? 'goes' : 'go'} on by {waiting === 1 ? 'itself' : 'themselves'} once the same account is
            connected again.
          </p>
        )}
        {accounts.length === 0 ? (
          <dl class="facts">
            <div>
              <dt>Needed</dt>
              <dd>
                {article(app.role)} in {app.name}
              </dd>
            </div>
          </dl>
        ) : (
          <ul class="accounts">
            {accounts.map((account) => (
              <AccountState key={account.id} account={account} />
            ))}
          </ul>
        )}
        {(accounts.length === 0 || broken.length > 0) && <HowNow />}
        <p class="hint">
          Callgate never types your password, never solves a CAPTCHA and never skips a second factor.{' '}
          <a href={`/docs/${app.slug}`}>What this app offers</a>
        </p>
      </article>
    </Layout>
  )
}

function AccountState({ account }: { account: Account }): JSX.Element {
  const connected = account.state === 'connected'
  return (
    <li>
      <div class="row">
        <strong>
          <Text value={account.label} />
        </strong>
        <span class={connected ? 'tag good' : 'tag warn'}>{connected ? 'connected' : 'sign in again'}</span>
      </div>
      {!connected && <p>{reasons[account.reason ?? 'AUTH_EXPIRED']}</p>}
      {account.connected_at && (
        <p class="hint">
          Last connected <Time at={account.connected_at} />
        </p>
      )}
    </li>
  )
}

function HowNow(): JSX.Element {
  return (
    <section class="notice plain" aria-labelledby="how">
      <h2 id="how">How to do it in this version</h2>
      <p>
        The browser in which you sign in to the app yourself is not part of this version yet. Until it is, the operator
        of this Callgate connects accounts with the function <code>connect</code>, from a session of the app that you
        made. Please ask them; this page shows when it is done.
      </p>
    </section>
  )
}

function titleOf(app: App, all: number, broken: number): string {
  if (all === 0) return `Connect your account of ${app.name}`
  return broken > 0 ? 'Sign in to the app again' : 'Connected'
}

function article(role: string): string {
  return /^(a|an|the|your)\b/i.test(role) ? role : `An account as ${role}`
}
