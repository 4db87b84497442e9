import type { JSX } from 'preact'

/** A labelled select box. `none` is what it says when nothing is chosen; without it, something always is. */
export function Choice(props: {
  readonly name: string
  readonly label: string
  readonly chosen: string | undefined
  /** What is sent, and what is shown. */
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly none?: string
}): JSX.Element {
  const { name, label, chosen, options, none } = props
  return (
    <label>
      {label}
      <select name={name}>
        {none !== undefined && <option value="">{none}</option>}
        {options.map(([value, text]) => (
          <option key={value} value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
