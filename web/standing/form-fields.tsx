import type { JSX } from 'preact'
import type { StandingField } from '../../core/approvals/standing-fields.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import { fieldOf } from './summary.tsx'

/** Form values as typed. */
export interface TypedStanding {
  readonly account: string
  /** A key's id, or `all`. */
  readonly key: string
  readonly perDay: string
  readonly field: string
  readonly values: string
  readonly until: string
  readonly unbounded: boolean
}

export type StandingProblems = Partial<Record<keyof TypedStanding | 'form', string>>

interface ValuesProps {
  readonly endpoint: Endpoint
  readonly fields: readonly StandingField[]
  readonly typed: TypedStanding
  readonly problems: StandingProblems
}

/** Restricts an approval rule to listed values of one input field. */
export function OnlyValues({ endpoint, fields, typed, problems }: ValuesProps): JSX.Element {
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

/** ARIA attributes of a field with an error. */
export function marks(of: keyof TypedStanding, problems: StandingProblems) {
  return problems[of] === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': `problem-${of}` }
}

export function Problem({
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
