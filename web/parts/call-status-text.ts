import type { CallRow } from '../../core/calls/rows.ts'
import type { CallRecord } from '../../core/calls/record.ts'
import type { CallStatus, WaitingFor } from '../../schemas/call.ts'
import { counted } from './time.tsx'

/** A call's status as shown to users. `{app}` is a placeholder for the app's name. */
export interface Words {
  readonly tone: 'good' | 'bad' | 'warn' | 'plain'
  readonly title: string
  readonly text: string
}

/** Text for a call's status. `open`: within the deadline. */
export function wordsOf(row: CallRow, record: CallRecord, app: string, open: boolean): Words {
  const words = pick(row, record, open)
  return { ...words, text: words.text.replaceAll('{app}', () => app) }
}

/** Page title of a call that can no longer be decided. */
export function endedTitle({ status }: Pick<CallRow, 'status'>, action: string): string {
  const words: Readonly<Record<CallStatus, string>> = {
    awaiting_confirmation: 'Too late',
    running: 'In progress',
    executed: 'Done',
    failed: 'Failed',
    unknown: 'Uncertain',
    rejected: 'Rejected',
    expired: 'Expired',
    cancelled: 'Cancelled',
  }
  return `${words[status]}: ${action}`
}

export const decisions: Readonly<Record<NonNullable<CallRow['decision']>, string>> = {
  approved: 'Approved',
  rejected: 'Rejected',
  expired: 'Expired',
  cancelled: 'Cancelled',
}

/** Who decided: the user, an agent that cancelled its own call, the operator, or the system. */
export function byWhom({ decided_by: by, owner }: Pick<CallRow, 'decided_by' | 'owner'>): string {
  if (by === owner) return 'by you'
  if (by?.startsWith('key_') === true) return 'with one of your API keys'
  return by?.startsWith('operator') === true ? 'by the operator' : 'automatically'
}

function pick(row: CallRow, record: CallRecord, open: boolean): Words {
  if (record.status === 'awaiting_confirmation') return open ? waiting : tooLate
  if (record.status === 'running') {
    const words = running[record.waiting_for ?? (row.send === 'sending' ? 'sending' : 'starting')]
    return row.decision === 'approved' ? { ...words, text: `Approved. ${words.text}` } : words
  }
  if (record.status === 'executed')
    return { ...final.executed, text: `{app} confirmed it. It used ${counted(record.credits_used, 'credit')}.` }
  return final[record.status]
}

const waiting: Words = {
  tone: 'warn',
  title: 'Waiting for you',
  text: 'Nothing has been sent yet. It is sent only if you approve it.',
}

const tooLate: Words = {
  tone: 'plain',
  title: 'Too late to decide',
  text: 'Nothing was sent, and nothing will be.',
}

const running: Readonly<Record<WaitingFor | 'sending' | 'starting', Words>> = {
  starting: { tone: 'plain', title: 'On its way', text: 'It is about to be sent.' },
  sending: { tone: 'plain', title: 'On its way', text: 'It is being sent to {app} right now.' },
  pacing: {
    tone: 'plain',
    title: 'Waiting for its turn',
    text: 'It will be sent in a moment. Callgate keeps to the pace that {app} allows.',
  },
  blocked: {
    tone: 'warn',
    title: 'The app is refusing access',
    text: '{app} did nothing yet. Callgate tries again automatically.',
  },
  reconnect: {
    tone: 'warn',
    title: 'Your sign-in is needed',
    text: 'Nothing was done yet: {app} wants you to sign in again first. You do not have to approve it again.',
  },
  engine: {
    tone: 'plain',
    title: 'Waiting for Callgate',
    text: 'Nothing was sent yet. A part of Callgate is being restarted; the call continues automatically.',
  },
  operator: {
    tone: 'plain',
    title: 'Paused',
    text: 'Nothing was sent yet: the operator has paused this in {app} for a while. The call continues automatically.',
  },
}

const final: Readonly<Record<Exclude<CallStatus, 'awaiting_confirmation' | 'running'>, Words>> = {
  executed: { tone: 'good', title: 'Done', text: '{app} confirmed it.' },
  failed: { tone: 'bad', title: 'It failed', text: 'Nothing was changed in {app}, and no credits were used.' },
  unknown: {
    tone: 'warn',
    title: 'It may or may not have happened',
    text: 'It was sent to {app}, but the answer was lost or could not be understood. Callgate will not send it again on its own. Check in the app before you ask for it again. No credits were used.',
  },
  rejected: { tone: 'plain', title: 'Rejected', text: 'Nothing was sent, and no credits were used.' },
  expired: {
    tone: 'plain',
    title: 'Expired',
    text: 'Nobody decided in time. Nothing was sent, and no credits were used. If you still want it, have your agent ask again.',
  },
  cancelled: {
    tone: 'plain',
    title: 'Cancelled',
    text: 'It was taken back before it was sent. No credits were used.',
  },
}

/** Failure texts for the call's owner: the errors' own texts are written for agents. */
export const failures: Partial<Record<string, string>> = {
  AUTH_REQUIRED: 'No account of the app was connected.',
  AUTH_EXPIRED: 'The app had signed you out.',
  CAPTCHA_REQUIRED: 'The app asked for a check that only you can pass.',
  MFA_REQUIRED: 'The app asked for a second factor that only you have.',
  insufficient_credits: 'There were not enough credits left.',
  api_key_invalid: 'The API key that asked was revoked, or had expired.',
  access_not_granted: 'The API key that asked may not use this app.',
  SCOPE_DENIED: 'You do not allow agents to do this.',
  definition_changed: 'This action has changed in Callgate since the call was made. Your agent has to ask again.',
  changed_since: 'It kept changing in the app after you had approved it.',
  TARGET_BLOCKED: 'The app refused access for too long.',
  app_error: 'The app itself failed.',
  app_rejected: 'The app refused it.',
  app_timeout: 'The app did not answer in time.',
  app_changed: 'The app gave an answer that Callgate does not understand.',
}
