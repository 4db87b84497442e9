import type { JSX } from 'preact'
import type { Account } from '../../core/accounts/accounts.ts'
import type { KeyView } from '../../core/keys/keys.ts'
import type { StandingField } from '../../core/approvals/standing-fields.ts'
import type { App, Endpoint } from '../../connectors/registry.ts'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { actionOf } from '../parts/declared.ts'
import { ActionForm } from '../parts/dashboard.tsx'
import { fieldOf } from './summary.tsx'

/** In place of a key. */
export const allKeys = 'all'

/** What was typed, as it was typed. */
export interface TypedStanding {
  readonly account: string
  /** The id of a key, or `all`. */
  readonly key: string
  readonly perDay: string
  readonly field: string
  readonly values: string
  readonly until: string
  readonly unbounded: boolean
}

export type StandingProblems = Partial<Record<keyof TypedStanding | 'form', string>>

interface FormProps {
  readonly viewer: Viewer
  readonly app: App
  readonly endpoint: Endpoint
  readonly accounts: readonly Account[]
  /** Those that are valid. */
  readonly keys: readonly Pick<KeyView, 'id' | 'name' | 'hint'>[]
  readonly fields: readonly StandingField[]
  /** Whether its calls ask first at present. */
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
        {fields.length > 0 && <Only endpoint={endpoint} fields={fields} typed={typed} problems={problems} />}
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

type Part = Pick<FormProps, 'endpoint' | 'fields' | 'typed' | 'problems'>

function Only({ endpoint, fields, typed, problems }: Part): JSX.Element {
  return (
    <>
      <fieldset {...marks('field', problems)}>
        <legend>Only for certain values</legend>
        <label class="tick">
          <input type="radio" name="field" value="" checked={typed.field === ''} /> No, whatever the call says
        </label>
        {fields.map(({ name, isList, description }) => (
          <label key={name} class="tick">
            <input type="radio" name="field" value={name} checked={typed.field === name} />
            <span>
              {fieldOf(endpoint, name)}{' '}
              <span class="hint">
                {description}
                {isList && ' Every value must be on your list.'}
              </span>
            </span>
          </label>
        ))}
        <Problem of="field" problems={problems} />
      </fieldset>
      <label class="values">
        Allowed values, one per line
        <textarea
          name="values"
          rows={5}
          spellcheck={false}
          autocomplete="off"
          value={typed.values}
          {...marks('values', problems)}
        />
        <span class="hint">
          A call is approved if the field has exactly one of these values. Other fields can say anything.
        </span>
        <Problem of="values" problems={problems} />
      </label>
    </>
  )
}

function marks(of: keyof TypedStanding, problems: StandingProblems) {
  return problems[of] === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': `problem-${of}` }
}

function Problem({
  of,
  problems,
}: {
  readonly of: keyof TypedStanding
  readonly problems: StandingProblems
}): JSX.Element | null {
  return problems[of] === undefined ? null : (
    <span class="problem" id={`problem-${of}`}>
      {problems[of]}
    </span>
  )
}
