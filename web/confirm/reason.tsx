import type { JSX } from 'preact'
import { Text } from '../parts/text.tsx'
import { PageError } from '../page-error.ts'
import type { Form } from '../form.ts'

/** In characters. */
export const longestReason = 500

/** The user's reason for a decision. `tooLong`: the text is kept, and nothing is decided. */
export interface Reason {
  readonly text: string
  readonly tooLong: boolean
}

export function readReason(form: Form): Reason {
  if (form.all('reason').length > 1)
    throw new PageError(422, 'Nothing was decided', 'The reason was sent twice. Go back and decide again.')
  const text = (form.get('reason') ?? '').replaceAll(/\r\n?/g, '\n').trim()
  return { text, tooLong: Array.from(text).length > longestReason }
}

/** Above the bar with the buttons, which is always visible. */
export function ReasonField({
  reason,
  isInForm = false,
}: {
  readonly reason: Reason | undefined
  /** The field is inside the form that decides. */
  readonly isInForm?: boolean
}): JSX.Element {
  const { text = '', tooLong = false } = reason ?? {}
  return (
    <div class={tooLong ? 'entry wrong' : 'entry'}>
      <label for="reason">
        Reason <span class="hint">optional; your agent can read it</span>
      </label>
      {tooLong && (
        <p class="problem" id="reason.problem" role="alert">
          {`Nothing was decided: this has ${Array.from(text).length} characters, and ${longestReason} fit.`}
        </p>
      )}
      <textarea
        id="reason"
        name="reason"
        form={isInForm ? undefined : 'decide'}
        rows={2}
        {...(tooLong
          ? { 'aria-invalid': 'true' as const, 'aria-describedby': 'reason.problem' }
          : { maxlength: longestReason })}
      >
        {`\n${text}`}
      </textarea>
    </div>
  )
}

/** Quoted: this text comes from the agent, not from Callgate. */
export function AgentSays({ why }: { readonly why: string | undefined }): JSX.Element | null {
  if (why === undefined) return null
  return (
    <p class="says" data-read>
      The agent says:{' '}
      <q>
        <Text value={why} />
      </q>
    </p>
  )
}
