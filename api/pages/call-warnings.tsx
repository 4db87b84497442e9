import type { JSX } from 'preact'
import type { CallRow } from '../../activities/db/calls.ts'
import type { ErrorCode } from '../../schemas/errors.ts'
import { statusWords } from './dashboard/parts.tsx'
import { hasMarks } from './text.tsx'
import { Time } from './time.tsx'

/** Calls of the same content. */
export interface EqualCalls {
  readonly waiting: number
  readonly recent: readonly Pick<CallRow, 'id' | 'status' | 'created_at'>[]
}

interface WarningsProps {
  readonly equal: EqualCalls
  readonly input: object | undefined
  /** The endpoint is not what it was when the call was made. */
  readonly changed: boolean
}

/** What a person should know before they approve. */
export function Warnings({ equal, input, changed }: WarningsProps): JSX.Element {
  const others = equal.recent.filter((call) => call.status === 'awaiting_confirmation')
  const earlier = equal.recent.filter((call) => call.status !== 'awaiting_confirmation')
  return (
    <>
      {changed && (
        <p class="notice bad">
          Callgate changed how this action works since the call was made. It can no longer be sent; the agent has to ask
          anew.
        </p>
      )}
      {equal.waiting > 0 && (
        <div class="notice warn">
          <p>
            <strong>
              {equal.waiting === 1 ? 'There are two of this call.' : `There are ${equal.waiting + 1} of this call.`}
            </strong>{' '}
            The same content waits {equal.waiting === 1 ? 'once more' : `${equal.waiting} times more`}. If you approve
            each, it is done each time.
          </p>
          <CallList calls={others} />
        </div>
      )}
      {earlier.length > 0 && (
        <div class="notice warn">
          <p>
            <strong>
              The same was asked {earlier.length === 1 ? 'once' : `${earlier.length} times`} in the last 24 hours:
            </strong>
          </p>
          <CallList calls={earlier} />
        </div>
      )}
      {hasMarks(input) && (
        <p class="notice warn">
          This content has characters that cannot be seen or that look like others. They are marked below.
        </p>
      )}
    </>
  )
}

const vain: Partial<Record<ErrorCode, string>> = {
  api_key_invalid: 'The API key that asked was revoked since, or has expired.',
  access_not_granted: 'The API key that asked may not use {app} any more.',
  SCOPE_DENIED: 'You do not allow agents to do this in {app} any more.',
  AUTH_REQUIRED: 'This account of {app} is not connected any more.',
}

/** What the person should know who is about to approve what would not be sent. */
export function InVain({ why, appName }: { readonly why: ErrorCode; readonly appName: string }): JSX.Element {
  return (
    <p class="notice bad">
      {vain[why]?.replace('{app}', () => appName)} As things stand, nothing is sent even if you approve.
    </p>
  )
}

function CallList({ calls }: { calls: EqualCalls['recent'] }): JSX.Element {
  return (
    <ul class="plainlist">
      {calls.map((call) => (
        <li key={call.id}>
          <a href={`/confirm/${call.id}`}>
            <Time at={call.created_at} />
          </a>{' '}
          {statusWords[call.status]}
        </li>
      ))}
    </ul>
  )
}
