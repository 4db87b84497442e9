import type { JSX } from 'preact'
import type { FormLine } from '../../connectors/runtime/forms/filled-form.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import type { CallRecord } from '../../core/calls/record.ts'
import type { App, Endpoint } from '../../connectors/registry.ts'
import type { CallFile } from '../../connectors/runtime/file-inputs.ts'
import { isFinal } from '../../schemas/call.ts'
import type { EqualCalls, Obstacle } from '../parts/call-warnings.tsx'
import type { Asking } from '../queries.ts'
import type { Headline } from '../parts/headline.ts'
import { ActionForm } from '../parts/dashboard.tsx'
import type { Uncovered } from '../standing/view.ts'
import type { Viewer } from '../parts/layout.tsx'
import { Text } from '../parts/text.tsx'
import { Known } from '../parts/things.ts'
import type { KnownThings } from '../parts/things.ts'
import { counted, Left, Time } from '../parts/time.tsx'
import type { ToldView } from '../parts/told-view.ts'
import type { AskedAgainView } from './asked-again.tsx'
import type { ChangeView } from './change.ts'
import type { LookedUp } from './look-up.ts'
import type { WantedPasskey } from './passkey.ts'
import type { ShownRequest } from './request.tsx'
import type { Reason } from './reason.tsx'
import type { Riddle } from './unresolved.tsx'
import { Fields, isLong } from '../parts/value.tsx'

export interface ConfirmProps {
  readonly viewer: Viewer
  readonly row: CallRow
  readonly record: CallRecord
  readonly app: App | undefined
  readonly appName: string
  /** Undefined when the app no longer has it. */
  readonly endpoint: Endpoint | undefined
  readonly asking: Asking
  /** The agent's reason for the call. */
  readonly why: string | undefined
  /** Undefined once it has been deleted, or when it cannot be opened. */
  readonly input: Readonly<Record<string, unknown>> | undefined
  /** The agent's input, where the user edited it. */
  readonly original: Readonly<Record<string, unknown>> | undefined
  /** The request to be sent, as far as it is known. */
  readonly request: ShownRequest | undefined
  /** The files as fetched. */
  readonly files: readonly CallFile[]
  /** The edit form; undefined: nothing can be edited, or the input is too large for a form. */
  readonly change: ChangeView | undefined
  /** The user's reason, kept when the decision was not taken. */
  readonly reason: Reason | undefined
  /** Retention of the call's content, in days. */
  readonly retentionDays: number
  /** Entities known for its ids. */
  readonly things: KnownThings
  /** A read that the approver ran from here, or why it was refused. */
  readonly looked: LookedUp | undefined
  readonly lookProblem: string | undefined
  /** What it does, what follows, and the label of the button. */
  readonly headline: Headline
  /** Id of the next call to decide. */
  readonly next: string | undefined
  /** Ids of unknown entities. */
  readonly riddles: readonly Riddle[]
  readonly equal: EqualCalls
  /** Approval rules for this action and account; none of them covered the call. */
  readonly standing: readonly Uncovered[]
  /** Why it would not be sent even if approved now. */
  readonly obstacle: Obstacle | undefined
  /** Part of the call cannot be decrypted and is omitted. */
  readonly locked: boolean
  /** Within the deadline, but the content cannot be shown, so the call cannot be approved. */
  readonly shut: boolean
  /** Within the deadline. */
  readonly open: boolean
  /** The approval hash while the call can be approved or changed. */
  readonly hash: string | undefined
  /** The form to be sent, field by field. */
  readonly form: readonly FormLine[]
  /** The preview: what the app says about the call's entities. */
  readonly told: ToldView
  /** Waits for a reconnect: Callgate has no usable session with the app. */
  readonly sessionIsLost: boolean
  /** What changed in the app since an earlier approval; undefined: first approval request. */
  readonly again: AskedAgainView | undefined
  /** The app no longer has this action. */
  readonly changed: boolean
  /** The app's connector failed to load. */
  readonly off: boolean
  /** State of the passkey that approval requires; undefined: none required. */
  readonly passkey: WantedPasskey | undefined
  /** Why nothing was decided: no passkey signature, or one that is not for this decision. */
  readonly passkeyProblem: 'missing' | 'failed' | undefined
  /** The decision came too late, or was about another version than the one shown now. */
  readonly stale: boolean
}

/** Replaces the decision form when the content cannot be shown. */
export function CannotBeApproved({ viewer, row }: Pick<ConfirmProps, 'viewer' | 'row'>): JSX.Element {
  return (
    <section class="notice bad" role="status">
      <h2>It cannot be approved</h2>
      <p>
        Callgate cannot open what would be sent, so it can neither be shown nor sent. Take the call back; if you still
        want it, have your agent ask again.
      </p>
      <ActionForm viewer={viewer} action={`/calls/${row.id}`} class="row buttons" label="Take back">
        <button class="quiet" type="submit" name="action" value="cancel">
          Take it back
        </button>
      </ActionForm>
    </section>
  )
}

/** Deadline and cost. `swap`: replaces the list on an open page (htmx). */
export function Facts(props: { readonly row: CallRow; readonly open: boolean; readonly swap?: boolean }): JSX.Element {
  const { row, open, swap } = props
  return (
    <dl class="facts" id="facts" {...(swap === true && { 'hx-swap-oob': 'outerHTML' })}>
      {open && row.expires_at !== null && (
        <div>
          <dt>Decide by</dt>
          <dd>
            <Time at={row.expires_at} /> <Left until={row.expires_at} />
          </dd>
        </div>
      )}
      <div>
        <dt>Cost</dt>
        <dd>
          {isFinal(row.status) ? (
            counted(row.credits_used, 'credit')
          ) : (
            <>
              {counted(row.credits, 'credit')} <span class="hint">if it is done</span>
            </>
          )}
        </dd>
      </div>
    </dl>
  )
}

export function Content(props: { input: object; endpoint: Endpoint | undefined; things: KnownThings }): JSX.Element {
  const { input, endpoint, things } = props
  return (
    <>
      <div data-read>
        <Known.Provider value={things}>
          <Fields value={input} schema={endpoint?.inputSchema} />
        </Known.Provider>
      </div>
      {isLong(input) || (
        <details>
          <summary>The same as JSON</summary>
          <pre>
            <Text value={JSON.stringify(input, null, 2)} />
          </pre>
        </details>
      )}
    </>
  )
}
