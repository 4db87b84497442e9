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

/** Every app, and which accounts of the person are connected. */
export function AppsPage({ viewer, apps, accounts }: AppsProps): JSX.Element {
  const of = (slug: string): readonly Account[] => accounts.filter(({ app }) => app === slug)
  /** Those that need their owner first, those that are not connected last. */
  const rank = (slug: string): number =>
    of(slug).length === 0 ? 2 : of(slug).some(({ state }) => state !== 'connected') ? 0 : 1
  const sorted = apps.toSorted((a, b) => rank(a.slug) - rank(b.slug))
  return (
    <Layout title="Apps" viewer={viewer} wide>
      <h1>Apps</h1>
      <p class="lead">
        Your accounts, what agents may do in them, and what asks you first. See also your{' '}
        <a href="/standing">standing approvals</a>.
      </p>
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
              {of(app.slug).length === 0 && <span class="hint">not connected</span>}
            </a>
          </li>
        ))}
      </ul>
    </Layout>
  )
}
