import type { JSX } from 'preact'
import type { ErrorDescription } from '../../core/http/error-docs.ts'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { DocsNav } from './nav.tsx'

interface ErrorsProps {
  readonly viewer: Viewer | undefined
  readonly errors: readonly ErrorDescription[]
}

/** All error codes, by status. */
export function ErrorsPage({ viewer, errors }: ErrorsProps): JSX.Element {
  return (
    <Layout title="Errors" viewer={viewer} wide>
      <DocsNav />
      <h1>Errors</h1>
      <p class="lead">
        An answer that is an error says in <code>error</code> what it is and in <code>message</code> what to do. Nothing
        that failed uses credits.
      </p>
      {[...Map.groupBy(errors, ({ status }) => status)]
        .toSorted(([a], [b]) => a - b)
        .map(([status, codes]) => (
          <section key={status} class="card endpoint" aria-labelledby={`status-${status}`}>
            <h2 id={`status-${status}`}>{status}</h2>
            <dl class="inputs">
              {codes.map(({ code, happened }) => (
                <div key={code}>
                  <dt>
                    <a href={`/docs/errors/${code}`}>
                      <code>{code}</code>
                    </a>
                  </dt>
                  <dd>{happened}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
    </Layout>
  )
}

/** One error code: cause, remedy and example. */
export function ErrorDocsPage(props: {
  readonly viewer: Viewer | undefined
  readonly error: ErrorDescription
}): JSX.Element {
  const { viewer, error } = props
  const fields = Object.entries(error.fields)
  return (
    <Layout title={error.title} viewer={viewer} wide>
      <DocsNav />
      <p class="eyebrow">
        <a href="/docs/errors">Errors</a> · {error.status}
      </p>
      <h1>
        <code>{error.code}</code>
      </h1>
      <section class="card endpoint" aria-labelledby="happened">
        <h2 id="happened">What happened</h2>
        <p>{error.happened}</p>
        <h2>What to do</h2>
        <p>{error.remedy}</p>
        <p>{error.advice}</p>
        {fields.length > 0 && (
          <>
            <h2>What the body tells</h2>
            <dl class="inputs">
              {fields.map(([name, { description, optional }]) => (
                <div key={name}>
                  <dt>
                    <code>{name}</code>
                  </dt>
                  <dd>
                    {description}
                    {optional === true && <span class="type"> Not in every body.</span>}
                  </dd>
                </div>
              ))}
            </dl>
          </>
        )}
        <h2>Example</h2>
        <pre>
          <code>{JSON.stringify(error.example, null, 2)}</code>
        </pre>
      </section>
    </Layout>
  )
}
