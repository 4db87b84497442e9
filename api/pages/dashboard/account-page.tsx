import type { JSX } from 'preact'
import type { AuditEntry } from '../../../activities/db/audit.ts'
import { Layout } from '../layout.tsx'
import type { Viewer } from '../layout.tsx'
import { Text } from '../text.tsx'
import { Time } from '../time.tsx'
import { ActionForm, Said } from './parts.tsx'

interface AccountProps {
  readonly viewer: Viewer
  readonly entries: readonly AuditEntry[]
  /** The last entry shown, when there are older ones. */
  readonly next: string | undefined
  readonly said: string | null
}

export function AccountPage({ viewer, entries, next, said }: AccountProps): JSX.Element {
  return (
    <Layout title="Account" viewer={viewer}>
      <h1>Account</h1>
      <Said what={said} words={{ password: 'The password is changed. All other browsers are signed out.' }} />
      <section class="card" aria-labelledby="password">
        <h2 id="password">Password</h2>
        <ActionForm viewer={viewer} action="/account" label="Change the password">
          <input type="hidden" name="email" value={viewer.email} autocomplete="username" />
          <label>
            Current password
            <input type="password" name="current" autocomplete="current-password" required />
          </label>
          <label>
            New password (10 characters or more)
            <input type="password" name="new" autocomplete="new-password" required minLength={10} maxLength={200} />
          </label>
          <label>
            The new password again
            <input type="password" name="again" autocomplete="new-password" required minLength={10} maxLength={200} />
          </label>
          <button class="primary" type="submit" name="action" value="password">
            Change the password
          </button>
        </ActionForm>
      </section>
      <section class="card" aria-labelledby="browsers">
        <h2 id="browsers">Browsers</h2>
        <ActionForm viewer={viewer} action="/account" label="Sign out everywhere">
          <button class="danger" type="submit" name="action" value="sign-out">
            Sign out everywhere
          </button>
        </ActionForm>
        <p class="hint">Keys go on working; revoke them on the page of keys.</p>
      </section>
      <section class="card" aria-labelledby="log">
        <h2 id="log">What was changed</h2>
        {entries.length === 0 ? <p class="empty">Nothing yet.</p> : <Log entries={entries} />}
        {next !== undefined && (
          <p>
            <a href={`/account?before=${next}`}>Older changes</a>
          </p>
        )}
      </section>
    </Layout>
  )
}

function Log({ entries }: { readonly entries: readonly AuditEntry[] }): JSX.Element {
  return (
    <ol class="timeline">
      {entries.map(({ id, at, actor, action, detail }) => (
        <li key={id}>
          <span class="hint">
            <Time at={at} />
            {!actor.startsWith('user_') && ` · ${actor}`}
          </span>{' '}
          <code>{action}</code>{' '}
          <span class="hint">
            <Text value={detailOf(detail)} />
          </span>
        </li>
      ))}
    </ol>
  )
}

function detailOf(detail: Readonly<Record<string, unknown>>): string {
  return Object.entries(detail)
    .filter(([name]) => name !== 'owner')
    .map(
      ([name, value]) => `${name.replaceAll('_', ' ')}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
    .join(', ')
}
