import type { JSX } from 'preact'
import type { App } from '../../connectors/registry.ts'
import { AddedTag } from '../parts/added-app.tsx'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { counted } from '../parts/time.tsx'
import { DocsNav } from './nav.tsx'

interface DocsProps {
  readonly viewer: Viewer | undefined
  readonly apps: readonly App[]
  readonly publicUrl: string
}

/** All apps, as in GET /apps. */
export function DocsPage({ viewer, apps, publicUrl }: DocsProps): JSX.Element {
  return (
    <Layout title="Apps" viewer={viewer} wide>
      <DocsNav />
      <h1>Actions of your apps, for your agents</h1>
      <p class="lead">
        Every action is one POST that takes a JSON object and returns one. What reaches other people waits until you
        have seen and approved it.
      </p>
      <pre class="command" tabindex={0}>
        <code>{`curl -X POST ${publicUrl}/api/v1/{app}/{endpoint} \\\n  -H "Authorization: Bearer $CALLGATE_API_KEY" \\\n  -H "Content-Type: application/json" -d '{}'`}</code>
      </pre>
      <p>
        For programs: <a href="/openapi.json">OpenAPI 3.1</a>, <a href="/llms.txt">llms.txt</a>,{' '}
        <a href="/clients">clients for TypeScript and Python</a>. When something goes wrong:{' '}
        <a href="/docs/errors">all errors</a>.
      </p>
      <h2>Apps</h2>
      <ul class="apps">
        {apps.map((app) => (
          <li key={app.slug}>
            <a class="card" href={`/docs/${app.slug}`}>
              <strong>
                {app.name} <AddedTag app={app} />
              </strong>
              <span>{app.description}</span>
              <span class="hint">
                {counted(app.endpoints.size, 'endpoint')} · <code>{app.slug}</code>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Layout>
  )
}
