import type { JSX } from 'preact'
import type { App } from '../../connectors/registry.ts'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { counted } from '../parts/time.tsx'

/** Every endpoint of every app, with its form one press away. */
export function PlacesPage(props: {
  readonly viewer: Viewer
  readonly apps: readonly App[]
  /** Apps of which the person has an account. */
  readonly connected: readonly string[]
  /** The app that the person comes from. */
  readonly wanted: string | null
}): JSX.Element {
  const { viewer, apps, connected, wanted } = props
  const rank = (slug: string): number => (slug === wanted ? 0 : connected.includes(slug) ? 1 : 2)
  const sorted = apps.toSorted((a, b) => rank(a.slug) - rank(b.slug))
  const open = (slug: string): boolean =>
    wanted === null ? connected.length <= 3 && rank(slug) === 1 : slug === wanted
  return (
    <Layout title="Try" viewer={viewer}>
      <h1>Try an action</h1>
      <p class="lead">Fill in a form, run the call with one of your keys, and copy it for your agent or program.</p>
      {sorted.map((app) => (
        <details key={app.slug} class="card place" open={open(app.slug)}>
          <summary>
            <strong>{app.name}</strong>{' '}
            <span class="hint">
              {counted(app.endpoints.size, 'action')}
              {!connected.includes(app.slug) && ' · not connected'}
            </span>
          </summary>
          <ul class="places">
            {[...app.endpoints.values()].map((endpoint) => (
              <li key={endpoint.name}>
                <a href={`/play/${app.slug}/${endpoint.name}`}>
                  {endpoint.label} <code>{endpoint.name}</code>
                </a>
                <p class="hint">{endpoint.summary}</p>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </Layout>
  )
}
