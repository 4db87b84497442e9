import type { JSX } from 'preact'
import type { AppState } from '../../core/operators/rows.ts'
import type { Chore, LateChore } from '../../core/sweep/chores.ts'
import type { QueueState } from '../../core/temporal/queue-states.ts'
import type { BrokenApp } from '../../connectors/runtime/load.ts'
import type { App } from '../../connectors/registry.ts'
import { counted, inWords } from '../parts/time.tsx'
import { BrokenNotice } from './broken-app.tsx'
import { Frame } from './frame.tsx'
import type { Operator } from '../../core/http/operator-session.ts'
import { Table } from './table.tsx'
import type { Column } from './table.tsx'

interface OverviewProps {
  readonly operator: Operator
  readonly apps: readonly App[]
  readonly broken: readonly BrokenApp[]
  readonly states: readonly AppState[]
  readonly queues: ReadonlyMap<string, QueueState>
  readonly stuck: number
  readonly late: readonly LateChore[]
  readonly engineUp: boolean
  readonly temporalUiUrl: string
  /** The gateway proxies the Temporal UI and checks access to it. */
  readonly guardsUi: boolean
}

interface Row {
  readonly app: App
  readonly state: AppState
  readonly queue: QueueState | undefined
}

export function OverviewPage(props: OverviewProps): JSX.Element {
  const { operator, apps, states, queues, temporalUiUrl, guardsUi } = props
  const outdated = apps.filter(({ added }) => added?.isOutdated)
  const rows = apps.flatMap((app): Row[] => {
    const state = states.find((one) => one.app === app.slug)
    return state === undefined ? [] : [{ app, state, queue: queues.get(app.slug) }]
  })
  return (
    <Frame title="Overview" operator={operator} temporalUiUrl={temporalUiUrl} wide>
      <h1>Overview</h1>
      {props.broken.map((app) => (
        <BrokenNotice key={app.slug} app={app} />
      ))}
      {outdated.length > 0 && (
        <p class="notice">
          {outdated.map(({ slug }) => slug).join(', ')}: bundled by an older release of Callgate. Run{' '}
          <code>callgate connector update</code> with the folder or package of each.
        </p>
      )}
      <Health {...props} />
      <section class="card" aria-labelledby="apps">
        <h2 id="apps">{counted(apps.length, 'app')}</h2>
        <Table label="Apps" columns={columns} rows={rows} />
        <p class="hint">
          Rates are sends per second, of the whole app and of each account. The queue is what the engine holds back for
          them now; blocks are endpoints of accounts that the app refuses for now.
        </p>
      </section>
      {guardsUi && (
        <p class="hint">
          The <a href={temporalUiUrl}>Temporal UI</a> shows every run to everybody on this machine and is read-only.
          While you are signed in here, you can change runs in it from this browser, under this same host name; what you
          change is in the <a href="/log">log</a>.
        </p>
      )}
    </Frame>
  )
}

const columns: readonly Column<Row>[] = [
  {
    label: 'App',
    cell: ({ app }) => (
      <a href={`/apps/${app.slug}`}>
        <strong>{app.slug}</strong>
      </a>
    ),
  },
  { label: 'State', cell: ({ state }) => <StateTags state={state} /> },
  { label: 'Rate', number: true, cell: ({ app, state }) => ratesOf(app, state) },
  { label: 'Waits for approval', number: true, cell: ({ state }) => state.awaiting_confirmation },
  { label: 'Running', number: true, cell: ({ state }) => state.running },
  { label: 'Queue', number: true, cell: ({ queue }) => queue?.waiting ?? 'not known' },
  { label: 'Blocks', number: true, cell: ({ state }) => state.blocked },
  { label: 'Unknown', number: true, cell: ({ state }) => state.unresolved },
]

export function StateTags({ state }: { readonly state: AppState }): JSX.Element {
  const paused = state.paused_endpoints.length
  return (
    <span class="tags">
      {state.paused ? <span class="tag warn">paused</span> : <span class="tag good">open</span>}
      {paused > 0 && <span class="tag warn">{counted(paused, 'endpoint')} paused</span>}
      {state.pending && (
        <span class="tag warn">not taken by the engine for {inWords(state.pending_seconds * 1_000)}</span>
      )}
    </span>
  )
}

function ratesOf({ pacing }: App, { app_rate: app, account_rate: account }: AppState): string {
  return `${app ?? pacing.perApp} / ${account ?? pacing.perAccount}`
}

const chores: Readonly<Record<Chore, string>> = {
  purge: 'Old calls were last emptied',
  session_checks: 'Apps were last asked whether sessions still work',
  backup: 'A backup was last noted',
}

/** Warn when Temporal has not applied a pause or rates after this time, in seconds. */
const soon = 60

function Health({ states, queues, stuck, late, engineUp }: OverviewProps): JSX.Element {
  const unresolved = states.reduce((sum, state) => sum + state.unresolved, 0)
  const untaken = states.filter(({ pending_seconds: seconds }) => seconds > soon)
  const idle = [...queues].filter(([, { workers }]) => workers === 0)
  return (
    <>
      {engineUp ? (
        <p class="notice good" role="status">
          The engine and the database answer.
        </p>
      ) : (
        <p class="notice bad" role="status">
          The engine is away: new calls are refused, and calls that were accepted wait for it. The database answers.
        </p>
      )}
      {idle.length > 0 && (
        <p class="notice warn">
          No worker asks for what is to be sent to {idle.map(([slug]) => slug).join(', ')}. Is the worker process alive?
        </p>
      )}
      {untaken.length > 0 && (
        <p class="notice warn">
          The engine has not taken the pause or the rates of {untaken.map(({ app }) => app).join(', ')} for more than a
          minute; they are sent again. A pause holds all the same.
        </p>
      )}
      {late.map(({ name, seconds }) => (
        <p key={name} class="notice warn">
          {chores[name]} {inWords(seconds * 1_000)} ago, and should be once a day
          {name === 'backup' ? (
            '.'
          ) : (
            <>
              : see the schedule <code>callgate-housekeeping</code> in the Temporal UI.
            </>
          )}
        </p>
      ))}
      {stuck > 0 && (
        <p class="notice warn">
          <a href="/calls?look=stuck">
            {counted(stuck, 'call runs', 'calls run')} for more than ten minutes without a known reason
          </a>
        </p>
      )}
      {unresolved > 0 && (
        <p class="notice">
          <a href="/calls?look=unresolved">{counted(unresolved, 'call')} ended unknown</a>, and nobody has recorded what
          became of {unresolved === 1 ? 'it' : 'them'}.
        </p>
      )}
    </>
  )
}
