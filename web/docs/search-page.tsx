import type { JSX } from 'preact'
import { actionOf } from '../parts/declared.ts'
import { cut } from '../parts/in-short.ts'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { DocsNav } from './nav.tsx'
import type { Passage, SearchResults } from './search.ts'

/** Search results; the query is untrusted. */
export function SearchPage(props: {
  readonly viewer: Viewer | undefined
  readonly query: string
  readonly results: SearchResults
  readonly appNames: ReadonlyMap<string, string>
}): JSX.Element {
  const { viewer, query, results, appNames } = props
  const { passages, endpoints } = results
  return (
    <Layout title="Search" viewer={viewer} wide>
      <DocsNav query={query} />
      <h1>Search</h1>
      {query === '' ? (
        <p class="empty">Write what you look for, such as “refund”, “connect a client” or “429”.</p>
      ) : (
        passages.length + endpoints.length === 0 && <p class="empty">Nothing found. Try other words, or fewer.</p>
      )}
      <Passages id="guides" title="Guides" passages={passages.filter(({ kind }) => kind === 'guide')} />
      <Passages id="errors" title="Errors" passages={passages.filter(({ kind }) => kind === 'error')} />
      {endpoints.length > 0 && (
        <section class="card" aria-labelledby="actions">
          <h2 id="actions">Actions</h2>
          <ul class="accounts links">
            {endpoints.map((endpoint) => (
              <li key={`${endpoint.app}.${endpoint.name}`}>
                <div class="row">
                  <a href={`/docs/${endpoint.app}#${endpoint.name}`}>{actionOf(endpoint, endpoint.name)}</a>
                  <span class="tag">{appNames.get(endpoint.app) ?? endpoint.app}</span>
                </div>
                <p class="hint">{endpoint.summary}</p>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Layout>
  )
}

function Passages(props: {
  readonly id: string
  readonly title: string
  readonly passages: readonly Passage[]
}): JSX.Element | null {
  const { id, title, passages } = props
  if (passages.length === 0) return null
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul class="accounts links">
        {passages.map((passage) => (
          <li key={passage.id}>
            <div class="row">
              <a href={passage.href}>{passage.title}</a>
            </div>
            <p class="hint">{cut(passage.text)}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
