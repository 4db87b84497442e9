import type { JSX } from 'preact'
import { Icon } from '../parts/icon.tsx'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { Text } from '../parts/text.tsx'
import { counted } from '../parts/time.tsx'
import { ActionForm, Sure } from '../parts/dashboard.tsx'
import { ReasonField } from '../confirm/reason.tsx'
import type { Reason } from '../confirm/reason.tsx'
import { KeysHelp } from './keys-help.tsx'
import { isTickable, tickOf } from './waiting-call.ts'
import type { WaitingCall } from './waiting-call.ts'
import { Waiting } from './waiting-row.tsx'

interface WaitingProps {
  readonly viewer: Viewer
  readonly calls: readonly WaitingCall[]
  /** Id of the newest waiting call. */
  readonly newest: string
  /** This page starts with the first to expire. */
  readonly isFirst: boolean
  /** Last call shown, if more that expire later are waiting. */
  readonly next: string | undefined
  /** Calls ticked in a form that was incomplete and decided nothing. */
  readonly unclear: readonly string[] | undefined
  /** The reason given in that form. */
  readonly reason: Reason | undefined
  readonly decided: number
  readonly stale: number
  /** Number of calls not approved because they need a passkey. */
  readonly passkey: number
}

export function WaitingPage(props: WaitingProps): JSX.Element {
  const { viewer, calls, newest, isFirst, next, unclear, reason, decided, stale } = props
  return (
    <Layout title="Waiting for you" viewer={viewer} wide script="waiting.js" guard>
      <div class="row">
        <h1>Waiting for you</h1>
        <a href="/standing">Standing approvals</a>
      </div>
      {unclear && reason?.tooLong !== true && (
        <p class="notice bad" role="alert">
          Nothing was decided. Tick at least one call, then choose Approve or Reject.
        </p>
      )}
      {decided > 0 && (
        <p class="notice good" role="status">
          {counted(decided, 'call')} decided. <a href="/calls">See what became of {decided === 1 ? 'it' : 'them'}</a>
        </p>
      )}
      {stale > 0 && (
        <p class="notice warn" role="status">
          {counted(stale, 'call')} could not be decided: already decided elsewhere, or too late.
        </p>
      )}
      {props.passkey > 0 && (
        <p class="notice warn" role="status">
          {counted(props.passkey, 'call')} not approved: that needs your passkey, each on its own page.
        </p>
      )}
      <div role="status" hx-get={`/waiting/news?after=${newest}`} hx-trigger="every 10s" hx-swap="innerHTML" />
      {calls.length === 0 && !isFirst && (
        <p class="empty">
          No more. <a href="/waiting">To the first</a>
        </p>
      )}
      {calls.length === 0 ? (
        isFirst && (
          <p class="empty">
            Nothing is waiting. When an agent asks for something that reaches other people, you will see it here.
          </p>
        )
      ) : (
        <ActionForm viewer={viewer} action="/waiting" label="Decide several" guard>
          <p class="hint">None of this has been sent yet. Open a call, read it, tick it, then decide.</p>
          {(next !== undefined || !isFirst) && (
            <p class="hint">
              {calls.length} of {viewer.waiting}, soonest to expire first.{' '}
              {!isFirst && <a href="/waiting">To the first</a>}
            </p>
          )}
          <div class="card rows">
            {calls.map((call) => (
              <Waiting key={call.row.id} call={call} ticked={unclear ?? []} />
            ))}
          </div>
          {next !== undefined && (
            <p>
              <a href={`/waiting?after=${next}`} rel="next">
                Show those that expire later
              </a>
            </p>
          )}
          {calls.some(isTickable) && <ReasonField reason={reason} isInForm />}
          {calls.some(isTickable) && (
            <div class="decide flat">
              <p class="hint" id="what-is-left" role="status">
                Applies to the ticked calls.
              </p>
              <button class="danger" type="submit" name="decision" value="reject">
                <Icon name="x-mark" />
                Reject
              </button>
              <button class="primary" type="submit" name="decision" value="approve" aria-describedby="what-is-left">
                <Icon name="check" />
                Approve and send
              </button>
            </div>
          )}
        </ActionForm>
      )}
      {calls.length > 0 && <KeysHelp />}
      <RejectAll viewer={viewer} calls={calls} />
    </Layout>
  )
}

/** For a flood of calls: rejects all shown, and points to the keys for revoking one. */
function RejectAll({ viewer, calls }: Pick<WaitingProps, 'viewer' | 'calls'>): JSX.Element | null {
  const ticks = calls.flatMap((call) => tickOf(call) ?? [])
  if (ticks.length < 3) return null
  const askers = [
    ...Map.groupBy(
      calls.filter(({ content }) => content !== undefined),
      ({ asking }) => asking.name,
    ),
  ].toSorted(([, a], [, b]) => b.length - a.length)
  return (
    <Sure what="Too many? Reject everything shown">
      <ActionForm viewer={viewer} action="/waiting" label="Reject all that are shown">
        {ticks.map((tick) => (
          <input key={tick} type="hidden" name="call" value={tick} />
        ))}
        <p>
          {'Asked by '}
          {askers.map(([name, its], index) => (
            <>
              {index > 0 && ', '}
              <strong key={name}>
                <Text value={name} />
              </strong>{' '}
              ({counted(its.length, 'call')})
            </>
          ))}
          . Rejecting sends nothing and costs nothing. A key that asks for too much can be revoked among{' '}
          <a href="/keys">your keys</a>.
        </p>
        <button class="danger" type="submit" name="decision" value="reject">
          Reject {counted(ticks.length, 'call')} now
        </button>
      </ActionForm>
    </Sure>
  )
}

/** New calls since the page was rendered, shown on demand. */
export function NewWaiting({ count }: { readonly count: number }): JSX.Element | null {
  return count === 0 ? null : (
    <p class="notice warn">
      {`${counted(count, 'new call')} ${count === 1 ? 'waits' : 'wait'}. `}
      <a href="/waiting">Show</a>
    </p>
  )
}
