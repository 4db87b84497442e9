import type { JSX } from 'preact'
import { ActionForm } from '../parts/dashboard.tsx'
import type { Viewer } from '../parts/layout.tsx'

/** What somebody may do with everything that is theirs. */
export function OwnData({ viewer }: { readonly viewer: Viewer }): JSX.Element {
  return (
    <section class="card" aria-labelledby="own-data">
      <h2 id="own-data">Everything that is yours</h2>
      <p>
        One file with your settings, accounts, keys, calls and what they said, credits, and what was changed. It is
        text, one JSON value a line, without passwords, keys and sessions.
      </p>
      <ActionForm viewer={viewer} action="/account/export" label="Download everything">
        <button type="submit">Download everything</button>
      </ActionForm>
    </section>
  )
}
