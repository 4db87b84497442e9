import type { JSX } from 'preact'
import { Layout } from './layout.tsx'

interface ErrorProps {
  readonly status: number
  readonly title: string
  readonly message: string
  readonly requestId?: string | undefined
}

export function ErrorPage({ status, title, message, requestId }: ErrorProps): JSX.Element {
  return (
    <Layout title={title}>
      <article class="card lone">
        <p class="eyebrow">Error {status}</p>
        <h1>{title}</h1>
        <p>{message}</p>
        {requestId !== undefined && requestId !== '' && (
          <p class="hint">
            If you report this, quote <code>{requestId}</code>.
          </p>
        )}
        <p>
          <a href="/">To the start page</a>
        </p>
      </article>
    </Layout>
  )
}
