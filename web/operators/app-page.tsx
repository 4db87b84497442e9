import type { JSX } from 'preact'
import type { AppState, BlockedEndpoint, ChangedCall } from '../../core/operators/rows.ts'
import type { QueueState } from '../../core/temporal/queue-states.ts'
import type { App, Endpoint } from '../../connectors/registry.ts'
import { ActionForm, FlashMessage } from '../parts/dashboard.tsx'
import { counted } from '../parts/time.tsx'
import { Blocks } from './blocks.tsx'
import { Frame } from './frame.tsx'
import { NotUnderstood } from './not-understood.tsx'
import type { ChangeRow } from '../../core/watch/changes.ts'
import type { OutcomeRow } from '../../core/watch/outcomes.ts'
import type { Watch } from '../../core/watch/watches.ts'
import { Changes, Outcomes, Watches } from './signals.tsx'
import { StateTags } from './overview-page.tsx'
import type { Operator } from '../../core/http/operator-session.ts'
import { Table } from './table.tsx'

/** The form's two fields as typed. */
export interface TypedRates {
  readonly app: string
  readonly account: string
}

interface AppProps {
  readonly operator: Operator
  readonly app: App
  readonly state: AppState
  readonly open: readonly {
    readonly endpoint: string
    readonly awaiting_confirmation: number
    readonly running: number
  }[]
  readonly blocks: readonly BlockedEndpoint[]
  /** Latest calls whose answers the connector could not parse. */
  readonly changed: readonly ChangedCall[]
  readonly outcomes: readonly OutcomeRow[]
  readonly outcomeDays: number
  readonly changes: readonly ChangeRow[]
  readonly watches: readonly Watch[]
  readonly queue: QueueState | undefined
  readonly typed: TypedRates
  /** Which of the typed rates are invalid. */
  readonly problems: { readonly app: boolean; readonly account: boolean }
  readonly said: string | null
  readonly temporalUiUrl: string
}

const messages: Readonly<Record<string, string>> = {
  pause: 'The app is paused: calls are accepted and wait.',
  resume: 'The app is resumed: what waited is sent at its pace.',
  'pause-endpoint': 'The endpoint is paused: its calls are accepted and wait.',
  'resume-endpoint': 'The endpoint is resumed: what waited goes on within ten seconds.',
  rates: 'The rates are in effect.',
  'pause-later':
    'The app is paused: calls are accepted and wait. The engine has not taken that yet, and is told again until it has.',
  later: 'Saved. It takes effect when the engine has taken it, and is told again until it has.',
  lift: 'The block is lifted: the app is tried again now.',
  'lifted-before': 'This block was over already.',
  'close-change': 'It is taken as seen to. It comes back when it is seen again.',
  'end-watch': 'The daily look is ended.',
  'closed-before': 'That was over already.',
}

export function AppPage(props: AppProps): JSX.Element {
  const { operator, app, state, queue, blocks, said, temporalUiUrl } = props
  return (
    <Frame title={app.slug} operator={operator} temporalUiUrl={temporalUiUrl} wide>
      <p class="eyebrow">
        <a href="/">Overview</a>
      </p>
      <h1>{app.slug}</h1>
      <p class="lead">{app.name}</p>
      <FlashMessage what={said} words={messages} />
      <section class="card" aria-labelledby="state">
        <div class="row">
          <h2 id="state">State</h2>
          <StateTags state={state} />
        </div>
        <p>
          <a href={`/calls?app=${app.slug}&status=awaiting_confirmation`}>
            {counted(state.awaiting_confirmation, 'call')} waiting for approval
          </a>
          {', '}
          <a href={`/calls?app=${app.slug}&status=running`}>{state.running} running</a>
          {', '}
          <a href={`/calls?app=${app.slug}&look=unresolved`}>{state.unresolved} unknown</a>.{' '}
          {queue === undefined
            ? 'The engine says nothing about the queue now.'
            : `${counted(queue.waiting, 'send')} in the queue, ${counted(queue.workers, 'worker')} asking for them.`}
        </p>
        <ActionForm viewer={operator} action={`/apps/${app.slug}`} class="row" label="Pause">
          <span class="hint">
            {state.paused
              ? 'Nothing is sent to this app.'
              : 'While an app is paused, its calls are accepted and wait. Nobody is refused.'}
          </span>
          <button class={state.paused ? 'primary' : 'danger'} name="action" value={state.paused ? 'resume' : 'pause'}>
            {state.paused ? 'Resume the app' : 'Pause the app'}
          </button>
        </ActionForm>
      </section>
      <Rates {...props} />
      <Blocks operator={operator} app={app} blocks={blocks} />
      <NotUnderstood calls={props.changed} />
      <Changes operator={operator} app={app} changes={props.changes} />
      <Watches operator={operator} app={app} watches={props.watches} />
      <Outcomes outcomes={props.outcomes} days={props.outcomeDays} />
      <Endpoints {...props} />
    </Frame>
  )
}

function Rates({ operator, app, typed, problems }: AppProps): JSX.Element {
  const field = (name: 'app' | 'account', label: string, usual: number) => (
    <label>
      {label}
      <input
        type="text"
        inputmode="decimal"
        name={`${name}_rate`}
        value={typed[name]}
        placeholder={`${usual}, as the connector says`}
        aria-invalid={problems[name]}
        aria-describedby={problems[name] ? `${name}-problem` : undefined}
      />
      {problems[name] && (
        <span class="problem" id={`${name}-problem`}>
          A number above 0, at most 1,000, or nothing.
        </span>
      )}
    </label>
  )
  return (
    <section class="card" aria-labelledby="rates">
      <h2 id="rates">Sends per second</h2>
      <ActionForm viewer={operator} action={`/apps/${app.slug}`} class="row" label="Rates">
        {field('app', 'Whole app', app.pacing.perApp)}
        {field('account', 'Each account', app.pacing.perAccount)}
        <button class="quiet" name="action" value="rates">
          Set
        </button>
      </ActionForm>
    </section>
  )
}

function Endpoints({ operator, app, state, open }: AppProps): JSX.Element {
  const openOf = (endpoint: Endpoint) => open.find((one) => one.endpoint === endpoint.name)
  return (
    <section class="card" aria-labelledby="endpoints">
      <h2 id="endpoints">{counted(app.endpoints.size, 'endpoint')}</h2>
      <Table
        label="Endpoints"
        rows={[...app.endpoints.values()]}
        columns={[
          { label: 'Endpoint', cell: ({ name }) => <code>{name}</code> },
          { label: 'Access', cell: ({ access, confirm }) => (confirm ? `${access}, asks first` : access) },
          { label: 'Waits for approval', number: true, cell: (one) => openOf(one)?.awaiting_confirmation ?? 0 },
          { label: 'Running', number: true, cell: (one) => openOf(one)?.running ?? 0 },
          {
            label: 'State',
            cell: ({ name }) => <Switch {...{ operator, app, name, paused: state.paused_endpoints.includes(name) }} />,
          },
        ]}
      />
    </section>
  )
}

function Switch(props: {
  readonly operator: Operator
  readonly app: App
  readonly name: string
  readonly paused: boolean
}): JSX.Element {
  const { operator, app, name, paused } = props
  return (
    <ActionForm viewer={operator} action={`/apps/${app.slug}`} class="row" label={name}>
      <input type="hidden" name="endpoint" value={name} />
      <span class={paused ? 'tag warn' : 'tag good'}>{paused ? 'paused' : 'open'}</span>
      <button
        class="quiet"
        name="action"
        value={paused ? 'resume-endpoint' : 'pause-endpoint'}
        aria-label={`${paused ? 'Resume' : 'Pause'} ${name}`}
      >
        {paused ? 'Resume' : 'Pause'}
      </button>
    </ActionForm>
  )
}
