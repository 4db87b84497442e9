import type { JSX } from 'preact'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { actionOf } from '../parts/declared.ts'
import { Time } from '../parts/time.tsx'
import { Sentence, StateTag } from './summary.tsx'
import type { Standing } from './summary.tsx'

interface ListProps {
  readonly viewer: Viewer
  readonly all: readonly Standing[]
}

export function StandingListPage({ viewer, all }: ListProps): JSX.Element {
  const current = all.filter(({ state }) => state !== 'revoked' && state !== 'over')
  const ended = all.filter(({ state }) => state === 'revoked' || state === 'over')
  return (
    <Layout title="Standing approvals" viewer={viewer}>
      <p class="eyebrow">
        <a href="/account">Account</a>
      </p>
      <h1>Standing approvals</h1>
      <p class="lead">
        Calls like these are sent without asking you. You can see each one, and revoke an approval at any time.
      </p>
      {current.length === 0 ? (
        <p class="empty">
          You have none: every call that asks first waits for you. You can make one on the page of an{' '}
          <a href="/apps">app</a>, or after you approved a call.
        </p>
      ) : (
        <StandingList all={current} />
      )}
      {ended.length > 0 && (
        <section class="stack" aria-labelledby="ended">
          <h2 id="ended">Ended</h2>
          <StandingList all={ended} />
        </section>
      )}
    </Layout>
  )
}

export function StandingList({ all }: { readonly all: readonly Standing[] }): JSX.Element {
  return (
    <ul class="accounts links">
      {all.map((standing) => (
        <li key={standing.row.id}>
          <div class="row">
            <a href={`/standing/${standing.row.id}`}>
              {actionOf(standing.endpoint, standing.row.endpoint)} · {standing.appName}
            </a>
            <StateTag state={standing.state} />
          </div>
          <p>
            <Sentence standing={standing} />
          </p>
          <p class="hint">
            <Uses standing={standing} />
          </p>
        </li>
      ))}
    </ul>
  )
}

/** How often the rule was used. */
export function Uses({ standing: { row } }: { readonly standing: Standing }): JSX.Element {
  if (row.last_used_at === null) return <>Not used yet</>
  return (
    <>
      {row.per_day === null ? `${row.used_today} used today` : `${row.used_today} of ${row.per_day} used today`},{' '}
      {row.used} in all, last <Time at={row.last_used_at} />
    </>
  )
}
