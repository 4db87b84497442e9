import type { JSX } from 'preact'
import type { CallRow } from '../../activities/db/calls.ts'
import type { CallRecord } from '../../activities/record.ts'
import type { App, Endpoint } from '../../connectors/registry.ts'
import { isFinal } from '../../schemas/call.ts'
import type { ErrorCode } from '../../schemas/errors.ts'
import { CallStatus } from './call-status.tsx'
import { InVain, Warnings } from './call-warnings.tsx'
import type { EqualCalls } from './call-warnings.tsx'
import { CallActions } from './dashboard/call-parts.tsx'
import type { Uncovered } from './dashboard/standing-view.ts'
import { LiveStatus } from './events-parts.tsx'
import { Layout } from './layout.tsx'
import type { Viewer } from './layout.tsx'
import { Text } from './text.tsx'
import { counted, inWords, Time } from './time.tsx'
import { Fields, isLong, labelOf } from './value.tsx'

interface ConfirmProps {
  readonly viewer: Viewer
  readonly row: CallRow
  readonly record: CallRecord
  readonly app: App | undefined
  readonly appName: string
  /** Undefined when the app no longer has it. */
  readonly endpoint: Endpoint | undefined
  /** The name of the key that asks. */
  readonly keyName: string
  /** Undefined once it has been deleted. */
  readonly input: Readonly<Record<string, unknown>> | undefined
  readonly equal: EqualCalls
  /** The standing approvals of this action and account, none of which covered the call. */
  readonly standing: readonly Uncovered[]
  /** Why it would not be sent, even if it were approved now. */
  readonly vain: ErrorCode | undefined
  /** The approval hash while the call can be decided. */
  readonly hash: string | undefined
  /** The endpoint is not what it was when the call was made. */
  readonly changed: boolean
  /** A decision came too late, or was about something else than what is shown now. */
  readonly stale: boolean
}

/** What would be sent, in full, and the two buttons; afterwards, how it ended. */
export function ConfirmPage(props: ConfirmProps): JSX.Element {
  const { viewer, row, record, appName, endpoint, input, hash } = props
  const action = endpoint?.summary ?? labelOf(row.endpoint)
  const open = hash !== undefined
  return (
    <Layout title={`${open ? 'Approve?' : 'Call'} ${action}`} viewer={viewer} refresh={refreshOf(record)}>
      {props.stale && <Stale row={row} open={open} />}
      <article class="card">
        <p class="eyebrow" id="asks">
          {open ? 'Waits for your approval' : 'A call'} · {appName}
        </p>
        <h1>{action}</h1>
        <LiveStatus row={row} record={record}>
          {!open && <Status {...props} />}
        </LiveStatus>
        {open ? <div id="actions" /> : <CallActions viewer={viewer} row={row} app={props.app} />}
        <Facts {...props} />
        {open && <Warnings equal={props.equal} input={input} changed={props.changed} />}
        {open && props.vain !== undefined && <InVain why={props.vain} appName={appName} />}
        {open && <NotInAdvance standing={props.standing} />}
        <section aria-labelledby="content">
          <h2 id="content">{open ? 'What will be sent' : 'What it says'}</h2>
          {input === undefined ? (
            <p class="empty">The content has been deleted; it is kept for 30 days.</p>
          ) : (
            <Content input={input} endpoint={endpoint} />
          )}
        </section>
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

function Facts({ row, appName, keyName, hash }: ConfirmProps): JSX.Element {
  return (
    <dl class="facts">
      <div>
        <dt>Asked by</dt>
        <dd>
          API key{' '}
          <strong>
            <Text value={keyName} />
          </strong>
        </dd>
      </div>
      <div>
        <dt>Account</dt>
        <dd>
          <strong>
            <Text value={row.account_label} />
          </strong>{' '}
          of {appName}
        </dd>
      </div>
      <div>
        <dt>Asked</dt>
        <dd>
          <Time at={row.created_at} />
        </dd>
      </div>
      {hash !== undefined && row.expires_at !== null && (
        <div>
          <dt>Open until</dt>
          <dd>
            <Time at={row.expires_at} />{' '}
            <span class="hint">({inWords(row.expires_at.getTime() - Date.now())} left)</span>
          </dd>
        </div>
      )}
      <div>
        <dt>Costs</dt>
        <dd>
          {isFinal(row.status) ? (
            counted(row.credits_used, 'credit')
          ) : (
            <>
              {counted(row.credits, 'credit')} <span class="hint">when done; nothing otherwise</span>
            </>
          )}
        </dd>
      </div>
    </dl>
  )
}

/** Why the person is asked although they approved something like it in advance. */
function NotInAdvance({ standing }: Pick<ConfirmProps, 'standing'>): JSX.Element | null {
  if (standing.length === 0) return null
  return (
    <div class="notice">
      {standing.map(({ id, why }) => (
        <p key={id}>
          Not covered by your <a href={`/standing/${id}`}>standing approval</a>: {why}
        </p>
      ))}
    </div>
  )
}

function Content({ input, endpoint }: { input: object; endpoint: Endpoint | undefined }): JSX.Element {
  return (
    <>
      <Fields value={input} schema={endpoint?.inputSchema} />
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
    <form class="decide" id="decide" method="post" action={`/confirm/${row.id}`} aria-label="Decide">
      <input type="hidden" name="csrf" value={viewer.csrf} />
      <input type="hidden" name="approval_hash" value={hash} />
      <p class="hint">Nothing has been sent yet.</p>
      <button class="danger" type="submit" name="decision" value="reject">
        Reject
      </button>
      {!changed && (
        <button class="primary" type="submit" name="decision" value="approve">
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
