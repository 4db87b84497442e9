import type { JSX } from 'preact'
import type { Account } from '../../core/accounts/accounts.ts'
import type { KeyView } from '../../core/keys/keys.ts'
import type { App, Detail, Endpoint } from '../../connectors/registry.ts'
import { Choice } from '../parts/choice.tsx'
import { ActionForm } from '../parts/dashboard.tsx'
import { actionOf } from '../parts/declared.ts'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import type { Asking } from './asking.ts'
import type { Code } from './code.ts'
import { FieldEntry } from './fields.tsx'
import type { PlayField, Typed } from './form.ts'
import { CodeBlock, Result } from './result.tsx'
import type { Played } from './result.tsx'
import { counted } from '../parts/time.tsx'

interface PlayProps {
  readonly viewer: Viewer
  readonly app: App
  /** The call whose page led here, to read one of its entities. */
  readonly from: string | undefined
  readonly endpoint: Endpoint
  readonly fields: readonly PlayField[]
  readonly typed: Typed
  readonly details: readonly Detail[]
  /** Keys that may call the app. */
  readonly keys: readonly KeyView[]
  readonly key: string | undefined
  readonly accounts: readonly Account[]
  readonly account: string | undefined
  readonly codes: readonly Code[]
  readonly asking: Asking
  readonly played: Played | undefined
  /** Nonce of this form, for the idempotency key. */
  readonly once: string
}

const tags = {
  always: 'waits for approval',
  'unless-covered': 'waits for approval, unless a standing approval covers it',
} as const

const runs: Readonly<Record<Asking, string>> = {
  never: 'Run',
  always: 'Run: asks you to approve',
  'unless-covered': 'Run: asks you, unless a standing approval covers it',
}

export function PlayPage(props: PlayProps): JSX.Element {
  const { app, endpoint, viewer, played, details, codes, asking } = props
  return (
    <Layout title={`Try ${actionOf(endpoint, endpoint.name)}`} viewer={viewer} wide script="play.js">
      <p class="eyebrow">
        <a href="/play">Try</a> · <a href={`/docs/${app.slug}#${endpoint.name}`}>{app.name}</a>
      </p>
      <h1>{actionOf(endpoint, endpoint.name)}</h1>
      <p class="lead">{endpoint.summary}</p>
      <p class="tags">
        <code>{`${app.slug}.${endpoint.name}`}</code>
        <span class="tag">{endpoint.access}</span>
        {asking !== 'never' && <span class="tag warn">{tags[asking]}</span>}
        <span class="tag">{counted(endpoint.credits, 'credit')}</span>
      </p>
      {props.from !== undefined && (
        <p>
          <a class="button quiet" href={`/confirm/${props.from}`}>
            Back to the call
          </a>
        </p>
      )}
      {details.length > 0 && <Wrong {...props} />}
      {played && <Result played={played} />}
      <div class="play">
        <section class="card" aria-labelledby="inputs">
          <h2 id="inputs">Inputs</h2>
          <PlayForm {...props} />
        </section>
        <section class="card" aria-labelledby="code">
          <h2 id="code">The same call in your program</h2>
          {codes.length === 0 ? (
            <p class="empty">Shown once the inputs are right.</p>
          ) : (
            codes.map((code) => <CodeBlock key={code.id} code={code} />)
          )}
        </section>
      </div>
    </Layout>
  )
}

function Wrong({ details, fields }: PlayProps): JSX.Element {
  const known = (path: string): boolean => fields.some(({ name }) => name === path.split('.')[0])
  return (
    <div class="notice bad" role="alert">
      <h2>Nothing was run</h2>
      <ul class="plainlist">
        {details.map(({ path, message }) => (
          <li key={path}>
            {known(path) ? <a href={`#in.${path.split('.')[0]}`}>{path}</a> : path} {message}
          </li>
        ))}
      </ul>
    </div>
  )
}

function PlayForm(props: PlayProps): JSX.Element {
  const { viewer, app, from, endpoint, fields, typed, details, keys, key, accounts, account, once } = props
  const here = `/play/${app.slug}/${endpoint.name}`
  return (
    <ActionForm viewer={viewer} action={from === undefined ? here : `${here}?call=${from}`} label="Inputs">
      <input type="hidden" name="once" value={once} />
      {fields.length === 0 && <p class="hint">Takes no inputs.</p>}
      {fields.map((field) => (
        <FieldEntry
          key={field.name}
          field={field}
          texts={typed.get(field.name) ?? []}
          problems={details.filter(({ path }) => path.split('.')[0] === field.name)}
        />
      ))}
      {accounts.length > 1 && (
        <Choice
          name="account"
          label="Account"
          chosen={account}
          options={accounts.map(({ id, label }) => [id, label] as const)}
        />
      )}
      {keys.length > 0 ? (
        <Choice
          name="key"
          label="Key it counts for"
          chosen={key}
          options={keys.map(({ id, name, hint }) => [id, `${name} (${hint})`] as const)}
        />
      ) : (
        <p class="notice warn">
          No key of yours may call {app.name}. <a href="/keys">Make one, or tick the app on one</a>
        </p>
      )}
      {accounts.length === 0 && (
        <p class="notice warn">
          You have no account of {app.name} here. <a href={`/connect/${app.slug}`}>Connect yours</a>
        </p>
      )}
      <div class="row buttons">
        {keys.length > 0 && (
          <button class="primary" type="submit" name="action" value="run">
            {runs[props.asking]}
          </button>
        )}
        <button class="quiet" type="submit" name="action" value="show">
          Only update the code
        </button>
      </div>
      <p class="hint">
        Runs for real, in your account, at {counted(endpoint.credits, 'credit')}.
        {endpoint.access === 'write' && ' Sent twice from the same page it is still one call.'}
      </p>
    </ActionForm>
  )
}
