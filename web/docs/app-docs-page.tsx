import type { JSX } from 'preact'
import type { Example } from '../../connectors/examples.ts'
import { groupWords } from '../../connectors/kit/groups.ts'
import type { App, Endpoint, JsonSchema } from '../../connectors/registry.ts'
import { AddedNote } from '../parts/added-app.tsx'
import { actionOf, labelOf } from '../parts/declared.ts'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { counted } from '../parts/time.tsx'
import { curlOf } from './curl.ts'
import { DocsNav } from './nav.tsx'
import { objectsIn, propertiesOf, requiredOf, typeOf } from '../parts/schema.ts'

interface AppDocsProps {
  readonly viewer: Viewer | undefined
  readonly app: App
  readonly publicUrl: string
  readonly example: (endpoint: string) => Example | undefined
}

/** Documentation of an app: the same content as its discovery endpoints. */
export function AppDocsPage({ viewer, app, publicUrl, example }: AppDocsProps): JSX.Element {
  const endpoints = [...app.endpoints.values()]
  return (
    <Layout title={app.name} viewer={viewer} wide>
      <DocsNav />
      <p class="eyebrow">
        <a href="/docs">Apps</a>
      </p>
      <h1>{app.name}</h1>
      <p class="lead">{app.description}</p>
      <AddedNote app={app} />
      <dl class="facts">
        <div>
          <dt>Account</dt>
          <dd>
            {app.role} · <a href={`/connect/${app.slug}`}>connect yours</a>
          </dd>
        </div>
        <div>
          <dt>Address</dt>
          <dd>
            <code>{`${publicUrl}/api/v1/${app.slug}/{endpoint}`}</code>
          </dd>
        </div>
      </dl>
      <nav aria-label="Endpoints" class="index">
        <ul>
          {endpoints.map((endpoint) => (
            <li key={endpoint.name}>
              <a href={`#${endpoint.name}`}>{actionOf(endpoint, endpoint.name)}</a>
            </li>
          ))}
        </ul>
      </nav>
      {endpoints.map((endpoint) => (
        <EndpointDocs key={endpoint.name} endpoint={endpoint} publicUrl={publicUrl} example={example(endpoint.name)} />
      ))}
    </Layout>
  )
}

function EndpointDocs({
  endpoint,
  publicUrl,
  example,
}: {
  endpoint: Endpoint
  publicUrl: string
  example: Example | undefined
}): JSX.Element {
  return (
    <section class="card endpoint" id={endpoint.name} aria-labelledby={`${endpoint.name}-title`}>
      <h2 id={`${endpoint.name}-title`}>
        {endpoint.label} <code>{endpoint.name}</code>
      </h2>
      <p>{endpoint.summary}</p>
      <p class="tags">
        <span class="tag">{endpoint.access}</span>
        {endpoint.confirm && <span class="tag warn">waits for approval</span>}
        <span class="tag">{counted(endpoint.credits, 'credit')}</span>
      </p>
      <p>
        <a href={`/play/${endpoint.app}/${endpoint.name}`}>Try it</a>
      </p>
      <Inputs schema={endpoint.inputSchema} />
      <details>
        <summary>Output</summary>
        <Properties schema={endpoint.outputSchema} />
      </details>
      {example !== undefined && (
        <details>
          <summary>Example</summary>
          <pre class="command" tabindex={0}>
            <code>{curlOf(publicUrl, endpoint, example.input)}</code>
          </pre>
          <p class="hint">{endpoint.confirm ? 'Answers, once approved:' : 'Answers:'}</p>
          <pre>
            <code>{JSON.stringify(example.output, null, 2)}</code>
          </pre>
        </details>
      )}
    </section>
  )
}

function Inputs({ schema }: { schema: JsonSchema }): JSX.Element {
  if (Object.keys(propertiesOf(schema)).length === 0) return <p class="hint">Takes no inputs.</p>
  return (
    <>
      {groupWords(schema).map((words) => (
        <p key={words}>Takes {words}.</p>
      ))}
      <Properties schema={schema} required={requiredOf(schema)} />
    </>
  )
}

/** `required`: names to mark as required; outputs have all properties. */
function Properties({ schema, required }: { schema: JsonSchema; required?: readonly unknown[] }): JSX.Element {
  return (
    <dl class="inputs">
      {Object.entries(propertiesOf(schema)).map(([name, property]) => (
        <div key={name}>
          <dt>
            {labelOf(property)} <code>{name}</code>
            {required?.includes(name) === true && <span class="required">required</span>}
          </dt>
          <dd>
            <span class="type">{typeOf(property)}</span>
            {property['default'] !== undefined && (
              <span class="type">{`, default ${JSON.stringify(property['default'])}`}</span>
            )}
            {typeof property['description'] === 'string' && <p>{property['description']}</p>}
            {objectsIn(property).map((inner, at) => (
              <Properties key={at} schema={inner} {...(required && { required: requiredOf(inner) })} />
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}
