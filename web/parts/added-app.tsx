import type { JSX } from 'preact'
import type { App } from '../../connectors/registry.ts'

/** Marks an app that is not built in; nothing for others. */
export function AddedTag({ app }: { readonly app: App }): JSX.Element | null {
  if (app.added === undefined) return null
  return (
    <span class="tag" title={`${app.added.package}: an operator of this gateway added it`}>
      added
    </span>
  )
}

/** The same in words, where somebody is about to use it. */
export function AddedNote({ app }: { readonly app: App }): JSX.Element | null {
  if (app.added === undefined) return null
  return (
    <p class="hint">
      An operator of this gateway added this app, as <code>{app.added.package}</code>. It is no part of Callgate.
    </p>
  )
}
