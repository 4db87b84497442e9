import type { JSX } from 'preact'
import type { Account } from '../../core/accounts/accounts.ts'
import type { App } from '../../connectors/registry.ts'
import { AddedTag } from '../parts/added-app.tsx'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { Text } from '../parts/text.tsx'
import { StateTag } from './account.tsx'

interface AppsProps {
  readonly viewer: Viewer
  readonly apps: readonly App[]
  readonly accounts: readonly Account[]
}

/** Every app, with the user's connections. */
export function AppsPage({ viewer, apps, accounts }: AppsProps): JSX.Element {
  const of = (slug: string): readonly Account[] => accounts.filter(({ app }) => app === slug)
  /** Broken connections first, unconnected apps last. */
  const rank = (slug: string): number =>
    of(slug).length === 0 ? 2 : of(slug).some(({ state }) => state !== 'connected') ? 0 : 1
  const sorted = apps.filter(({ slug }) => rank(slug) < 2).toSorted((a, b) => rank(a.slug) - rank(b.slug))
  const others = apps.filter(({ slug }) => rank(slug) === 2)
  return (
    <Layout title="Apps" viewer={viewer} wide>
      <h1>Apps</h1>
      <p class="lead">
        Your accounts, what agents may do in them, and what asks you first. See also your{' '}
        <a href="/standing">standing approvals</a>.
      </p>
      {sorted.length > 0 && (
        <ul class="apps">
          {sorted.map((app) => (
            <li key={app.slug}>
              <a class="card" href={`/apps/${app.slug}`}>
                <strong>
                  {app.name} <AddedTag app={app} />
                </strong>
                {of(app.slug).map((account) => (
                  <span key={account.id} class="row">
                    <Text value={account.label} />
                    <StateTag account={account} />
                  </span>
                ))}
              </a>
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <section aria-labelledby="others">
          <h2 id="others">{sorted.length === 0 ? 'Connect your first app' : 'More apps'}</h2>
          <ul class="accounts links more">
            {others.map((app) => (
              <li key={app.slug}>
                <div class="row">
                  <a href={`/apps/${app.slug}`}>
                    {app.name} <AddedTag app={app} />
                  </a>
                  <span class="hint">not connected</span>
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Layout>
  )
}
