import type { JSX } from 'preact'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import type { Guide } from './guides.ts'
import { Markdown } from './markdown.tsx'
import { DocsNav } from './nav.tsx'

/** A guide from `docs/`. */
export function GuidePage({
  viewer,
  guide,
}: {
  readonly viewer: Viewer | undefined
  readonly guide: Guide
}): JSX.Element {
  return (
    <Layout title={guide.title} viewer={viewer} wide>
      <DocsNav />
      <h1>{guide.title}</h1>
      <p class="lead">{guide.about}</p>
      <article class="card prose">
        <Markdown tokens={guide.tokens} />
      </article>
    </Layout>
  )
}
