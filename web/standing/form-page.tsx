import type { JSX } from 'preact'
import type { Account } from '../../core/accounts/accounts.ts'
import type { KeyView } from '../../core/keys/keys.ts'
import type { StandingField } from '../../core/approvals/standing-fields.ts'
import type { App, Endpoint } from '../../connectors/registry.ts'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { actionOf } from '../parts/declared.ts'
import { ActionForm } from '../parts/dashboard.tsx'
import { marks, OnlyValues, Problem } from './form-fields.tsx'
import type { StandingProblems, TypedStanding } from './form-fields.tsx'

/** Value for all keys. */
export const allKeys = 'all'

interface FormProps {
  readonly viewer: Viewer
  readonly app: App
  readonly endpoint: Endpoint
  readonly accounts: readonly Account[]
  /** Valid keys. */
  readonly keys: readonly Pick<KeyView, 'id' | 'name' | 'hint'>[]
  readonly fields: readonly StandingField[]
  /** Whether the action currently asks for approval. */
  readonly asks: boolean
  readonly typed: TypedStanding
  readonly problems: StandingProblems
}

export function StandingFormPage(props: FormProps): JSX.Element {
  const { viewer, app, endpoint, accounts, asks, problems } = props
  const action = actionOf(endpoint, endpoint.name)
  const wrong = Object.values(problems).filter((problem) => problem !== undefined)
  return (
    <Layout title={`Approve in advance: ${action}`} viewer={viewer}>
      <p class="eyebrow">
        <a href="/standing">Standing approvals</a> · <a href={`/apps/${app.slug}`}>{app.name}</a>
      </p>
      <h1>Approve in advance: {action}</h1>
      <p class="lead">
        {endpoint.summary} Calls that match are sent right away, without asking you. You can see each one, and revoke
        this at any time.
      </p>
      {wrong.length > 0 && (
        <div class="notice bad" role="alert">
          <p>
            Nothing was approved yet.{' '}
            {problems.form ?? `${wrong.length === 1 ? 'One field needs' : `${wrong.length} fields need`} attention.`}
          </p>
        </div>
      )}
      {!asks && (
        <p class="notice warn">
          This action does not ask you first right now, so this would have no effect. You can change that on the page of{' '}
          <a href={`/apps/${app.slug}`}>{app.name}</a>.
        </p>
      )}
      {accounts.length === 0 ? (
        <p class="notice warn">
          You have no connected account of {app.name}. <a href={`/connect/${app.slug}`}>Connect one</a> first.
        </p>
      ) : (
        <Form {...props} />
      )}
    </Layout>
  )
}

function Form(props: FormProps): JSX.Element {
  const { viewer, app, endpoint, accounts, keys, fields, typed, problems } = props
  return (
    <article class="card">
      <ActionForm viewer={viewer} action="/standing/new" label="Approve in advance">
        <input type="hidden" name="app" value={app.slug} />
        <input type="hidden" name="endpoint" value={endpoint.name} />
        <label>
          Account
          <select name="account" {...marks('account', problems)}>
            {accounts.length > 1 && <option value="">Choose one</option>}
            {accounts.map(({ id, label }) => (
              <option key={id} value={id} selected={id === typed.account}>
                {label}
              </option>
            ))}
          </select>
          <Problem of="account" problems={problems} />
        </label>
        <label>
          Requested by
          <select name="key" required {...marks('key', problems)}>
            {typed.key === '' && <option value="">Choose a key you trust</option>}
            {keys.map(({ id, name, hint }) => (
              <option key={id} value={id} selected={id === typed.key}>
                {name} ({hint})
              </option>
            ))}
            <option value={allKeys} selected={typed.key === allKeys}>
              any of my keys, including future ones
            </option>
          </select>
          <span class="hint">A replacement of that key is covered too. Calls from other keys still wait for you.</span>
          <Problem of="key" problems={problems} />
        </label>
        <label>
          Daily limit
          <input
            type="text"
            name="per_day"
            inputMode="numeric"
            autocomplete="off"
            maxLength={5}
            value={typed.perDay}
            {...marks('perDay', problems)}
          />
          <span class="hint">Leave empty for no limit. Days start at 00:00 UTC. Failed calls count too.</span>
          <Problem of="perDay" problems={problems} />
        </label>
        {fields.length > 0 && <OnlyValues endpoint={endpoint} fields={fields} typed={typed} problems={problems} />}
        <label>
          Until
          <input type="date" name="until" value={typed.until} {...marks('until', problems)} />
          <span class="hint">Includes that day, in UTC. Leave empty for no end date.</span>
          <Problem of="until" problems={problems} />
        </label>
        <div>
          <label class="tick">
            <input
              type="checkbox"
              name="unbounded"
              value="yes"
              checked={typed.unbounded}
              {...marks('unbounded', problems)}
            />
            <span>No limits: approve every call like this, whatever it says, as long as I do not revoke it.</span>
          </label>
          <Problem of="unbounded" problems={problems} />
        </div>
        <button class="primary" type="submit">
          Approve in advance
        </button>
      </ActionForm>
    </article>
  )
}
