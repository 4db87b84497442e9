import type { JSX } from 'preact'

/** What was typed into a form's email field, and what is wrong with it. */
export interface EmailProblem {
  readonly typed: string
  readonly text: string
}

/** A field for an address, with what is wrong with it below. `autocomplete`: `off` where it is somebody else's. */
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
