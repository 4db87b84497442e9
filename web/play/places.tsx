import type { JSX } from 'preact'
import type { App } from '../../connectors/registry.ts'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { counted } from '../parts/time.tsx'

/** The endpoints of an app with links to their forms, and the other apps. */
export function PlacesPage(props: {
  readonly viewer: Viewer
  readonly apps: readonly App[]
  /** Apps with an account of the user. */
  readonly connected: readonly string[]
  /** The app to show first. */
  readonly wanted: string | null
}): JSX.Element {
  const { viewer, apps, connected, wanted } = props
  const mine = apps.filter(({ slug }) => connected.includes(slug))
  const named = apps.filter(({ slug }) => slug === wanted)
  const shown = named.length > 0 ? named : mine.slice(0, mostAtOnce)
  const others = [...mine, ...apps.filter((app) => !mine.includes(app))].filter((app) => !shown.includes(app))
  return (
    <Layout title="Try" viewer={viewer} wide>
      <h1>Try an action</h1>
      <p class="lead">Fill in a form, run the call with one of your keys, and copy it for your agent or program.</p>
      <div class={shown.length > 0 ? 'columns' : undefined}>
        <div>
          {shown.map((app) => (
            <Actions key={app.slug} app={app} isConnected={mine.includes(app)} />
          ))}
        </div>
        {others.length > 0 && (
          <section class="card" aria-labelledby="others">
            <h2 id="others">{shown.length === 0 ? 'Choose an app' : 'Other apps'}</h2>
            <ul class="accounts links">
              {others.map((app) => (
                <li key={app.slug}>
                  <div class="row">
                    <a href={`/play?app=${app.slug}`}>{app.name}</a>
                    <span class="hint">{wordsFor(app, mine.includes(app))}</span>
                  </div>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </Layout>
  )
}

/** Apps unfolded by default. */
const mostAtOnce = 3

const wordsFor = (app: App, isConnected: boolean): string =>
  counted(app.endpoints.size, 'action') + (isConnected ? '' : ' · not connected')

function Actions({ app, isConnected }: { readonly app: App; readonly isConnected: boolean }): JSX.Element {
  return (
    <section class="card" aria-labelledby={`app-${app.slug}`}>
      <div class="row">
        <h2 id={`app-${app.slug}`}>{app.name}</h2>
        <span class="hint">{wordsFor(app, isConnected)}</span>
      </div>
      <ul class="accounts links">
        {[...app.endpoints.values()].map((endpoint) => (
          <li key={endpoint.name}>
            <div class="row">
              <a href={`/play/${app.slug}/${endpoint.name}`}>{endpoint.label}</a>
              <code class="hint">{endpoint.name}</code>
            </div>
            <p class="hint">{endpoint.summary}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
