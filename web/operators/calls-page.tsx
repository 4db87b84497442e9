import type { JSX } from 'preact'
import type { OperatorCall } from '../../core/operators/rows.ts'
import type { App } from '../../connectors/registry.ts'
import { callStatuses } from '../../schemas/call.ts'
import type { CallStatus } from '../../schemas/call.ts'
import { Choice } from '../parts/choice.tsx'
import { CallName } from '../parts/dashboard.tsx'
import { Text } from '../parts/text.tsx'
import { Time } from '../parts/time.tsx'
import { Frame } from './frame.tsx'
import type { Operator } from '../../core/http/operator-session.ts'

interface CallsProps {
  readonly operator: Operator
  readonly rows: readonly OperatorCall[]
  readonly filter: Readonly<Record<'call_id' | 'owner' | 'app' | 'status' | 'waiting_for' | 'look', string | undefined>>
  readonly apps: readonly App[]
  /** Id of the last call shown, if there are older ones. */
  readonly next: string | undefined
  readonly temporalUiUrl: string
}

const looks = [
  ['stuck', 'stuck: running for ten minutes, no known reason'],
  ['unresolved', 'unknown, and nobody has looked into it'],
] as const
const waits = ['operator', 'blocked', 'rate_limited', 'reconnect']
const named = (names: readonly string[]) => names.map((name) => [name, name] as const)

export function OperatorCallsPage(props: CallsProps): JSX.Element {
  const { operator, rows, filter, apps, next, temporalUiUrl } = props
  const older = new URLSearchParams(
    Object.entries({ ...filter, before: next }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )
  const field = (name: 'call_id' | 'owner', label: string) => (
    <label>
      {label}
      <input type="text" name={name} value={filter[name] ?? ''} autocomplete="off" />
    </label>
  )
  return (
    <Frame title="Calls" operator={operator} temporalUiUrl={temporalUiUrl} wide>
      <h1>Calls</h1>
      <form class="row filter" method="get" action="/calls" aria-label="Filter">
        {field('call_id', 'Call id')}
        {field('owner', 'Owner (id or email)')}
        <Choice name="app" label="App" chosen={filter.app} options={named(apps.map(({ slug }) => slug))} none="any" />
        <Choice name="status" label="Status" chosen={filter.status} options={named(callStatuses)} none="any" />
        <Choice name="waiting_for" label="Waits for" chosen={filter.waiting_for} options={named(waits)} none="any" />
        <Choice name="look" label="Needs a look" chosen={filter.look} options={looks} none="any" />
        <button class="quiet" type="submit">
          Show
        </button>
      </form>
      {rows.length === 0 ? (
        <p class="empty">No such call.</p>
      ) : (
        <ul class="accounts">
          {rows.map((row) => (
            <Row key={row.call_id} row={row} />
          ))}
        </ul>
      )}
      {next !== undefined && (
        <p>
          <a href={`/calls?${older.toString()}`}>Older calls</a>
        </p>
      )}
    </Frame>
  )
}

function Row({ row }: { readonly row: OperatorCall }): JSX.Element {
  return (
    <li>
      <div class="row">
        <a href={`/calls/${row.call_id}`}>
          <CallName {...row} />
        </a>
        <span class="tags">
          {row.waiting_for !== null && <span class="tag warn">waits: {row.waiting_for}</span>}
          <StatusTag status={row.status} />
        </span>
      </div>
      <p class="hint">
        <Time at={row.created_at} /> · <Text value={row.email} />
        {row.error_code !== null && (
          <>
            {' · '}
            <code>{row.error_code}</code>
          </>
        )}
        {' · '}
        <code>{row.call_id}</code>
      </p>
    </li>
  )
}

export function StatusTag({ status }: { readonly status: CallStatus }): JSX.Element {
  const tone = status === 'executed' ? 'good' : status === 'failed' ? 'bad' : status === 'unknown' ? 'warn' : ''
  return <span class={`tag ${tone}`}>{status === 'awaiting_confirmation' ? 'waits for approval' : status}</span>
}
