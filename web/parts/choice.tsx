import type { JSX } from 'preact'

/** A labelled select. `none`: label of the empty option; without it there is none. */
export function Choice(props: {
  readonly name: string
  readonly label: string
  readonly chosen: string | undefined
  /** Submitted value and displayed text. */
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
