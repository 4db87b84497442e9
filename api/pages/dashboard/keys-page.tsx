import type { JSX } from 'preact'
import type { KeyView, NewKey } from '../../../activities/keys.ts'
import type { App } from '../../../connectors/registry.ts'
import { Layout } from '../layout.tsx'
import type { Viewer } from '../layout.tsx'
import { Text } from '../text.tsx'
import { Time } from '../time.tsx'
import { ActionForm, Said } from './parts.tsx'

interface KeysProps {
  readonly viewer: Viewer
  readonly keys: readonly KeyView[]
  readonly apps: readonly App[]
  readonly said: string | null
}

const told: Readonly<Record<string, string>> = {
  revoked: 'The key is revoked. It ended at once; calls that wait with it will not be sent.',
  apps: 'The key’s apps are changed.',
}

export function KeysPage({ viewer, keys, apps, said }: KeysProps): JSX.Element {
  return (
    <Layout title="API keys" viewer={viewer}>
      <h1>API keys</h1>
      <p class="lead">Each agent or program gets a key of its own, so that you can see who asked, and end one alone.</p>
      <Said what={said} words={told} />
      <section class="card" aria-labelledby="new">
        <h2 id="new">A new key</h2>
        <ActionForm viewer={viewer} action="/keys" label="A new key">
          <label>
            Name
            <input type="text" name="name" required maxLength={80} placeholder="Front-desk assistant" />
          </label>
          <label>
            Expires
            <select name="days">
              <option value="">never</option>
              <option value="30">in 30 days</option>
              <option value="90" selected>
                in 90 days
              </option>
              <option value="365">in a year</option>
            </select>
          </label>
          <AppTicks apps={apps} ticked={null} />
          <button class="primary" type="submit">
            Make the key
          </button>
        </ActionForm>
      </section>
      {keys.map((key) => (
        <Key key={key.id} viewer={viewer} apiKey={key} apps={apps} />
      ))}
    </Layout>
  )
}

function Key({ viewer, apiKey, apps }: { viewer: Viewer; apiKey: KeyView; apps: readonly App[] }): JSX.Element {
  const { id, name, hint, valid, revoked_at, expires_at, last_used_at, created_at } = apiKey
  const action = `/keys/${id}`
  return (
    <article class="card">
      <div class="row">
        <h2>
          <Text value={name} />
        </h2>
        <span class={valid ? 'tag good' : 'tag'}>{valid ? 'valid' : revoked_at ? 'revoked' : 'expired'}</span>
      </div>
      <p class="hint">
        <code>{hint}</code> · made <Time at={created_at} /> ·{' '}
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
            {valid ? 'expires' : 'expired'} <Time at={expires_at} />
          </>
        )}
        {' · '}
        {apiKey.apps === null ? 'all apps' : apiKey.apps.length === 0 ? 'no app' : apiKey.apps.join(', ')}
      </p>
      {valid && (
        <>
          <details>
            <summary>Apps of this key</summary>
            <ActionForm viewer={viewer} action={action} label={`Apps of ${name}`}>
              <AppTicks apps={apps} ticked={apiKey.apps} />
              <button class="quiet" type="submit" name="action" value="apps">
                Save the apps
              </button>
            </ActionForm>
          </details>
          <details>
            <summary>Replace or revoke</summary>
            <ActionForm viewer={viewer} action={action} label={`Replace ${name}`}>
              <label>
                The old key stays valid for
                <select name="hours">
                  <option value="24">a day</option>
                  <option value="1">an hour</option>
                  <option value="168">a week</option>
                  <option value="0">no longer</option>
                </select>
              </label>
              <button class="quiet" type="submit" name="action" value="rotate">
                Replace by a new key
              </button>
            </ActionForm>
            <ActionForm viewer={viewer} action={action} label={`Revoke ${name}`}>
              <button class="danger" type="submit" name="action" value="revoke">
                Revoke now
              </button>
            </ActionForm>
          </details>
        </>
      )}
    </article>
  )
}

/** `ticked` null: all apps, those to come too. */
function AppTicks({ apps, ticked }: { apps: readonly App[]; ticked: readonly string[] | null }): JSX.Element {
  return (
    <fieldset>
      <legend>May use</legend>
      <label class="tick">
        <input type="checkbox" name="all" value="yes" checked={ticked === null} /> all apps, those to come too
      </label>
      <p class="hint">or only these, with the box above cleared:</p>
      <div class="ticks">
        {apps.map(({ slug, name }) => (
          <label key={slug} class="tick">
            <input type="checkbox" name="app" value={slug} checked={ticked?.includes(slug) ?? false} /> {name}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

export function NewKeyPage(props: { viewer: Viewer; made: NewKey; publicUrl: string }): JSX.Element {
  const { viewer, made, publicUrl } = props
  const url = `${publicUrl}/api/v1/apps`
  const lines: readonly (readonly [string, string])[] = [
    ['curl', `curl ${publicUrl}/api/v1/connections -H "Authorization: Bearer ${made.key}"`],
    [
      'TypeScript',
      `const answer = await fetch('${publicUrl}/api/v1/connections', {\n  headers: { Authorization: 'Bearer ${made.key}' },\n})`,
    ],
    ['Python', `httpx.get("${publicUrl}/api/v1/connections", headers={"Authorization": "Bearer ${made.key}"})`],
    [
      'Claude Code (MCP)',
      `claude mcp add --transport http callgate ${publicUrl}/mcp --header "Authorization: Bearer ${made.key}"`,
    ],
    [
      'Other MCP clients',
      JSON.stringify(
        {
          mcpServers: {
            callgate: { type: 'http', url: `${publicUrl}/mcp`, headers: { Authorization: `Bearer ${made.key}` } },
          },
        },
        null,
        2,
      ),
    ],
  ]
  return (
    <Layout title="Your new key" viewer={viewer}>
      <article class="card">
        <p class="eyebrow">
          <Text value={made.name} />
        </p>
        <h1>Your new key</h1>
        <p class="notice warn">Copy it now: it is shown this once. Whoever has it can ask in your name.</p>
        <pre>
          <code>{made.key}</code>
        </pre>
        {lines.map(([title, text]) => (
          <section key={title}>
            <h2>{title}</h2>
            <pre>
              <code>{text}</code>
            </pre>
          </section>
        ))}
        <p class="hint">
          What there is to call: <a href={url}>{url}</a>. <a href="/keys">Back to the keys</a>
        </p>
      </article>
    </Layout>
  )
}
