import type { ComponentChildren, JSX } from 'preact'
import type { OperatorCall } from '../../core/operators/rows.ts'
import type { LedgerLine } from '../../core/credits/statement.ts'
import { isFinal } from '../../schemas/call.ts'
import { moved } from '../calls/timeline.tsx'
import { ActionForm, FlashMessage } from '../parts/dashboard.tsx'
import { Text } from '../parts/text.tsx'
import { counted, Time } from '../parts/time.tsx'
import { StatusTag } from './calls-page.tsx'
import { Frame } from './frame.tsx'
import { Detail } from './log-page.tsx'
import type { Done } from './log-page.tsx'
import type { Operator } from '../../core/http/operator-session.ts'

interface CallProps {
  readonly operator: Operator
  readonly call: OperatorCall
  /** Audit entries of users and operators. */
  readonly done: readonly Done[]
  readonly credits: readonly LedgerLine[]
  readonly why: string | null
  readonly runUrl: string
  /** The reason typed for a refund or cancellation, if it was rejected. */
  readonly reason: string | undefined
  readonly said: string | null
  readonly temporalUiUrl: string
}

const messages: Readonly<Record<string, string>> = {
  recorded: 'Recorded. The status stays.',
  'too-late': 'Nothing was done: it did not end unknown, or what happened was recorded before.',
  cancelled: 'Cancelled. Nothing was sent; its owner sees that, and the reason.',
  'not-cancellable': 'Nothing was done: its sending has begun, or it has ended.',
  refunded: 'Refunded. Its owner sees that, and the reason.',
  'nothing-to-refund': 'Nothing was done: it used nothing, or was refunded before.',
}

/** A call without its content. */
export function OperatorCallPage(props: CallProps): JSX.Element {
  const { operator, call, why, runUrl, temporalUiUrl } = props
  return (
    <Frame title={`${call.app}.${call.endpoint}`} operator={operator} temporalUiUrl={temporalUiUrl}>
      <p class="eyebrow">
        <a href="/calls">Calls</a> · <code>{call.call_id}</code>
      </p>
      <h1>
        <a href={`/apps/${call.app}`}>{call.app}</a>.<wbr />
        {call.endpoint}
      </h1>
      <FlashMessage what={props.said} words={messages} />
      <article class="card">
        {why !== null && (
          <p class="notice" role="status">
            {why}
          </p>
        )}
        <dl class="facts">
          {facts(call).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <p>
          <a href={runUrl}>Its run in the Temporal UI</a>{' '}
          <span class="hint">kept until the engine's retention is over</span>
        </p>
        <Resolve {...props} />
        <Cancel {...props} />
        <Refund {...props} />
        <h2>What happened when</h2>
        <ol class="timeline">{story(props)}</ol>
      </article>
    </Frame>
  )
}

function facts(call: OperatorCall): readonly (readonly [string, ComponentChildren])[] {
  return [
    ['Status', <StatusTag status={call.status} />],
    ...(call.waiting_for === null ? [] : [['Waits for', call.waiting_for] as const]),
    ['Owner', <a href={`/calls?owner=${encodeURIComponent(call.owner)}`}>{call.email}</a>],
    [
      'Account',
      <>
        <Text value={call.account_label} /> <code class="hint">{call.account}</code>
      </>,
    ],
    ['Access', call.access],
    ['Attempt', isFinal(call.status) ? call.attempt + 1 : `${call.attempt + 1}, ${call.send}`],
    ['Credits', `${call.credits_used} used`],
    ...(call.error_code === null ? [] : [['Error', <code>{call.error_code}</code>] as const]),
    ...(call.changed_rule === null ? [] : [['Not understood', <Text value={call.changed_rule} />] as const]),
  ]
}

function Resolve({ operator, call }: CallProps): JSX.Element | null {
  if (call.status !== 'unknown' || call.resolution !== null) return null
  return (
    <ActionForm viewer={operator} action={`/calls/${call.call_id}`} class="row buttons" label="Did it happen?">
      <p>Did it happen in the app? Your answer is recorded once; nothing is sent because of it.</p>
      <button class="quiet" name="action" value="happened">
        Yes, it happened
      </button>
      <button class="quiet" name="action" value="did-not-happen">
        No, it did not
      </button>
    </ActionForm>
  )
}

function Cancel({ operator, call, reason }: CallProps): JSX.Element | null {
  if (isFinal(call.status) || call.send !== 'ready') return null
  return (
    <ActionForm viewer={operator} action={`/calls/${call.call_id}`} class="row" label="Cancel">
      <Reason reason={reason}>Why end it? Nothing was sent so far, and nothing will be. Its owner reads this.</Reason>
      <button class="quiet" name="action" value="cancel">
        Cancel this call
      </button>
    </ActionForm>
  )
}

function Refund({ operator, call, credits, reason }: CallProps): JSX.Element | null {
  if (call.credits_used === 0 || credits.some(({ kind }) => kind === 'refund')) return null
  return (
    <ActionForm viewer={operator} action={`/calls/${call.call_id}`} class="row" label="Refund">
      <Reason reason={reason}>Why refund {counted(call.credits_used, 'credit')}? Its owner reads this.</Reason>
      <button class="quiet" name="action" value="refund">
        Refund
      </button>
    </ActionForm>
  )
}

/** `reason`: as typed, if it was rejected. */
function Reason({ reason, children }: { reason: string | undefined; children: ComponentChildren }): JSX.Element {
  return (
    <label>
      {children}
      <input
        type="text"
        name="reason"
        value={reason ?? ''}
        minlength={3}
        maxlength={500}
        required
        aria-invalid={reason !== undefined}
        aria-describedby={reason === undefined ? undefined : 'reason-problem'}
      />
      {reason !== undefined && (
        <span class="problem" id="reason-problem">
          A reason has 3 to 500 characters.
        </span>
      )}
    </label>
  )
}

function story({ call, done, credits }: CallProps): JSX.Element[] {
  const steps: { readonly at: Date; readonly text: ComponentChildren }[] = [
    { at: call.created_at, text: 'Accepted' },
    ...credits.map(({ at, kind, amount }) => ({
      at: at < call.created_at ? call.created_at : at,
      text: `${counted(amount, 'credit')} ${moved[kind]}`,
    })),
    ...done.map(({ at, actor, action, detail }) => ({
      at,
      text: (
        <>
          {action} by {actor}
          <Detail detail={detail} />
        </>
      ),
    })),
  ]
  if (call.decision !== null && call.decided_at !== null)
    steps.push({ at: call.decided_at, text: `Decided: ${call.decision}` })
  if (isFinal(call.status) && call.resolution === null)
    steps.push({ at: call.updated_at, text: `Ended: ${call.status}` })
  return steps
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .map(({ at, text }, index) => (
      <li key={index}>
        <span class="hint">
          <Time at={at} />
        </span>{' '}
        {text}
      </li>
    ))
}
