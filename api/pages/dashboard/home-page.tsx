import type { JSX } from 'preact'
import type { Account } from '../../../activities/accounts.ts'
import type { CallRow } from '../../../activities/db/calls.ts'
import type { Balance } from '../../../activities/db/statement.ts'
import { Layout } from '../layout.tsx'
import type { Viewer } from '../layout.tsx'
import { Text } from '../text.tsx'
import { counted, Time } from '../time.tsx'
import { CallList } from './parts.tsx'

interface HomeProps {
  readonly viewer: Viewer
  readonly waiting: readonly CallRow[]
  /** Ended unknown, and nobody has said yet whether they happened. */
  readonly unknown: readonly CallRow[]
  readonly recent: readonly CallRow[]
  readonly accounts: readonly Account[]
  readonly balance: Balance
}

export function HomePage({ viewer, waiting, unknown, recent, accounts, balance }: HomeProps): JSX.Element {
  const broken = accounts.filter(({ state }) => state !== 'connected')
  return (
    <Layout title="Overview" viewer={viewer}>
      <h1>Overview</h1>
      {waiting.length > 0 && (
        <section class="card" aria-labelledby="waiting">
          <h2 id="waiting">
            <a href="/waiting">
              {waiting.length > 5
                ? 'More than five calls wait'
                : `${counted(waiting.length, 'call')} ${waiting.length === 1 ? 'waits' : 'wait'}`}{' '}
              for your approval
            </a>
          </h2>
          <CallList rows={waiting.slice(0, 5)} />
        </section>
      )}
      {unknown.length > 0 && (
        <section class="card" aria-labelledby="unknown">
          <h2 id="unknown">Did it happen? {counted(unknown.length, 'call')} ended unknown</h2>
          <p class="hint">Look in the app, then record what you found.</p>
          <CallList rows={unknown} />
        </section>
      )}
      {broken.length > 0 && (
        <section class="card" aria-labelledby="broken">
          <h2 id="broken">Sign in again</h2>
          <ul class="accounts links">
            {broken.map((account) => (
              <li key={account.id} class="row">
                <a href={`/connect/${account.app}?account=${account.id}`}>
                  <Text value={account.label} />
                </a>
                <span class="tag warn">{account.app}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section class="card" aria-labelledby="credits">
        <h2 id="credits">Credits</h2>
        <p>
          <strong>{balance.credits_left.toLocaleString('en-GB')}</strong> of this month left
          {balance.credits_reserved > 0 && `, ${balance.credits_reserved} held by calls under way`}.{' '}
          <span class="hint">
            New ones come <Time at={balance.next_credits_at} />.
          </span>
        </p>
      </section>
      <section class="card" aria-labelledby="recent">
        <h2 id="recent">Latest calls</h2>
        {recent.length === 0 ? (
          <>
            <p class="empty">No call yet. Three steps lead to the first one:</p>
            <ol class="plainlist">
              <li>
                <a href="/apps">Connect an app</a>: you sign in to it yourself, once.
              </li>
              <li>
                Then <a href="/keys">make a key</a> and give it to your agent or program.
              </li>
              <li>
                Let it call, or <a href="/play">try an action</a> here.
              </li>
            </ol>
          </>
        ) : (
          <>
            <CallList rows={recent} />
            <p>
              <a href="/calls">All calls</a>
            </p>
          </>
        )}
      </section>
    </Layout>
  )
}
