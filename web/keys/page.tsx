import type { JSX } from 'preact'
import { endpointsOf } from '../../core/keys/endpoints.ts'
import type { KeyView } from '../../core/keys/keys.ts'
import type { App } from '../../connectors/registry.ts'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { Text } from '../parts/text.tsx'
import { counted, Time } from '../parts/time.tsx'
import { Programs } from './programs.tsx'
import { AppTicks, NewKeyForm, RightsChoice, SightTick } from './form.tsx'
import type { KeyFormProps, WrongKeyForm } from './form.tsx'
import { ActionForm, FlashMessage } from '../parts/dashboard.tsx'

interface KeysProps {
  readonly viewer: Viewer
  readonly keys: readonly KeyView[]
  readonly apps: readonly App[]
  readonly said: string | null
  readonly publicUrl: string
  /** The rejected form. */
  readonly wrong?: WrongKeyForm
}

const messages: Readonly<Record<string, string>> = {
  revoked: 'The key is revoked. Its waiting calls will not be sent, unless a key that replaced it takes them over.',
  apps: 'The key’s apps are changed.',
  rights: 'What the key may do is changed.',
  sight: 'Which calls the key sees is changed.',
}

export function KeysPage({ viewer, keys, apps, said, publicUrl, wrong }: KeysProps): JSX.Element {
  const wrongOf = (keyId: string | null): WrongKeyForm | undefined => (wrong?.keyId === keyId ? wrong : undefined)
  const valid = keys.filter((key) => key.valid)
  const ended = keys.filter((key) => !key.valid)
  return (
    <Layout title="API keys" viewer={viewer} wide script="play.js">
      <h1>API keys</h1>
      <p class="lead">
        Give each agent or program its own key, so you can see who asked and revoke one without the others. Programs
        that you let sign in are listed here too.
      </p>
      <FlashMessage what={said} words={messages} />
      <div class="columns">
        <div>
          {valid.length > 0 && (
            <p class="only-narrow">
              <a href="#new">Make a new key</a>
            </p>
          )}
          {valid.length === 0 && <p class="empty">No key yet. Make one for your first agent.</p>}
          {valid.map((key) => (
            <Key key={key.id} viewer={viewer} apiKey={key} apps={apps} wrong={wrongOf(key.id)} />
          ))}
        </div>
        <div>
          <section class="card" aria-labelledby="new">
            <h2 id="new">New key</h2>
            <NewKeyForm viewer={viewer} apps={apps} wrong={wrongOf(null)} />
          </section>
          <Programs publicUrl={publicUrl} />
        </div>
      </div>
      {ended.length > 0 && (
        <details>
          <summary>{counted(ended.length, 'key')} that ended</summary>
          <div class="stack">
            {ended.map((key) => (
              <Key key={key.id} viewer={viewer} apiKey={key} apps={apps} wrong={undefined} />
            ))}
          </div>
        </details>
      )}
    </Layout>
  )
}

function Key({ viewer, apiKey, apps, wrong }: KeyFormProps & { readonly apiKey: KeyView }): JSX.Element {
  const { id, name, hint, valid, revoked_at, expires_at, last_used_at, created_at, successor } = apiKey
  const action = `/keys/${id}`
  const granted = apiKey.granted_for !== null
  // A grant for a single app has no other apps to choose.
  const oneApp = granted && apiKey.granted_for !== '/mcp'
  return (
    <article class="card" id={id}>
      <div class="row">
        <h2>
          <Text value={name} />
        </h2>
        <span class={valid ? 'tag good' : 'tag'}>{valid ? 'valid' : revoked_at ? 'revoked' : 'expired'}</span>
      </div>
      <p class="hint">
        {granted ? (
          <>
            signed in from <Text value={hint} /> · for <code>{apiKey.granted_for}</code> · let in{' '}
          </>
        ) : (
          <>
            <code>{hint}</code> · made{' '}
          </>
        )}
        <Time at={created_at} /> ·{' '}
        {last_used_at ? (
          <>
            last used <Time at={last_used_at} />
          </>
        ) : (
          'never used'
        )}
        {revoked_at === null && expires_at !== null && (
          <>
            {' · '}
            {valid ? (granted ? 'ends, unless it is used before,' : 'expires') : granted ? 'ended' : 'expired'}{' '}
            <Time at={expires_at} />
          </>
        )}
        {' · '}
        {namesOf(apiKey.apps, apps)}
        {apiKey.read_only && ' · only reads'}
        {limitsOf(apiKey, apps).map((limit) => ` · ${limit}`)}
        {' · '}
        {apiKey.sees_all ? 'sees all of your calls' : 'sees its own calls'}
        {successor !== null && (
          <>
            {' · replaced by '}
            <code>{successor}</code>
          </>
        )}
      </p>
      {valid && (
        <>
          {!oneApp && (
            <details open={wrong !== undefined}>
              <summary>Apps of this {granted ? 'program' : 'key'}</summary>
              <ActionForm viewer={viewer} action={action} label={`Apps of ${name}`}>
                <AppTicks
                  apps={apps}
                  typed={wrong?.apps ?? { all: apiKey.apps === null, ticked: apiKey.apps ?? [] }}
                  problem={wrong?.problems.apps}
                />
                <button class="quiet" type="submit" name="action" value="apps">
                  Save the apps
                </button>
              </ActionForm>
            </details>
          )}
          <details>
            <summary>What it may do</summary>
            <ActionForm viewer={viewer} action={action} label={`What ${name} may do`}>
              <RightsChoice readOnly={apiKey.read_only} />
              <button class="quiet" type="submit" name="action" value="rights">
                Save what it may do
              </button>
            </ActionForm>
            <p>
              <a href={`/keys/${id}/actions`}>Only some actions of an app…</a>
            </p>
          </details>
          <details>
            <summary>Which calls it sees</summary>
            <ActionForm viewer={viewer} action={action} label={`Which calls ${name} sees`}>
              <SightTick seesAll={apiKey.sees_all} />
              <button class="quiet" type="submit" name="action" value="sight">
                Save what it sees
              </button>
            </ActionForm>
          </details>
          <Ending viewer={viewer} apiKey={apiKey} />
        </>
      )}
    </article>
  )
}

function namesOf(slugs: readonly string[] | null, known: readonly App[]): string {
  if (slugs === null) return 'all apps'
  const names = slugs.map((slug) => known.find((app) => app.slug === slug)?.name ?? slug)
  return names.length === 0 ? 'no app' : names.join(', ')
}

/** Limited actions, for each app that the key may use. */
function limitsOf({ apps, endpoints }: KeyView, known: readonly App[]): readonly string[] {
  return known.flatMap((app) => {
    const names = (apps?.includes(app.slug) ?? true) ? endpointsOf(endpoints, app.slug) : undefined
    return names === undefined
      ? []
      : [`only ${names.length} of ${counted(app.endpoints.size, 'action')} of ${app.name}`]
  })
}

/** A key can be replaced once; after that it can only be revoked. */
function Ending({ viewer, apiKey }: { readonly viewer: Viewer; readonly apiKey: KeyView }): JSX.Element {
  const { id, name, successor, granted_for } = apiKey
  const action = `/keys/${id}`
  const replaceable = successor === null && granted_for === null
  return (
    <details>
      <summary>{replaceable ? 'Replace or revoke' : 'Revoke'}</summary>
      {replaceable && (
        <ActionForm viewer={viewer} action={action} label={`Replace ${name}`}>
          <p class="hint">
            The new key sees and continues what this one did. Waiting calls continue even after this one has ended.
          </p>
          <label>
            The old key keeps working for
            <select name="hours">
              <option value="24">a day</option>
              <option value="1">an hour</option>
              <option value="168">a week</option>
              <option value="0">no longer</option>
            </select>
          </label>
          <button class="quiet" type="submit" name="action" value="rotate">
            Replace with a new key
          </button>
        </ActionForm>
      )}
      <ActionForm viewer={viewer} action={action} label={`Revoke ${name}`}>
        <p class="hint">
          It stops working right away and cannot be restored.{' '}
          {successor === null
            ? 'Its waiting calls will not be sent.'
            : 'Its waiting calls continue with the key that replaced it. To stop them too, revoke that one as well.'}
        </p>
        <button class="danger" type="submit" name="action" value="revoke">
          Revoke now
        </button>
      </ActionForm>
    </details>
  )
}
