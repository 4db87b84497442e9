import type { JSX } from 'preact'
import type { App } from '../../connectors/registry.ts'
import { isDocumentAddress } from '../../core/oauth/document.ts'
import { placeOf } from '../../core/oauth/metadata.ts'
import type { TypedActions } from '../keys/typed-actions.ts'
import { SomeActions } from '../keys/form.tsx'
import type { TypedApps } from '../keys/form.tsx'
import { ActionForm } from '../parts/dashboard.tsx'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { Text } from '../parts/text.tsx'
import type { Asked } from './request.ts'

interface ConsentProps {
  readonly viewer: Viewer
  /** The authorization request's query string. */
  readonly query: string
  readonly asked: Asked
  readonly apps: readonly App[]
  /** Apps of which the user has an account. */
  readonly connected: ReadonlySet<string>
  /** The one app that is requested; undefined: the user chooses. */
  readonly only: App | undefined
  readonly typed: { readonly apps: TypedApps; readonly reads: boolean; readonly actions: TypedActions }
  readonly problem: string | undefined
}

export function ConsentPage(props: ConsentProps): JSX.Element {
  const { viewer, query, asked, apps, connected, only, typed, problem } = props
  const { client, redirectUri } = asked
  return (
    <Layout title="Let a program in" viewer={viewer} guard still>
      <article class="card lone">
        <p class="eyebrow">A program asks for access</p>
        <h1 data-read>
          Let “<Text value={client.name} />” use your apps?
        </h1>
        <dl class="facts" data-read>
          <div>
            <dt>Calls itself</dt>
            <dd>
              <Text value={client.name} /> <span class="hint">(its own word, nobody checked it)</span>
            </dd>
          </div>
          {isDocumentAddress(client.id) && (
            <div>
              <dt>Described by</dt>
              <dd>
                <Text value={new URL(client.id).host} />
              </dd>
            </div>
          )}
          <div>
            <dt>Sends you back to</dt>
            <dd>
              <strong>
                <Text value={placeOf(redirectUri)} />
              </strong>
            </dd>
          </div>
          <div>
            <dt>You are</dt>
            <dd>
              <Text value={viewer.email} />
            </dd>
          </div>
        </dl>
        <p class="notice warn" data-read>
          Go on only if you added Callgate to this program yourself, just now. Anybody can give a program any name.
        </p>
        {problem !== undefined && (
          <p class="notice bad" role="alert">
            {problem}
          </p>
        )}
        <ActionForm viewer={viewer} action="/oauth/authorize" label="What it may do" guard>
          <input type="hidden" name="request" value={query} />
          {only === undefined ? (
            <Apps apps={apps} connected={connected} typed={typed.apps} />
          ) : (
            <p>
              It asks for <strong>{only.name}</strong>, and can use no other app.
            </p>
          )}
          <fieldset>
            <legend>May</legend>
            {!asked.readsOnly && (
              <label class="tick">
                <input type="radio" name="rights" value="write" checked={!typed.reads} /> read and change things. What
                reaches other people still waits for your approval, unless you switched that off
              </label>
            )}
            <label class="tick">
              <input type="radio" name="rights" value="read" checked={typed.reads} /> only read
            </label>
          </fieldset>
          <SomeActions
            apps={
              only === undefined
                ? apps.toSorted((a, b) => Number(connected.has(b.slug)) - Number(connected.has(a.slug)))
                : [only]
            }
            typed={typed.actions}
          />
          <div class="decide">
            <p class="hint" id="what-is-left" role="status">
              It gets no password and no key. You can end its access at any time under Keys.
            </p>
            <button class="quiet" type="submit" name="decision" value="deny">
              Do not allow
            </button>
            <button class="primary" type="submit" name="decision" value="allow" aria-describedby="what-is-left">
              Allow
            </button>
          </div>
        </ActionForm>
      </article>
    </Layout>
  )
}

/** Connected apps are visible, the others folded. */
function Apps(props: {
  readonly apps: readonly App[]
  readonly connected: ReadonlySet<string>
  readonly typed: TypedApps
}): JSX.Element {
  const { apps, connected, typed } = props
  const tick = ({ slug, name }: App): JSX.Element => (
    <label key={slug} class="tick">
      <input type="checkbox" name="app" value={slug} checked={typed.ticked.includes(slug)} /> {name}
    </label>
  )
  const others = apps.filter(({ slug }) => !connected.has(slug))
  return (
    <fieldset>
      <legend>Apps</legend>
      {apps.filter(({ slug }) => connected.has(slug)).map(tick)}
      <details open={others.some(({ slug }) => typed.ticked.includes(slug))}>
        <summary>Apps that you have not connected</summary>
        <div class="ticks">{others.map(tick)}</div>
      </details>
      <label class="tick">
        <input type="checkbox" name="all" value="yes" checked={typed.all} /> All apps, including future ones, whatever
        is ticked above
      </label>
    </fieldset>
  )
}

interface BackProps {
  readonly viewer: Viewer
  readonly to: string
  readonly back: string
}

/** Redirects by `Refresh`; the link is the fallback. */
export function BackPage({ viewer, to, back, allowed }: BackProps & { readonly allowed: boolean }): JSX.Element {
  return (
    <Layout title="Back to the program" viewer={viewer}>
      <article class="card lone">
        <h1>{allowed ? 'Allowed' : 'Not allowed'}</h1>
        <p>
          You go back to <Text value={to} />. If nothing happens within a moment:
        </p>
        <p>
          <a href={back} rel="noreferrer">
            Go back to the program
          </a>
        </p>
        {allowed && (
          <p class="hint">
            What it may do, and the end of it, is under <a href="/keys">Keys</a>.
          </p>
        )}
      </article>
    </Layout>
  )
}

/** The request is invalid; the user decides whether to return to the client. */
export function RefusedPage({ viewer, to, back, why }: BackProps & { readonly why: string }): JSX.Element {
  return (
    <Layout title="The program asked wrongly" viewer={viewer}>
      <article class="card lone">
        <p class="eyebrow">Nothing was allowed</p>
        <h1>This program asked in a way that does not work here</h1>
        <p>
          <Text value={why} />
        </p>
        <p>
          <a href={back} rel="noreferrer">
            Tell it so: go back to <Text value={to} />
          </a>
        </p>
      </article>
    </Layout>
  )
}
