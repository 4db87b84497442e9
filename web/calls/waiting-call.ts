import type { CallFile } from '../../connectors/runtime/file-inputs.ts'
import type { FormLine } from '../../connectors/runtime/forms/filled-form.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import type { AskedAgainView } from '../confirm/asked-again.tsx'
import type { Riddle } from '../confirm/unresolved.tsx'
import type { EqualCalls } from '../parts/call-warnings.tsx'
import type { Headline } from '../parts/headline.ts'
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
  /** Input and approval hash; undefined if not decryptable, so that the call cannot be decided. */
  readonly content: { readonly input: Readonly<Record<string, unknown>>; readonly hash: string } | undefined
  /** Known entities. */
  readonly things: KnownThings
  /** The action as a sentence. */
  readonly headline: Headline
  /** Ids of unknown entities. */
  readonly riddles: readonly Riddle[]
  /** The files as fetched. */
  readonly files: readonly CallFile[]
  /** The form to be sent, field by field. */
  readonly form: readonly FormLine[]
  /** The preview. */
  readonly told: ToldView
  /** What changed in the app since an earlier approval; undefined: first approval request. */
  readonly again: AskedAgainView | undefined
  /** The agent's reason for the call. */
  readonly why: string | undefined
  /** The app no longer has this action, so the call can only be rejected. */
  readonly changed: boolean
  /** The app's connector failed to load. */
  readonly off: boolean
  /** Added app: the approver must also read the request, which only the call's page shows. */
  readonly isOfAdded: boolean
  /** Approval needs a passkey, which signs a single decision. */
  readonly needsPasskey: boolean
}

type OnlyThere = 'illegible' | 'passkey' | 'added' | 'long'

/** Why a call can only be decided on its own page; undefined: also in the list. */
export function onlyOnItsPage({ content, isOfAdded, needsPasskey }: WaitingCall): OnlyThere | undefined {
  if (content === undefined) return 'illegible'
  if (needsPasskey) return 'passkey'
  if (isOfAdded) return 'added'
  return isLong(content.input) ? 'long' : undefined
}

/** Whether it can be ticked: the action exists, the request is rendered, and the list shows it. */
export function isTickable(call: WaitingCall): boolean {
  return !call.changed && call.row.request !== null && onlyOnItsPage(call) === undefined
}

/** Form value of a call: its id and the hash of what was shown. */
export function tickOf({ row, content }: WaitingCall): string | undefined {
  return content && `${row.id} ${content.hash}`
}
