import type { CallRecord } from '../../core/calls/record.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import type { WaitingFor } from '../../schemas/call.ts'
import { messageOfStatus } from '../../core/http/answers.ts'
import { messageInTools } from './results.ts'

/** A call's record with what to do next; the page's URL only while a decision is pending. */
export function withMessage(record: CallRecord, endpoint: Endpoint | undefined): CallRecord & { message: string } {
  const { confirm_url, ...rest } = record
  const page = record.status === 'awaiting_confirmation' && confirm_url !== undefined && { confirm_url }
  return { ...rest, ...page, message: messageOf(record, endpoint) }
}

function messageOf(record: CallRecord, endpoint: Endpoint | undefined): string {
  const { status, waiting_for: waitingFor, asked_again: askedAgain = 0 } = record
  switch (status) {
    case 'awaiting_confirmation':
      return joined(messageInTools(status, askedAgain), waitingFor === 'reconnect' && signInToo)
    case 'running':
      return joined(waitingFor && whileRunning[waitingFor], messageInTools(status, 0))
    case 'executed':
      return record.output === undefined
        ? 'The call was executed; its output is not kept any more.'
        : 'The call was executed; output is what the app answered.'
    case 'failed':
      return 'The call failed; error says why and what to do. No credits were used.'
    case 'unknown':
      return record.resolution === undefined
        ? joined(messageOfStatus(status), readThat(endpoint))
        : `It was not known whether this happened. Somebody looked since: it ${record.resolution.happened ? 'happened, so do not do it again' : 'did not happen'}.`
    case 'rejected':
      return joined(
        messageOfStatus(status),
        'Read decision.reason, if there is one, before you ask for the same again.',
      )
    case 'expired':
    case 'cancelled':
      return messageOfStatus(status)
  }
}

const signInToo = 'The app has also ended the sign-in: the person must sign in at connect_url, too.'

const whileRunning: Readonly<Record<WaitingFor, string>> = {
  pacing: 'It waits for its turn, as the app takes only so many requests a second.',
  blocked: 'The app refuses access for now; it is tried again at retry_at.',
  reconnect:
    'It was approved and waits for the person to sign in to the app at connect_url; then it goes on by itself.',
  engine: 'Callgate waits for a part of its own that is away; then it goes on by itself.',
  operator: 'An operator has paused the app; then it goes on by itself.',
}

/** Which read shows whether an unknown write happened. */
function readThat(endpoint: Endpoint | undefined): string {
  const [read] = endpoint?.shownBy ?? []
  if (endpoint === undefined || read === undefined) return ''
  const same = Object.entries(read.from ?? {}).map(([to, from]) => (to === from ? to : `${to} = its ${from}`))
  const inputs = same.length === 0 ? '' : ` with the call's ${same.join(', ')}`
  return `${endpoint.app}.${read.read}${inputs} shows whether it happened.`
}

function joined(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter((part) => typeof part === 'string' && part !== '').join(' ')
}
