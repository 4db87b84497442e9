import type { JSX } from 'preact'
import type { CallRow } from '../../core/calls/rows.ts'
import type { Bar } from '../../core/keys/access.ts'
import type { ErrorCode } from '../../schemas/errors.ts'
import { statusWords } from './dashboard.tsx'
import { hasMarks } from './text.tsx'
import { Time } from './time.tsx'

/** Calls with the same content. */
export interface EqualCalls {
  readonly waiting: number
  readonly recent: readonly Pick<CallRow, 'id' | 'status' | 'created_at'>[]
}

interface WarningsProps {
  readonly equal: EqualCalls
  readonly input: object | undefined
  /** The endpoint changed since the call was made. */
  readonly changed: boolean
  /** The app's connector failed to load. */
  readonly off: boolean
}

/** Warnings for the approver. */
export function Warnings({ equal, input, changed, off }: WarningsProps): JSX.Element {
  const others = equal.recent.filter((call) => call.status === 'awaiting_confirmation')
  const earlier = equal.recent.filter((call) => call.status !== 'awaiting_confirmation')
  return (
    <>
      {changed && (
        <p class="notice bad" data-read>
          {off
            ? 'Callgate cannot use this app for now; its operators have been told. The call waits: you can reject it, or come back later to approve it.'
            : 'Callgate changed how this action works since the call was made. It can no longer be sent; the agent has to ask again.'}
        </p>
      )}
      {equal.waiting > 0 && !changed && (
        <p class="notice warn" data-read>
          <strong>
            {equal.waiting === 1
              ? 'This call was asked for twice.'
              : `This call was asked for ${equal.waiting + 1} times.`}
          </strong>{' '}
          Each one you approve is carried out: <CallLinks calls={others} />
        </p>
      )}
      {earlier.length > 0 && (
        <p class="notice warn" data-read>
          <strong>
            The same was asked {earlier.length === 1 ? 'once' : `${earlier.length} times`} in the last 24 hours:
          </strong>{' '}
          <CallLinks calls={earlier} />
        </p>
      )}
      {hasMarks(input) && (
        <p class="notice warn" data-read>
          This content has characters that cannot be seen or that look like others. They are marked below.
        </p>
      )}
    </>
  )
}

/** Why a call would not be sent, with the page where the user can fix it. */
export type Obstacle = ErrorCode | Bar

const obstacles: Partial<Record<Obstacle, readonly [words: string, page: string, link: string]>> = {
  api_key_invalid: ['The API key that asked was revoked since, or has expired.', '/keys', 'Your keys'],
  access_not_granted: ['The API key that asked may not use {app} any more.', '/keys', 'Your keys'],
  SCOPE_DENIED: [
    'You do not allow agents to do this in {app} any more.',
    '/apps/{slug}',
    'What agents may do in {app}',
  ],
  key_reads_only: ['The API key that asked may only read by now.', '/keys', 'Your keys'],
  key_endpoints: ['You do not let the API key that asked do this in {app} any more.', '/keys', 'Your keys'],
  AUTH_REQUIRED: ['This account of {app} is not connected any more.', '/connect/{slug}', 'Connect it again'],
}

interface CannotSucceedProps {
  readonly why: Obstacle
  readonly app: string
  readonly appName: string
}

/** Warns the approver that the call would not be sent even if approved. */
export function CannotSucceed({ why, app, appName }: CannotSucceedProps): JSX.Element {
  const named = (text: string): string => text.replace('{app}', () => appName).replace('{slug}', () => app)
  const [words, page, link] = obstacles[why] ?? []
  return (
    <p class="notice bad" data-read>
      {words !== undefined && named(words)} Right now nothing would be sent even if you approve.
      {page !== undefined && link !== undefined && (
        <>
          {' '}
          <a href={named(page)}>{named(link)}</a>
        </>
      )}
    </p>
  )
}

function CallLinks({ calls }: { calls: EqualCalls['recent'] }): JSX.Element {
  return (
    <>
      {calls.map((call, index) => (
        <>
          {index > 0 && ', '}
          <a key={call.id} href={`/confirm/${call.id}`}>
            <Time at={call.created_at} />
          </a>{' '}
          ({statusWords[call.status]})
        </>
      ))}
    </>
  )
}
