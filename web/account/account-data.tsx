import type { JSX } from 'preact'
import { ActionForm, Sure } from '../parts/dashboard.tsx'
import { Icon } from '../parts/icon.tsx'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'

/** Export and deletion of the user's data. */
export function OwnData({ viewer }: { readonly viewer: Viewer }): JSX.Element {
  return (
    <section class="card" aria-labelledby="own-data">
      <h2 id="own-data">Everything that is yours</h2>
      <p>
        One file with your settings, accounts, keys, calls, credits and history: a text file with one JSON value per
        line. Passwords, key values and app sessions are left out.
      </p>
      <ActionForm viewer={viewer} action="/account/export" label="Download everything">
        <button type="submit">
          <Icon name="arrow-down-tray" />
          Download everything
        </button>
      </ActionForm>
      <Sure what="Delete your account" danger>
        <ActionForm viewer={viewer} action="/account/erase" label="Delete your account">
          <p>
            You are signed out everywhere and your keys stop at once. Calls that wait are cancelled; what is being sent
            now ends first. Then everything of yours is deleted for good, and nobody can bring it back. What remains has
            no name: the credits, and that calls were made.
          </p>
          <label>
            To confirm, type your email address
            <input type="email" name="email" autocomplete="off" required />
          </label>
          <button class="danger" type="submit">
            Delete my account for good
          </button>
        </ActionForm>
      </Sure>
    </section>
  )
}

/** The last page that a deleted user sees. */
export function ErasedPage(): JSX.Element {
  return (
    <Layout title="Your account is deleted">
      <article class="card lone">
        <h1>Your account is deleted</h1>
        <p>
          You are signed out everywhere, and your keys open nothing any more. What was yours is deleted within a minute;
          if a call is being sent just now, as soon as it has ended.
        </p>
      </article>
    </Layout>
  )
}
