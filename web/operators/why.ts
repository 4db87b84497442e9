import type { OperatorCall } from '../../core/operators/rows.ts'
import type { QueueState } from '../../core/temporal/queue-states.ts'
import { counted, inWords } from '../parts/time.tsx'

/** What is known besides the call's row. */
interface Around {
  readonly engineUp: boolean
  /** The app's connector failed to load. */
  readonly broken: boolean
  /** Temporal has a run of the call. */
  readonly known: boolean
  /** Queue of its app; undefined if Temporal is unavailable. */
  readonly queue: QueueState | undefined
}

/** Why an open call waits and what helps, in a sentence or two; null once it is final. */
export function whyItWaits(call: OperatorCall, around: Around): string | null {
  if (call.status === 'awaiting_confirmation')
    return `Nobody has decided yet. Its owner may until ${at(call.expires_at)}; then it expires.`
  if (call.status !== 'running') return null
  if (around.broken && call.send === 'ready')
    return `${call.app} is off, because its connector is broken: its page says why. It goes on when that is mended and the processes are restarted.`
  if (call.paused === 'app') return `An operator has paused ${call.app}. It goes on when the app is resumed.`
  if (call.paused === 'endpoint')
    return `An operator has paused ${call.app}.${call.endpoint}. It goes on when the endpoint is resumed.`
  switch (call.waiting_for ?? '') {
    case 'blocked':
      return `The app refused access and did nothing. It is tried again at ${at(call.retry_at)}, or when the block is lifted.`
    case 'rate_limited':
      return `The app said that it is asked too often. It is tried again at ${at(call.retry_at)}.`
    case 'reconnect':
      return 'The app wants the person to sign in again; they have 72 hours.'
    default:
      return call.send === 'sending'
        ? `Its request went out at ${at(call.updated_at)}, and what came of it is not known yet.`
        : whyNotSent(call, around)
  }
}

function whyNotSent(call: OperatorCall, { engineUp, known, queue }: Around): string {
  if (!engineUp) return 'The engine is away. It goes on by itself when the engine is back.'
  if (!known) return 'The engine has not heard of it yet. It is brought there within seconds.'
  if (queue === undefined) return 'It is on its way, and the engine does not say how its queue stands.'
  if (queue.workers === 0)
    return 'No worker asks for what is to be sent to this app. It goes on when a worker process is alive.'
  const since = (call.decided_at ?? call.created_at).getTime()
  return (
    `It has waited for its turn for ${inWords(Date.now() - since)}: ${counted(queue.waiting, 'send')} in the app's queue, which goes at the app's pace. ` +
    'If that does not explain it, see that the worker processes answer, and what they log.'
  )
}

function at(moment: Date | null): string {
  return moment === null ? 'a time not known' : `${moment.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
