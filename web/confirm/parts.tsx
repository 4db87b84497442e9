import type { JSX } from 'preact'
import type { FormLine } from '../../connectors/runtime/forms/filled-form.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import type { CallRecord } from '../../core/calls/record.ts'
import type { App, Endpoint } from '../../connectors/registry.ts'
import type { CallFile } from '../../connectors/runtime/file-inputs.ts'
import type { Rendered } from '../../connectors/runtime/rendered.ts'
import { isFinal } from '../../schemas/call.ts'
import type { EqualCalls, Obstacle } from '../parts/call-warnings.tsx'
import type { Asking } from '../queries.ts'
import type { Sentence } from '../parts/sentence.ts'
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
  /** The agent's words about why it asks. */
  readonly why: string | undefined
  /** Undefined once it has been deleted, or when it cannot be opened. */
  readonly input: Readonly<Record<string, unknown>> | undefined
  /** What the agent asked for, where the person changed it. */
  readonly original: Readonly<Record<string, unknown>> | undefined
  /** Of an app that an operator added: what its connector made of the input; null: nothing yet. */
  readonly request: Rendered | null | undefined
  /** As they were fetched. */
  readonly files: readonly CallFile[]
  /** What the person may change of it; undefined: nothing, or it is too long for a form. */
  readonly change: ChangeView | undefined
  /** What they wrote about a decision that was not taken. */
  readonly reason: Reason | undefined
  /** How long the content is kept. */
  readonly retentionDays: number
  /** What its ids stand for. */
  readonly things: KnownThings
  /** What the person looked up from here, and why they could not. */
  readonly looked: LookedUp | undefined
  readonly lookProblem: string | undefined
  /** What happens if it is approved. */
  readonly sentence: Sentence
  /** The call that is decided after this one. */
  readonly next: string | undefined
  /** Ids that stand for what nobody knows. */
  readonly riddles: readonly Riddle[]
  readonly equal: EqualCalls
  /** The standing approvals of this action and account, none of which covered the call. */
  readonly standing: readonly Uncovered[]
  /** Why it would not be sent, even if it were approved now. */
  readonly obstacle: Obstacle | undefined
  /** Something of it cannot be opened, and is left out. */
  readonly locked: boolean
  /** Time is left to decide, but what it says cannot be shown, so nobody can. */
  readonly shut: boolean
  /** Time is left to decide. */
  readonly open: boolean
  /** The approval hash while the call can be approved or changed. */
  readonly hash: string | undefined
  /** The form that is sent whole, field by field. */
  readonly form: readonly FormLine[]
  /** What the app told of its things. */
  readonly told: ToldView
  /** It waits for a sign-in to the app, as Callgate has none any more that it could use. */
  readonly sessionIsLost: boolean
  /** What has changed in the app since the person approved it; undefined: they were not asked before. */
  readonly again: AskedAgainView | undefined
  /** The app has no such action any more. */
  readonly changed: boolean
  /** Its app is off for now. */
  readonly off: boolean
  /** Of the passkey that approving it needs; undefined: it needs none. */
  readonly passkey: WantedPasskey | undefined
  /** Why nothing was decided: no passkey signed, or not just this decision. */
  readonly passkeyProblem: 'missing' | 'failed' | undefined
  /** A decision came too late, or was about something else than what is shown now. */
  readonly stale: boolean
}

/** Instead of a decision about what cannot be shown. */
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

/** Until when, and for how much. `swap`: it takes the place of the one on an open page. */
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
        <dt>{isFinal(row.status) ? 'Cost' : 'Cost'}</dt>
        <dd>
          {isFinal(row.status) ? (
            counted(row.credits_used, 'credit')
          ) : (
            <>
              {counted(row.credits, 'credit')} <span class="hint">if it is carried out; otherwise nothing</span>
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
