import type { JSX } from 'preact'
import type { Party, Passkey } from '../../core/users/passkeys.ts'
import { Icon } from '../parts/icon.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { Text } from '../parts/text.tsx'
import { Time } from '../parts/time.tsx'
import { ActionForm } from '../parts/dashboard.tsx'
import { GiveUpPassword } from './passkeys-only-page.tsx'

interface PasskeysProps {
  readonly viewer: Viewer
  readonly passkeys: readonly Passkey[]
  readonly party: Party | undefined
  readonly publicUrl: string
  /** The account has no password. */
  readonly only: boolean
  /** They re-authenticated recently. */
  readonly recent: boolean
  readonly problem: { readonly text: string; readonly name?: string } | undefined
}

/** Passkeys section of the account page. */
export function Passkeys(props: PasskeysProps): JSX.Element {
  const { viewer, passkeys, party, publicUrl, only, recent, problem } = props
  return (
    <section class="card" aria-labelledby="passkeys">
      <h2 id="passkeys">Passkeys</h2>
      <p class="hint">
        Sign in with a fingerprint, your face or a security key
        {only ? '.' : ' instead of the password. Your password keeps working.'}
      </p>
      {passkeys.length > 0 && (
        <ul class="accounts">
          {passkeys.map((passkey) => (
            <Row key={passkey.id} viewer={viewer} passkey={passkey} />
          ))}
        </ul>
      )}
      {party === undefined ? (
        <p class="notice warn">
          Passkeys cannot be used here: browsers allow them only at an https address with a name, or at localhost, and
          this gateway’s is <code>{publicUrl}</code>. Ask whoever runs this Callgate to serve it over https (
          <code>PUBLIC_URL</code>).
        </p>
      ) : only && !recent ? (
        <ActionForm viewer={viewer} action="/account/proof" label="Add a passkey">
          <button class="quiet" type="submit">
            Add a passkey…
          </button>
        </ActionForm>
      ) : (
        <>
          <p class="hint" data-no-passkey>
            To add one, use a browser that knows passkeys, with JavaScript on.
          </p>
          <form
            class="stack"
            method="post"
            action="/account/passkey"
            data-passkey="add"
            hidden={problem === undefined}
            aria-label="Add a passkey"
          >
            <input type="hidden" name="csrf" value={viewer.csrf} />
            <input type="hidden" name="credential" />
            <input type="hidden" name="email" value={viewer.email} autocomplete="username" />
            <label>
              Name of the passkey
              <input
                type="text"
                name="name"
                required
                maxLength={60}
                placeholder="My phone"
                value={problem?.name}
                autocomplete="off"
              />
            </label>
            {!only && (
              <label>
                Your password, to be sure that it is you
                <input type="password" name="password" autocomplete="current-password" required />
              </label>
            )}
            <p class="notice bad" role="alert" data-problem hidden={problem === undefined}>
              {problem?.text}
            </p>
            <button class="primary" type="submit">
              Add a passkey
            </button>
          </form>
        </>
      )}
      {!only && party !== undefined && passkeys.length > 0 && <GiveUpPassword viewer={viewer} />}
    </section>
  )
}

function Row({ viewer, passkey }: { readonly viewer: Viewer; readonly passkey: Passkey }): JSX.Element {
  const { id, name, created_at, last_used_at } = passkey
  return (
    <li class="row beside-button">
      <div>
        <strong>
          <Text value={name} />
        </strong>
        <p class="hint">
          added <Time at={created_at} /> ·{' '}
          {last_used_at ? (
            <>
              last used <Time at={last_used_at} />
            </>
          ) : (
            'never used'
          )}
        </p>
      </div>
      <ActionForm viewer={viewer} action={`/account/passkeys/${id}`} label={`Remove ${name}`}>
        <button class="quiet" type="submit" name="action" value="remove" aria-label={`Remove ${name}`}>
          <Icon name="trash" />
          Remove
        </button>
      </ActionForm>
    </li>
  )
}
