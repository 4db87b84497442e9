import type { JSX } from 'preact'
import type { App } from '../../connectors/registry.ts'

const scaleWords = 'its author’s checks found so. It says how much of it is proven, not that it works today.'

/** Marks an app that is not built in; empty for others. */
export function AddedTag({ app }: { readonly app: App }): JSX.Element | null {
  if (app.added === undefined) return null
  const { package: from, scale } = app.added
  return (
    <>
      <span class="tag" title={`${from}: an operator of this gateway added it`}>
        added
      </span>{' '}
      {scale && (
        <span class="tag" title={`${scale}: ${scaleWords}`}>
          {scale}
        </span>
      )}
    </>
  )
}

/** The same as a sentence, where a user is about to use the app. */
export function AddedNote({ app }: { readonly app: App }): JSX.Element | null {
  if (app.added === undefined) return null
  return (
    <p class="hint">
      An operator of this gateway added this app, as <code>{app.added.package}</code>. It is no part of Callgate.
      {app.added.scale && ` It is ${app.added.scale}: ${scaleWords}`}
    </p>
  )
}
