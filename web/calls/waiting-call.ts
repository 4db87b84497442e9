import type { CallFile } from '../../connectors/runtime/file-inputs.ts'
import type { FormLine } from '../../connectors/runtime/forms/filled-form.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import type { AskedAgainView } from '../confirm/asked-again.tsx'
import type { EqualCalls } from '../parts/call-warnings.tsx'
import type { KnownThings } from '../parts/things.ts'
import type { ToldView } from '../parts/told-view.ts'
import { isLong } from '../parts/value.tsx'

export interface WaitingCall {
  readonly row: CallRow
  /** The name of the key that asks. */
  readonly keyName: string
  readonly equal: EqualCalls
  readonly appName: string
  readonly endpoint: Endpoint | undefined
  /** What would be sent, and the hash of what is approved; undefined when it cannot be opened, so that nobody can decide. */
  readonly content: { readonly input: Readonly<Record<string, unknown>>; readonly hash: string } | undefined
  /** What its ids stand for. */
  readonly things: KnownThings
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
}

/** What is gone, or not rendered yet, can only be rejected, and what is too long for a list only be decided where it is read. */
export function isTickable({ changed, content, row }: WaitingCall): boolean {
  return !changed && row.request !== null && content !== undefined && !isLong(content.input)
}

/** What a form says of a call: which, and what of it was shown. */
export function tickOf({ row, content }: WaitingCall): string | undefined {
  return content && `${row.id} ${content.hash}`
}
