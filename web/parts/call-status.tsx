import type { JSX } from 'preact'
import { decodeTime } from 'ulid'
import type { CallRow } from '../../core/calls/rows.ts'
import type { CallRecord } from '../../core/calls/record.ts'
import { isStanding } from '../../core/approvals/standing.ts'
import type { JsonSchema } from '../../connectors/registry.ts'
import { byWhom, decisions, failures, wordsOf } from './call-status-text.ts'
import { dayOf, newStandingPath } from '../standing/summary.tsx'
import { Text } from './text.tsx'
import { Time } from './time.tsx'
import { Fields, IsSent } from './value.tsx'

interface StatusProps {
  readonly row: CallRow
  readonly record: CallRecord
  readonly appName: string
  /** Within the deadline. */
  readonly open: boolean
  readonly outputSchema: JsonSchema | undefined
}

/** The call's status and result. */
export function CallStatus({ row, record, appName, open, outputSchema }: StatusProps): JSX.Element {
  const { tone, title, text } = wordsOf(row, record, appName, open)
  return (
    <section class={`notice ${tone}`} role="status">
      <h2>{title}</h2>
      <p>{text}</p>
      {record.retry_at !== undefined && (
        <p>
          Next try: <Time at={new Date(record.retry_at)} /> · <a href={`/apps/${row.app}`}>Try again sooner</a>
        </p>
      )}
      {record.waiting_for === 'reconnect' && (
        <p>
          <a href={`/connect/${encodeURIComponent(row.app)}?account=${encodeURIComponent(row.account)}`}>
            Sign in to {appName} again
          </a>
        </p>
      )}
      <Reason record={record} />
      <Help row={row} appName={appName} />
      {row.decision !== null && row.decided_at !== null && (
        <Decided row={row} decision={row.decision} at={row.decided_at} />
      )}
      {record.decision?.reason !== undefined && (
        <p>
          {'Your reason: '}
          <q>
            <Text value={record.decision.reason} />
          </q>
        </p>
      )}
      {row.resolution && (
        <p>
          Recorded later: it {row.resolution.happened ? 'did happen' : 'did not happen'} (
          <Time at={new Date(row.resolution.at)} />
          ).
        </p>
      )}
      {isObject(record.output) && (
        <div class="result">
          <h3>Answer of the app</h3>
          <IsSent.Provider value={false}>
            <Fields value={record.output} schema={outputSchema} />
          </IsSent.Provider>
        </div>
      )}
    </section>
  )
}

/** Why it failed: the app's message if there is one, otherwise ours. */
function Reason({ record }: { record: CallRecord }): JSX.Element | null {
  const { error } = record
  if (error === undefined) return null
  const appMessage = error['app_message']
  return (
    <p>
      {typeof appMessage === 'string' ? (
        <>
          {'The app says: '}
          <q>
            <Text value={appMessage} />
          </q>
        </>
      ) : (
        <Text value={failures[error.error] ?? error.message} />
      )}{' '}
      <code>{error.error}</code>
    </p>
  )
}

/** Link to where the user can fix the cause of a failure. */
function Help({ row, appName }: { readonly row: CallRow; readonly appName: string }): JSX.Element | null {
  if (row.status !== 'failed') return null
  const [page, words] = helpOf(row, appName) ?? []
  return page === undefined ? null : (
    <p>
      <a href={page}>{words}</a>, then have your agent ask again.
    </p>
  )
}

function helpOf({ error_code: code, app, account }: CallRow, appName: string): readonly [string, string] | undefined {
  switch (code) {
    case 'AUTH_REQUIRED':
      return [`/connect/${app}`, `Connect your account of ${appName}`]
    case 'AUTH_EXPIRED':
    case 'CAPTCHA_REQUIRED':
    case 'MFA_REQUIRED':
      return [`/connect/${app}?account=${account}`, `Sign in to ${appName} again`]
    case 'insufficient_credits':
      return ['/credits', 'Look at your credits']
    case 'access_not_granted':
    case 'api_key_invalid':
      return ['/keys', 'Look at your keys']
    case 'SCOPE_DENIED':
      return [`/apps/${app}`, `Look at what agents may do in ${appName}`]
    case null:
    default:
      return undefined
  }
}

/** Statuses after which an approval rule for similar calls is offered. */
const wentWell: ReadonlySet<CallRow['status']> = new Set(['running', 'executed'])

function Decided(props: { row: CallRow; decision: NonNullable<CallRow['decision']>; at: Date }): JSX.Element {
  const { row, decision, at } = props
  if (isStanding(row.decided_by)) return <InAdvance id={row.decided_by} at={at} />
  return (
    <p class="hint">
      {decisions[decision]}
      {decision !== 'expired' && ` ${byWhom(row)}`}
      {', '}
      <Time at={at} />
      {decision === 'approved' && row.decided_by === row.owner && wentWell.has(row.status) && (
        <>
          {' · '}
          <a href={newStandingPath({ app: row.app, endpoint: row.endpoint, account: row.account, key: row.key_id })}>
            Approve such calls from now on…
          </a>
        </>
      )}
    </p>
  )
}

/** The id of an approval rule (a ULID) contains its creation time. */
function InAdvance({ id, at }: { readonly id: string; readonly at: Date }): JSX.Element {
  const made = new Date(decodeTime(id.slice(id.indexOf('_') + 1)))
  return (
    <p class="hint">
      Approved by your <a href={`/standing/${id}`}>standing approval of {dayOf(made)}</a>, <Time at={at} />
    </p>
  )
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
