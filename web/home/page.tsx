import type { JSX } from 'preact'
import type { Account } from '../../core/accounts/accounts.ts'
import type { Balance } from '../../core/credits/statement.ts'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { Text } from '../parts/text.tsx'
import { counted, Time } from '../parts/time.tsx'
import type { CallLine } from '../calls/call-lines.ts'
import { CallList } from '../parts/dashboard.tsx'

/** How many calls of the last seven days, and how they ended. */
export interface Week {
  readonly all: number
  readonly done: number
  readonly failed: number
  /** Nobody knows whether they happened. */
  readonly uncertain: number
}

interface HomeProps {
  readonly viewer: Viewer
  readonly waiting: readonly CallLine[]
  /** Ended unknown, and nobody has said yet whether they happened. */
  readonly unknown: readonly CallLine[]
  /** How many these are in all. */
  readonly unresolved: number
  /** The latest writes besides those that wait, and reads. */
  readonly changes: readonly CallLine[]
  readonly latest: readonly CallLine[]
  readonly week: Week
  readonly accounts: readonly Account[]
  readonly balance: Balance
  readonly appNames: ReadonlyMap<string, string>
}

export function HomePage({
  viewer,
  waiting,
  unknown,
  unresolved,
  changes,
  latest,
  week,
  accounts,
  balance,
  appNames,
}: HomeProps): JSX.Element {
  const broken = accounts.filter(({ state }) => state !== 'connected')
  return (
    <Layout title="Overview" viewer={viewer}>
      <h1>Overview</h1>
      {waiting.length > 0 && (
        <section class="card" aria-labelledby="waiting">
          <h2 id="waiting">
            <a href="/waiting">
              {counted(viewer.waiting, 'call')} {viewer.waiting === 1 ? 'waits' : 'wait'} for your approval
            </a>
          </h2>
          <CallList lines={waiting} />
        </section>
      )}
      {unknown.length > 0 && (
        <section class="card" aria-labelledby="unknown">
          <h2 id="unknown">Did it happen? {counted(unresolved, 'call')} may or may not have been done</h2>
          <p class="hint">
            The app’s answer was lost, and nothing is sent again by itself. Open each, look in the app, and record what
            you found.
          </p>
          <CallList lines={unknown} />
          {unresolved > unknown.length && (
            <p class="hint">These are the newest. The others are shown when these are recorded.</p>
          )}
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
                <span class="tag warn">{appNames.get(account.app) ?? account.app}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section class="card" aria-labelledby="health">
        <h2 id="health">How it goes</h2>
        {accounts.length > 0 && broken.length === 0 && (
          <p>
            {accounts.length === 1
              ? 'Your account is connected.'
              : `All ${accounts.length} of your accounts are connected.`}
          </p>
        )}
        {week.all > 0 && (
          <p>
            {`${counted(week.all, 'call')} in the last 7 days: ${week.done} done, ${week.failed} failed, ${week.uncertain} not certain.`}{' '}
            <a href="/usage">Usage</a>
          </p>
        )}
        <p>
          <strong>{balance.credits_left.toLocaleString('en-GB')}</strong> of this month left
          {balance.credits_reserved > 0 && `, ${balance.credits_reserved} held by calls under way`}.{' '}
          <span class="hint">
            New ones come <Time at={balance.next_credits_at} />.
          </span>
        </p>
      </section>
      <section class="card" aria-labelledby="recent">
        <h2 id="recent">What was done lately</h2>
        {changes.length + latest.length + waiting.length === 0 ? (
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
            {changes.length > 0 && <CallList lines={changes} />}
            {latest.length > 0 && (
              <>
                <h3>{changes.length === 0 ? 'Only looked up, nothing changed' : 'Looked up last'}</h3>
                <CallList lines={latest} />
              </>
            )}
            <p>
              <a href="/calls">All calls</a>
            </p>
          </>
        )}
      </section>
    </Layout>
  )
}
