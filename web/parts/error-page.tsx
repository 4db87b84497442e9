import type { JSX } from 'preact'
import { Icon } from './icon.tsx'
import { Layout } from './layout.tsx'
import type { Viewer } from './layout.tsx'
import { Fields } from './value.tsx'

export interface ErrorProps {
  readonly viewer: Viewer | undefined
  readonly status: number
  readonly title: string
  readonly message: string
  readonly requestId?: string | undefined
  /** What the user typed and would lose, by field. */
  readonly typed?: Readonly<Record<string, string>>
  /** Where to return after the sign-in that the error asks for. */
  readonly signInFor?: string | undefined
  /** Page to retry after a temporary failure on our side, when the signed-in user is unknown. */
  readonly retry?: string | undefined
}

export function ErrorPage(props: ErrorProps): JSX.Element {
  const { viewer, status, title, message, requestId, typed = {}, signInFor, retry } = props
  return (
    <Layout title={title} viewer={viewer} {...(retry !== undefined && { top: {} })}>
      <article class="card lone">
        <p class="eyebrow">Error {status}</p>
        <h1>{title}</h1>
        <p>{message}</p>
        {signInFor !== undefined && (
          <p>
            <a class="button primary" href={`/login?return_to=${encodeURIComponent(signInFor)}`}>
              Sign in and come back
            </a>
          </p>
        )}
        {retry !== undefined && (
          <p>
            <a class="button primary" href={retry}>
              <Icon name="arrow-path" />
              Try again
            </a>
          </p>
        )}
        {requestId !== undefined && requestId !== '' && (
          <p class="hint">
            If you report this, quote <code>{requestId}</code>.
          </p>
        )}
        {Object.keys(typed).length > 0 && (
          <section aria-labelledby="typed">
            <h2 id="typed">What you typed</h2>
            <p class="hint">It is kept nowhere: copy what you need again.</p>
            <Fields value={typed} schema={undefined} />
          </section>
        )}
        <p>
          <a href="/">To the start page</a>
        </p>
      </article>
    </Layout>
  )
}
