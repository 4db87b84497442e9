import type { JSX } from 'preact'
import type { OperatorCredential } from '../../core/operators/credentials.ts'
import { ActionForm, Sure } from '../parts/dashboard.tsx'
import { Time } from '../parts/time.tsx'
import { Frame } from './frame.tsx'
import type { Operator } from '../../core/http/operator-session.ts'

/** Operators with their own token. */
export function OperatorsPage(props: {
  readonly operator: Operator
  readonly temporalUiUrl: string
  readonly operators: readonly OperatorCredential[]
  /** The rejected name. */
  readonly typed: { readonly name: string; readonly problem: string } | undefined
}): JSX.Element {
  const { operator, temporalUiUrl, operators, typed } = props
  return (
    <Frame title="Operators" operator={operator} temporalUiUrl={temporalUiUrl}>
      <h1>Operators</h1>
      <p class="lead">
        {operators.length === 0
          ? 'Nobody has a token of their own: whoever has the shared one is an operator, and names themselves. The first token made here ends that.'
          : 'Each has a token of their own, which can be taken back. The shared token opens nothing.'}
      </p>
      {operators.length > 0 && (
        <ul class="accounts">
          {operators.map((one) => (
            <Row key={one.name} operator={operator} one={one} last={operators.length === 1} />
          ))}
        </ul>
      )}
      <section class="card">
        <h2>Add an operator</h2>
        <ActionForm viewer={operator} action="/operators">
          {typed !== undefined && (
            <p class="notice bad" role="alert" id="problem">
              {typed.problem}
            </p>
          )}
          <label>
            Name, as the log calls them
            <input
              type="text"
              name="name"
              value={typed?.name}
              maxlength={60}
              autocomplete="off"
              required
              {...(typed && { 'aria-invalid': true, 'aria-describedby': 'problem' })}
            />
          </label>
          <button class="primary" type="submit" name="action" value="add">
            Make a token
          </button>
        </ActionForm>
      </section>
    </Frame>
  )
}

function Row(props: {
  readonly operator: Operator
  readonly one: OperatorCredential
  readonly last: boolean
}): JSX.Element {
  const { operator, one, last } = props
  return (
    <li>
      <p>
        <strong>{one.name}</strong>
      </p>
      <p class="hint">
        Made <Time at={one.created_at} /> by {one.created_by} ·{' '}
        {one.used_at === null ? (
          'not used yet'
        ) : (
          <>
            last used <Time at={one.used_at} />
          </>
        )}
      </p>
      <Sure what="Revoke">
        <p>
          The token of {one.name} opens nothing any more, and where they are signed in they are signed out at once.
          {last && ' It is the only one: the shared token opens again.'}
        </p>
        <ActionForm viewer={operator} action="/operators">
          <input type="hidden" name="name" value={one.name} />
          <button class="danger" type="submit" name="action" value="revoke">
            Revoke the token of {one.name}
          </button>
        </ActionForm>
      </Sure>
    </li>
  )
}

/** A token, shown once. */
export function NewOperatorPage(props: {
  readonly operator: Operator
  readonly temporalUiUrl: string
  readonly name: string
  readonly token: string
}): JSX.Element {
  const { operator, temporalUiUrl, name, token } = props
  return (
    <Frame title="A new operator" operator={operator} temporalUiUrl={temporalUiUrl}>
      <h1>The token of {name}</h1>
      <p class="notice warn">Copy it now: you will not see it again. Whoever has it can do what operators do.</p>
      <pre>
        <code>{token}</code>
      </pre>
      <p>
        {name} signs in with it at <a href="/login">the sign-in</a>, and sets it as <code>CALLGATE_OPERATOR_TOKEN</code>{' '}
        for commands. The shared token opens nothing now, and who was signed in with it is signed out.
      </p>
    </Frame>
  )
}
