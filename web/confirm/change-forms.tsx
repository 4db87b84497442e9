import type { JSX } from 'preact'
import { labelOf, moneyOf } from '../parts/declared.ts'
import { ActionForm } from '../parts/dashboard.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { amountOf } from '../parts/money.ts'
import { schemaAt } from '../parts/schema.ts'
import { FieldEntry } from '../play/fields.tsx'
import type { ChangeView } from './change.ts'
import type { ChangeField } from './change-fields.ts'
import type { Detail, JsonSchema } from '../../connectors/registry.ts'

interface ChangeProps {
  readonly viewer: Viewer
  readonly callId: string
  readonly hash: string
  readonly change: ChangeView
  readonly schema: JsonSchema | undefined
}

/** Edit before approving. Approve is hidden while it is open: it would not send the edits. */
export function ChangeForms(props: ChangeProps): JSX.Element {
  const { details, sent } = props.change
  return (
    <details class="change" id="change" open={sent !== undefined}>
      <summary>Change it first…</summary>
      {details.length > 0 && (
        <div class="notice bad" role="alert">
          <h3>Nothing was changed</h3>
          <ul class="plainlist">
            {details.map(({ path, message }) => (
              <li key={path}>
                {path} {message}
              </li>
            ))}
          </ul>
        </div>
      )}
      <p class="hint">
        This approves and sends nothing: you see the changed call next, and decide then. Fold this again to decide about
        the call as it is.
      </p>
      <ByFields {...props} />
      <details open={sent === 'json'}>
        <summary>As JSON</summary>
        <ByJson {...props} />
      </details>
    </details>
  )
}

function ByFields(props: ChangeProps): JSX.Element | null {
  const { fields, typed, details, sent } = props.change
  if (fields.length === 0) return null
  const problemsOf = ({ name }: ChangeField): readonly Detail[] =>
    sent === 'fields' ? details.filter(({ path }) => path === name || path.startsWith(`${name}.`)) : []
  return (
    <Form {...props} label="Change the fields">
      <input type="hidden" name="by" value="fields" />
      {fields.map((field) => (
        <div key={field.name}>
          <Around field={field} schema={props.schema} />
          <FieldEntry field={field} texts={typed.get(field.name) ?? []} problems={problemsOf(field)} />
          <Amount field={field} />
        </div>
      ))}
    </Form>
  )
}

function ByJson(props: ChangeProps): JSX.Element {
  const { json, details, sent } = props.change
  return (
    <Form {...props} label="Change the JSON">
      <label for="change-json">What will be sent, as JSON</label>
      <textarea
        class="mono"
        id="change-json"
        name="input"
        rows={Math.min(20, json.split('\n').length + 1)}
        spellcheck={false}
        {...(sent === 'json' && details.length > 0 && { 'aria-invalid': 'true' as const })}
      >
        {`\n${json}`}
      </textarea>
    </Form>
  )
}

function Form(props: ChangeProps & { readonly label: string; readonly children: ActionFormChildren }): JSX.Element {
  const { viewer, callId, hash, label, children } = props
  return (
    <ActionForm viewer={viewer} action={`/confirm/${callId}`} label={label}>
      <input type="hidden" name="approval_hash" value={hash} />
      {children}
      <div class="row buttons">
        <button type="submit" name="decision" value="change">
          Save the change
        </button>
      </div>
    </ActionForm>
  )
}

type ActionFormChildren = Parameters<typeof ActionForm>[0]['children']

/** The path of the objects and lists that contain a nested field. */
function Around({
  field: { place },
  schema,
}: {
  readonly field: ChangeField
  readonly schema: JsonSchema | undefined
}) {
  const names = place.slice(0, -1)
  return names.length === 0 ? null : <p class="hint">{trail(schema, names)}</p>
}

/** A path as a label: `Line items 1 · Price`. */
export function trail(schema: JsonSchema | undefined, place: readonly (string | number)[]): string {
  const words: string[] = []
  const path: string[] = []
  for (const step of place) {
    if (typeof step === 'number') words.push(`${words.pop() ?? ''} ${step + 1}`.trim())
    else {
      path.push(step)
      words.push(labelOf(schemaAt(schema, path.join('.'))) ?? step)
    }
  }
  return words.join(' · ')
}

function Amount({ field: { schema, beside, place } }: { readonly field: ChangeField }): JSX.Element | null {
  const money = moneyOf(schema)
  const amount = money && amountOf(beside[String(place.at(-1))], money, beside)
  return amount?.converted === true ? <p class="hint">It says {amount.words} now.</p> : null
}
