import type { JSX } from 'preact'
import type { App } from '../../connectors/registry.ts'
import type { Statement } from '../../core/credits/statement.ts'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { actionOf } from '../parts/declared.ts'
import { Text } from '../parts/text.tsx'
import { counted, Left, Time } from '../parts/time.tsx'
import type { CallLine } from '../calls/call-lines.ts'
import { CallList } from '../parts/dashboard.tsx'
import { Dotted } from '../parts/dotted.tsx'
import type { LatelyDays } from './days.ts'
import { FirstSteps, Lately } from './lately.tsx'
import type { AccountNeeds } from './needs.ts'

export interface HomeProps {
  readonly viewer: Viewer
  readonly waiting: readonly CallLine[]
  /** Ended `unknown` and unresolved. */
  readonly unknown: readonly CallLine[]
  /** Number of all of these. */
  readonly unresolved: number
  /** Latest failed or expired calls of the last seven days. */
  readonly wrong: readonly CallLine[]
  /** Latest writes, except waiting ones, and reads. */
  readonly changes: readonly CallLine[]
  readonly reads: readonly CallLine[]
  readonly lately: LatelyDays
  readonly needs: AccountNeeds
  readonly appOf: (slug: string) => App | undefined
  readonly appNames: ReadonlyMap<string, string>
  readonly statement: Statement
}

export function HomePage(props: HomeProps): JSX.Element {
  const { viewer, waiting, unknown, wrong, changes, reads, needs } = props
  const isNew = changes.length + reads.length + waiting.length + unknown.length + wrong.length === 0
  return (
    <Layout title="Overview" viewer={viewer} wide>
      <h1>Overview</h1>
      <div class="columns">
        <div>
          <Waiting {...props} />
          <Unknown {...props} />
          <SignIns {...props} />
          {waiting.length + unknown.length + needs.signIns.length === 0 && !isNew && (
            <p class="notice good">All clear: nothing needs you right now.</p>
          )}
          {isNew && <FirstSteps />}
          <Wrong {...props} />
          <Done {...props} />
        </div>
        <div>
          <HowItGoes {...props} />
          <Lately {...props} />
        </div>
      </div>
    </Layout>
  )
}

function Waiting({ viewer, waiting }: HomeProps): JSX.Element | null {
  if (waiting.length === 0) return null
  return (
    <section class="card" aria-labelledby="waiting">
      <h2 id="waiting">
        {counted(viewer.waiting, 'call')} {viewer.waiting === 1 ? 'waits' : 'wait'} for your approval
      </h2>
      <CallList lines={waiting} />
      <p>
        <a class="button primary" href="/waiting">
          Read and decide
        </a>
      </p>
    </section>
  )
}

function Unknown({ unknown, unresolved }: HomeProps): JSX.Element | null {
  if (unknown.length === 0) return null
  return (
    <section class="card" aria-labelledby="unknown">
      <h2 id="unknown">Did it happen? {counted(unresolved, 'call')} may or may not have been done</h2>
      <p class="hint">
        The app’s answer was lost, and Callgate will not send it again on its own. Open each one, check in the app, and
        record what you found.
      </p>
      <CallList lines={unknown} />
      {unresolved > unknown.length && (
        <p class="hint">These are the newest. The others appear once these are recorded.</p>
      )}
    </section>
  )
}

/** Accounts that need a reconnect, and cool-downs. */
function SignIns({ needs, appNames, appOf }: HomeProps): JSX.Element {
  return (
    <>
      {needs.signIns.length > 0 && (
        <section class="card" aria-labelledby="broken">
          <h2 id="broken">Sign in again</h2>
          <ul class="accounts links">
            {needs.signIns.map(({ account, waiting }) => (
              <li key={account.id}>
                <div class="row">
                  <a href={`/connect/${account.app}?account=${account.id}`}>
                    <Text value={account.label} />
                  </a>
                  <span class="tag warn">{appNames.get(account.app) ?? account.app}</span>
                </div>
                {waiting > 0 && (
                  <p class="hint">
                    {counted(waiting, 'call')} {waiting === 1 ? 'waits' : 'wait'} for it.
                  </p>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {needs.refused.length > 0 && (
        <section class="card" aria-labelledby="refused">
          <h2 id="refused">Refused by the app</h2>
          <p class="hint">Callgate tries again automatically. You can make it try sooner.</p>
          <ul class="accounts links">
            {needs.refused.map(({ app, endpoint, label, until }) => (
              <li key={`${app} ${endpoint} ${label}`}>
                <div class="row">
                  <a href={`/apps/${app}`}>{actionOf(appOf(app)?.endpoints.get(endpoint), endpoint)}</a>
                </div>
                <Dotted
                  parts={[
                    appNames.get(app) ?? app,
                    <Text value={label} />,
                    <>
                      next try: <Left until={until} />
                    </>,
                  ]}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function Wrong({ wrong, lately: { week } }: HomeProps): JSX.Element | null {
  if (wrong.length === 0) return null
  return (
    <section class="card" aria-labelledby="wrong">
      <h2 id="wrong">What went wrong in the last 7 days</h2>
      <CallList lines={wrong} />
      <p>
        {week.failed > 0 && <a href="/calls?status=failed">{counted(week.failed, 'call')} failed</a>}
        {week.failed > 0 && week.expired > 0 && ' · '}
        {week.expired > 0 && (
          <a href="/calls?status=expired">{counted(week.expired, 'call')} expired: nobody decided in time</a>
        )}
      </p>
    </section>
  )
}

function Done({ changes, reads }: HomeProps): JSX.Element | null {
  if (changes.length + reads.length === 0) return null
  return (
    <section class="card" aria-labelledby="recent">
      <h2 id="recent">What was done for you</h2>
      {changes.length > 0 && (
        <>
          <CallList lines={changes} />
          <p>
            <a href="/calls?access=write">All changes</a>
          </p>
        </>
      )}
      {reads.length > 0 && (
        <>
          <h3>{changes.length === 0 ? 'Only looked up, nothing changed' : 'Looked up last'}</h3>
          <CallList lines={reads} />
          <p>
            <a href="/calls?access=read">All look-ups</a>
          </p>
        </>
      )}
    </section>
  )
}

function HowItGoes({ needs, lately: { week }, statement }: HomeProps): JSX.Element {
  const { balance, totals } = statement
  const number = (value: number): string => value.toLocaleString('en-GB')
  return (
    <section class="card" aria-labelledby="health">
      <h2 id="health">This week</h2>
      {needs.accounts > 0 && needs.signIns.length === 0 && (
        <p>
          {needs.accounts === 1
            ? 'Your account is connected.'
            : `All ${needs.accounts} of your accounts are connected.`}
        </p>
      )}
      {week.all > 0 && (
        <p>
          {`${counted(week.all, 'call')} in the last 7 days: ${number(week.executed)} done, ${number(week.failed)} failed, ${number(week.uncertain)} uncertain.`}
        </p>
      )}
      <p>
        Cost: {week.all > 0 && <>{counted(week.credits, 'credit')} in 7 days, </>}
        <strong>{number(totals.used)}</strong> this month.
      </p>
      <p>
        <strong>{number(balance.credits_left)}</strong> <a href="/credits">credits</a> are left
        {balance.credits_reserved > 0 && `, and ${number(balance.credits_reserved)} are set aside for open calls`}.{' '}
        <span class="hint">
          New ones on <Time at={balance.next_credits_at} />.
        </span>
      </p>
    </section>
  )
}
