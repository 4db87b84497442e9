import type { JSX } from 'preact'

/** Rejected email address and its error. */
export interface EmailProblem {
  readonly typed: string
  readonly text: string
}

/** Email field with its error. `autocomplete`: `off` for another user's address. */
export function EmailField(props: {
  readonly label: string
  readonly problem: EmailProblem | undefined
  readonly autocomplete: 'email' | 'off'
}): JSX.Element {
  const { label, problem, autocomplete } = props
  return (
    <>
      <label>
        {label}
        <input
          type="email"
          name="email"
          required
          maxLength={254}
          value={problem?.typed}
          autocomplete={autocomplete}
          aria-invalid={problem && 'true'}
          aria-describedby={problem && 'problem'}
        />
      </label>
      {problem && (
        <p class="problem" role="alert" id="problem">
          {problem.text}
        </p>
      )}
    </>
  )
}
