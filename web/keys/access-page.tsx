import type { JSX } from 'preact'
import type { App } from '../../connectors/registry.ts'
import { endpointsOf } from '../../core/keys/endpoints.ts'
import type { KeyAccess } from '../../core/keys/keys.ts'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { Text } from '../parts/text.tsx'
import { counted } from '../parts/time.tsx'

interface AccessProps {
  readonly viewer: Viewer
  readonly app: App
  readonly apiKey: KeyAccess
  readonly granted: boolean
}

export function AccessPage({ viewer, app, apiKey, granted }: AccessProps): JSX.Element {
  const limited = endpointsOf(apiKey.endpoints, app.slug)
  return (
    <Layout title={`Access to ${app.name}`} viewer={viewer}>
      <article class="card lone">
        <p class="eyebrow">Access of an API key</p>
        <h1>{granted ? `This key may use ${app.name}` : `Let this key use ${app.name}?`}</h1>
        <dl class="facts">
          <div>
            <dt>Key</dt>
            <dd>
              <Text value={apiKey.name} />
            </dd>
          </div>
          <div>
            <dt>App</dt>
            <dd>{app.name}</dd>
          </div>
          <div>
            <dt>Gives</dt>
            <dd>
              {limited !== undefined && `${limited.length} of `}
              <a href={`/docs/${app.slug}`}>{counted(app.endpoints.size, 'endpoint')}</a>, in your connected accounts
            </dd>
          </div>
        </dl>
        {granted ? (
          <p class="notice good" role="status">
            Nothing more to do: the agent can repeat its call.
          </p>
        ) : (
          <>
            <p class="hint">
              Calls that reach other people still wait for your approval, unless you switched that off.
            </p>
            <form method="post" action={`/access/${app.slug}`}>
              <input type="hidden" name="csrf" value={viewer.csrf} />
              <input type="hidden" name="key" value={apiKey.id} />
              <button class="primary" type="submit">
                Give access
              </button>
            </form>
          </>
        )}
      </article>
    </Layout>
  )
}
