import type { JSX } from 'preact'
import type { CallRow } from '../../core/calls/rows.ts'
import type { CallRecord } from '../../core/calls/record.ts'
import { CallStatus } from '../parts/call-status.tsx'
import { CannotSucceed, Warnings } from '../parts/call-warnings.tsx'
import { Asker, CannotBeApproved, Content, Facts, LookUp } from './parts.tsx'
import type { ConfirmProps } from './parts.tsx'
import { CallActions } from '../calls/call-parts.tsx'
import { LiveStatus } from '../live/events-parts.tsx'
import { Layout } from '../parts/layout.tsx'
import { Locked } from '../parts/locked.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { actionOf } from '../parts/declared.ts'
import { counted } from '../parts/time.tsx'

/** What would be sent, in full, and the two buttons; afterwards, how it ended. */
export function ConfirmPage(props: ConfirmProps): JSX.Element {
  const { viewer, row, record, appName, endpoint, input, hash, shut } = props
  const action = actionOf(endpoint, row.endpoint)
  const open = hash !== undefined
  return (
    <Layout title={`${open ? 'Approve?' : 'Call'} ${action}`} viewer={viewer} refresh={refreshOf(record)} guard={open}>
      {props.stale && <Stale row={row} open={open || shut} />}
      <article class="card">
        <p class="eyebrow" id="asks">
          {open ? 'Waits for your approval' : 'A call'} · {appName}
        </p>
        <h1 data-read>{action}</h1>
        {endpoint && <p>{endpoint.summary}</p>}
        <LiveStatus row={row} record={record}>
          {shut ? <CannotBeApproved viewer={viewer} row={row} /> : !open && <Status {...props} />}
        </LiveStatus>
        {open || shut ? <div id="actions" /> : <CallActions viewer={viewer} row={row} app={props.app} />}
        <Asker {...props} />
        {open && <Warnings equal={props.equal} input={input} changed={props.changed} off={props.off} />}
        {open && props.obstacle !== undefined && <CannotSucceed why={props.obstacle} app={row.app} appName={appName} />}
        {open && <NotInAdvance standing={props.standing} />}
        <section aria-labelledby="content">
          <h2 id="content">{open ? 'What will be sent' : 'What it says'}</h2>
          {props.locked && <Locked />}
          {input === undefined ? (
            !props.locked && (
              <p class="empty">The content has been deleted; it is kept for {counted(props.retentionDays, 'day')}.</p>
            )
          ) : (
            <>
              <Content input={input} endpoint={endpoint} things={props.things} />
              {open && <LookUp {...props} input={input} />}
            </>
          )}
        </section>
        <Facts {...props} />
        {!open && !shut && viewer.waiting > 0 && (
          <p>
            <a href="/waiting">
              {counted(viewer.waiting, 'more call')} {viewer.waiting === 1 ? 'waits' : 'wait'} for you
            </a>
          </p>
        )}
        {open && <Decide viewer={viewer} row={row} hash={hash} changed={props.changed} />}
      </article>
    </Layout>
  )
}

function Status({ row, record, appName, endpoint, hash }: ConfirmProps): JSX.Element {
  const schema = endpoint?.outputSchema
  return <CallStatus row={row} record={record} appName={appName} open={hash !== undefined} outputSchema={schema} />
}

function Stale({ row, open }: { row: CallRow; open: boolean }): JSX.Element {
  return (
    <div class="notice bad" role="alert">
      <h2>{open ? 'Nothing was decided' : 'This call was already decided'}</h2>
      <p>
        {open
          ? 'The form was incomplete, or not about what is shown here now. Please read the page again, then decide.'
          : row.decision === null
            ? 'Your decision came too late. This is how it stands:'
            : 'The first decision counts; yours changed nothing. This is how it stands:'}
      </p>
    </div>
  )
}

/** Why the person is asked although they approved something like it in advance. */
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

function Decide({
  viewer,
  row,
  hash,
  changed,
}: {
  viewer: Viewer
  row: CallRow
  hash: string
  changed: boolean
}): JSX.Element {
  return (
    <form class="decide" id="decide" method="post" action={`/confirm/${row.id}`} aria-label="Decide" data-guard>
      <input type="hidden" name="csrf" value={viewer.csrf} />
      <input type="hidden" name="approval_hash" value={hash} />
      <p class="hint" id="what-is-left" role="status">
        Nothing has been sent yet.
      </p>
      <button class="danger" type="submit" name="decision" value="reject">
        Reject
      </button>
      {!changed && (
        <button class="primary" type="submit" name="decision" value="approve" aria-describedby="what-is-left">
          Approve and send
        </button>
      )}
    </form>
  )
}

function refreshOf(record: CallRecord): number | undefined {
  if (record.status !== 'running') return undefined
  return record.waiting_for === 'reconnect' || record.waiting_for === 'blocked' || record.waiting_for === 'operator'
    ? 15
    : 2
}
