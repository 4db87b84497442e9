import type { CallFile } from '../../connectors/runtime/file-inputs.ts'
import type { FormLine } from '../../connectors/runtime/forms/filled-form.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import type { AskedAgainView } from '../confirm/asked-again.tsx'
import type { Riddle } from '../confirm/unresolved.tsx'
import type { EqualCalls } from '../parts/call-warnings.tsx'
import type { Sentence } from '../parts/sentence.ts'
import type { Asking } from '../queries.ts'
import type { KnownThings } from '../parts/things.ts'
import type { ToldView } from '../parts/told-view.ts'
import { isLong } from '../parts/value.tsx'

export interface WaitingCall {
  readonly row: CallRow
  readonly asking: Asking
  readonly equal: EqualCalls
  readonly appName: string
  readonly endpoint: Endpoint | undefined
  /** What would be sent, and the hash of what is approved; undefined when it cannot be opened, so that nobody can decide. */
  readonly content: { readonly input: Readonly<Record<string, unknown>>; readonly hash: string } | undefined
  /** What its ids stand for. */
  readonly things: KnownThings
  /** What happens if it is approved. */
  readonly sentence: Sentence
  /** Ids that stand for what nobody knows. */
  readonly riddles: readonly Riddle[]
  /** As they were fetched. */
  readonly files: readonly CallFile[]
  /** The form that is sent whole, field by field. */
  readonly form: readonly FormLine[]
  /** What the app told of its things. */
  readonly told: ToldView
  /** What has changed in the app since the person approved it; undefined: they were not asked before. */
  readonly again: AskedAgainView | undefined
  /** The agent's words about why it asks. */
  readonly why: string | undefined
  /** The app has no such action any more, so the call can only be rejected. */
  readonly changed: boolean
  /** Its app is off for now. */
  readonly off: boolean
  /** An operator added its app: the request that its connector makes is to be read, too, and only the call's own page has it. */
  readonly isOfAdded: boolean
  /** Approving it needs a passkey, which signs one decision. */
  readonly needsPasskey: boolean
}

type OnlyThere = 'illegible' | 'passkey' | 'added' | 'long'

/** Why a call is not shown in the list, and only decided on its own page; undefined: it is. */
export function onlyOnItsPage({ content, isOfAdded, needsPasskey }: WaitingCall): OnlyThere | undefined {
  if (content === undefined) return 'illegible'
  if (needsPasskey) return 'passkey'
  if (isOfAdded) return 'added'
  return isLong(content.input) ? 'long' : undefined
}

/** What is gone, or not rendered yet, can only be rejected, and what is not shown in the list only be decided where it is read. */
export function isTickable(call: WaitingCall): boolean {
  return !call.changed && call.row.request !== null && onlyOnItsPage(call) === undefined
}

/** What a form says of a call: which, and what of it was shown. */
export function tickOf({ row, content }: WaitingCall): string | undefined {
  return content && `${row.id} ${content.hash}`
}
