import type { JSX } from 'preact'
import type { CallRow } from '../../core/calls/rows.ts'
import type { CallRecord } from '../../core/calls/record.ts'
import { CallFiles } from '../parts/call-files.tsx'
import { CallStatus } from '../parts/call-status.tsx'
import { CannotSucceed, Warnings } from '../parts/call-warnings.tsx'
import { LookUp } from './look-up-parts.tsx'
import { CannotBeApproved, Content, Facts } from './parts.tsx'
import type { ConfirmProps } from './parts.tsx'
import { CallActions } from '../calls/call-parts.tsx'
import { LiveStatus } from '../live/events-parts.tsx'
import { FormLines } from '../parts/form-lines.tsx'
import { Icon } from '../parts/icon.tsx'
import { Layout } from '../parts/layout.tsx'
import { Locked } from '../parts/locked.tsx'
import { actionOf } from '../parts/declared.ts'
import { endedTitle } from '../parts/call-status-text.ts'
import { counted } from '../parts/time.tsx'
import { ChangeForms } from './change-forms.tsx'
import { Changes } from './changes.tsx'
import { AskedAgain } from './asked-again.tsx'
import { Asker } from './asker.tsx'
import { NeedsPasskey, PasskeyWanted } from './passkey-parts.tsx'
import { Preparing } from './preparing.tsx'
import { ReasonField } from './reason.tsx'
import { FullRequest } from './request.tsx'
import { Consequences, SentenceLine } from './sentence.tsx'
import { Unresolved } from './unresolved.tsx'
import { ToldThings } from '../parts/told-things.tsx'
import { connectPath } from '../parts/told-view.ts'

/** The full request and the two buttons; after the decision, the outcome. */
export function ConfirmPage(props: ConfirmProps): JSX.Element {
  const { viewer, row, record, appName, endpoint, input, open, shut, hash } = props
  const action = actionOf(endpoint, row.endpoint)
  const approvable = hash !== undefined && !props.changed && (props.passkey ?? 'ready') === 'ready'
  return (
    <Layout
      title={open ? `Approve? ${action}` : endedTitle(row, action)}
      viewer={viewer}
      wide
      refresh={refreshOf(row, record)}
      script={props.passkey === 'ready' ? ['waiting.js', 'passkey.js'] : 'waiting.js'}
      guard={open}
    >
      {props.stale && <Stale row={row} open={open || shut} />}
      {open && props.passkeyProblem && <NeedsPasskey why={props.passkeyProblem} />}
      <article class="card">
        <p class="eyebrow" id="asks">
          {open ? 'Waiting for your approval' : 'A call'} · {appName}
        </p>
        <h1 class="sentence" data-read>
          <SentenceLine sentence={props.headline.sentence} />
        </h1>
        <Consequences {...props.headline} />
        {open && props.again && <AskedAgain appName={appName} again={props.again} />}
        <LiveStatus row={row} record={record}>
          {shut ? <CannotBeApproved viewer={viewer} row={row} /> : !open && <Status {...props} />}
        </LiveStatus>
        {open || shut ? <div id="actions" /> : <CallActions viewer={viewer} row={row} app={props.app} />}
        {!open && !shut && <Next {...props} />}
        <div class="beside">
          <Asker {...props} />
          <Facts row={row} open={open} />
        </div>
        {open && (
          <div id="before" class="pile">
            <Unresolved riddles={props.riddles} appName={appName} />
            <Warnings equal={props.equal} input={input} changed={props.changed} off={props.off} />
            {props.obstacle !== undefined && <CannotSucceed why={props.obstacle} app={row.app} appName={appName} />}
            <Preparing {...props} />
          </div>
        )}
        {open && input !== undefined && !props.told.isLookingUp && <LookUp {...props} input={input} />}
        <Told {...props} />
        <section aria-labelledby="content">
          <h2 id="content">{open ? 'What will be sent' : 'What was asked for'}</h2>
          {props.locked && <Locked />}
          {input === undefined ? (
            !props.locked && (
              <p class="empty">The content was deleted: it is kept for {counted(props.retentionDays, 'day')}.</p>
            )
          ) : (
            <>
              <Content input={input} endpoint={endpoint} things={props.things} />
              <CallFiles row={row} files={props.files} />
              <FormLines lines={props.form} appName={appName} />
              {props.request !== undefined && <FullRequest {...props.request} />}
            </>
          )}
        </section>
        {open && <NotInAdvance standing={props.standing} />}
        <Changes original={props.original} input={input} schema={endpoint?.inputSchema} things={props.things} />
        {endpoint && <p class="hint">{endpoint.summary}</p>}
        {open && <Next {...props} />}
        {open && props.passkey && <PasskeyWanted passkey={props.passkey} />}
        {open && <Own {...props} change={approvable ? props.change : undefined} />}
        {open && <Decide {...props} approvable={approvable} />}
      </article>
    </Layout>
  )
}

function Status({ row, record, appName, endpoint, open }: ConfirmProps): JSX.Element {
  const schema = endpoint?.outputSchema
  return <CallStatus row={row} record={record} appName={appName} open={open} outputSchema={schema} />
}

/** Link to the next waiting call, to skip the list. */
function Next({ viewer, open, next }: ConfirmProps): JSX.Element | null {
  const others = viewer.waiting - (open ? 1 : 0)
  if (next === undefined || others < 1) return null
  const words = `${counted(others, 'more call')} ${others === 1 ? 'waits' : 'wait'} for you`
  return (
    <p class="row buttons">
      <a href="/waiting">{words}</a>
      <a class={open ? undefined : 'button'} href={`/confirm/${next}`} rel="next">
        {open ? 'Skip to the next' : 'Decide the next'}
      </a>
    </p>
  )
}

function Stale({ row, open }: { row: CallRow; open: boolean }): JSX.Element {
  return (
    <div class="notice bad" role="alert">
      <h2>{open ? 'Nothing was decided' : 'This call was already decided'}</h2>
      <p>
        {open
          ? 'The page had changed since you opened it. Read it again, then decide.'
          : row.decision === null
            ? 'Your decision came too late. This is what happened:'
            : 'The first decision counts; yours changed nothing. This is what happened:'}
      </p>
    </div>
  )
}

/** Above the request: the approver sees first what it affects, and for how much. */
function Told({ told, appName, row }: ConfirmProps): JSX.Element | null {
  if (told.things.length === 0 && told.omitted === 0) return null
  return (
    <section aria-labelledby="about">
      <h2 id="about">What it is about</h2>
      <ToldThings {...told} appName={appName} connectUrl={connectPath(row)} at={row.previewed_at} />
    </section>
  )
}

/** Why the user's approval rules did not cover this call. */
function NotInAdvance({ standing }: Pick<ConfirmProps, 'standing'>): JSX.Element | null {
  if (standing.length === 0) return null
  return (
    <div class="notice">
      {standing.map(({ id, why }) => (
        <p key={id} data-read>
          Not covered by your <a href={`/standing/${id}`}>standing approval</a>: {why}
        </p>
      ))}
    </div>
  )
}

/** What the user adds to a decision: edits, or a reason. */
function Own({ viewer, row, hash, endpoint, change, reason }: ConfirmProps): JSX.Element {
  return (
    <div id="own" class="pile">
      {change && hash !== undefined && (
        <ChangeForms viewer={viewer} callId={row.id} hash={hash} change={change} schema={endpoint?.inputSchema} />
      )}
      <ReasonField reason={reason} />
    </div>
  )
}

function Decide(props: ConfirmProps & { readonly approvable: boolean }): JSX.Element {
  const { viewer, row, hash, approvable, riddles } = props
  const withPasskey = approvable && props.passkey === 'ready'
  return (
    <form
      class={riddles.length > 0 ? 'decide unsure' : 'decide'}
      id="decide"
      method="post"
      action={`/confirm/${row.id}`}
      aria-label="Decide"
      data-guard
      {...(withPasskey && { 'data-passkey': 'approve', 'data-options': `/confirm/${row.id}/passkey` })}
    >
      <input type="hidden" name="csrf" value={viewer.csrf} />
      {withPasskey && <input type="hidden" name="credential" />}
      {hash !== undefined && <input type="hidden" name="approval_hash" value={hash} />}
      <p class="hint" id="what-is-left" role="status">
        Nothing has been sent yet.
      </p>
      {withPasskey && <p class="problem" role="alert" data-problem hidden />}
      <button class="danger" type="submit" name="decision" value="reject">
        <Icon name="x-mark" />
        Reject
      </button>
      {approvable && (
        <button class="primary" type="submit" name="decision" value="approve" aria-describedby="what-is-left">
          <Icon name={withPasskey ? 'key' : 'check'} />
          {withPasskey ? `${props.headline.button} with a passkey` : props.headline.button}
        </button>
      )}
    </form>
  )
}

function refreshOf(row: CallRow, record: CallRecord): number | undefined {
  if (record.status === 'awaiting_confirmation' && row.request === null && record.waiting_for === undefined) return 2
  if (record.status !== 'running') return undefined
  return record.waiting_for === 'reconnect' || record.waiting_for === 'blocked' || record.waiting_for === 'operator'
    ? 15
    : 2
}
