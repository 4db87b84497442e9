import type { JSX } from 'preact'
import type { Account } from '../../core/accounts/accounts.ts'
import type { Pause } from '../../core/calls/blocks.ts'
import type { AppSettings, Scope } from '../../core/accounts/settings.ts'
import type { App } from '../../connectors/registry.ts'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { AddedNote, AddedTag } from '../parts/added-app.tsx'
import type { Paused } from '../queries.ts'
import { actionOf } from '../parts/declared.ts'
import type { OwnWatch } from '../../core/watch/watches.ts'
import { OwnWatches } from './watches.tsx'
import { Text } from '../parts/text.tsx'
import { Time } from '../parts/time.tsx'
import { Connected, StateTag } from './account.tsx'
import { ConfirmForm, NotSaved } from './confirm.tsx'
import type { KeyChoice } from './confirm.tsx'
import { ActionForm, FlashMessage, SaveBar } from '../parts/dashboard.tsx'
import { StandingList } from '../standing/list.tsx'
import type { Standing } from '../standing/summary.tsx'

interface AppsProps {
  readonly viewer: Viewer
  readonly apps: readonly App[]
  readonly accounts: readonly Account[]
}

export function AppsPage({ viewer, apps, accounts }: AppsProps): JSX.Element {
  const of = (slug: string): readonly Account[] => accounts.filter(({ app }) => app === slug)
  /** Those that need their owner first, those that are not connected last. */
  const rank = (slug: string): number =>
    of(slug).length === 0 ? 2 : of(slug).some(({ state }) => state !== 'connected') ? 0 : 1
  const sorted = apps.toSorted((a, b) => rank(a.slug) - rank(b.slug))
  return (
    <Layout title="Apps" viewer={viewer} wide>
      <h1>Apps</h1>
      <p class="lead">
        Your accounts, what agents may do in them, and what asks you first. What you approved in advance is listed under{' '}
        <a href="/standing">Standing approvals</a>.
      </p>
      <ul class="apps">
        {sorted.map((app) => (
          <li key={app.slug}>
            <a class="card" href={`/apps/${app.slug}`}>
              <strong>
                {app.name} <AddedTag app={app} />
              </strong>
              {of(app.slug).map((account) => (
                <span key={account.id} class="row">
                  <Text value={account.label} />
                  <StateTag account={account} />
                </span>
              ))}
              {of(app.slug).length === 0 && <span class="hint">not connected</span>}
            </a>
          </li>
        ))}
      </ul>
    </Layout>
  )
}

interface SettingsProps {
  readonly viewer: Viewer
  readonly app: App
  readonly accounts: readonly Account[]
  readonly settings: AppSettings
  /** That may be let do without asking. */
  readonly keys: readonly KeyChoice[]
  /** Whether the person can use passkeys here, and has one. */
  readonly passkeys: boolean
  readonly pauses: readonly Pause[]
  /** What the operator has paused. */
  readonly paused: Paused
  /** Reads that are to be made once a day. */
  readonly watches: readonly OwnWatch[]
  /** Its standing approvals. */
  readonly inAdvance: readonly Standing[]
  readonly said: string | null
  /** What was chosen and will not do. */
  readonly wrong?: WrongScope
  /** Actions whose asking somebody else changed first. */
  readonly stale?: readonly string[]
}

export interface WrongScope extends Pick<Scope, 'endpoints'> {
  readonly mode: Scope['mode'] | undefined
  readonly problem: string
}

const messages: Readonly<Record<string, string>> = {
  scope: 'What agents may do in this app is saved. It holds for calls that wait, too.',
  confirm: 'What asks first is saved. It holds for new calls.',
  disconnect: 'The account is disconnected, and its session is deleted. Calls that wait for it will not be sent.',
  lift: 'The pause is lifted: what waits for it goes on.',
  'agree-watch': 'Thank you: it is read once a day from now on, until you end it.',
  'end-watch': 'Nothing is read in your account any more for this.',
}

export function AppSettingsPage(props: SettingsProps): JSX.Element {
  const { viewer, app, accounts, said } = props
  return (
    <Layout title={app.name} viewer={viewer}>
      <p class="eyebrow">
        <a href="/apps">Apps</a>
      </p>
      <h1>{app.name}</h1>
      <p class="lead">{app.description}</p>
      <AddedNote app={app} />
      <p>
        <a href={`/docs/${app.slug}`}>What it offers</a> · <a href={`/play?app=${app.slug}`}>Try it</a>
      </p>
      <FlashMessage what={said} words={messages} />
      {props.stale && <NotSaved app={app} stale={props.stale} />}
      <PausedHere app={app} paused={props.paused} />
      <section class="card" aria-labelledby="accounts">
        <h2 id="accounts">Your accounts</h2>
        {accounts.length === 0 && <p class="empty">None is connected.</p>}
        {accounts.map((account) => (
          <Connected key={account.id} viewer={viewer} account={account} />
        ))}
        <p>
          <a href={`/connect/${app.slug}`}>
            {accounts.length === 0 ? 'Connect an account' : 'Connect another account'}
          </a>
        </p>
        <Pauses {...props} />
      </section>
      <OwnWatches viewer={viewer} app={app} watches={props.watches} />
      <ScopeForm {...props} />
      <ConfirmForm viewer={viewer} app={app} settings={props.settings} keys={props.keys} passkeys={props.passkeys} />
      {props.inAdvance.length > 0 && (
        <section class="card" aria-labelledby="in-advance">
          <h2 id="in-advance">Approved in advance</h2>
          <StandingList all={props.inAdvance} />
        </section>
      )}
    </Layout>
  )
}

function PausedHere({ app, paused }: Pick<SettingsProps, 'app' | 'paused'>): JSX.Element | null {
  if (!paused.app && paused.endpoints.length === 0) return null
  const actions = paused.endpoints.map((name) => actionOf(app.endpoints.get(name), name))
  return (
    <p class="notice warn">
      Whoever runs this Callgate has paused {paused.app ? 'this app' : actions.join(', ')} for a while. Calls are
      accepted and wait; they go on by themselves.
    </p>
  )
}

function Pauses({ viewer, app, pauses }: SettingsProps): JSX.Element | null {
  if (pauses.length === 0) return null
  return (
    <div class="notice warn">
      <p>
        The app refused access. These actions wait before they try again. If that does not end, sign in to the app as
        you always do and look whether it has limited your account.
      </p>
      {pauses.map(({ account, account_label: label, endpoint, until }) => (
        <ActionForm key={account + endpoint} viewer={viewer} action={`/apps/${app.slug}`} class="row">
          <input type="hidden" name="pause" value={`${account} ${endpoint}`} />
          <span>
            {actionOf(app.endpoints.get(endpoint), endpoint)} of <Text value={label} />, until <Time at={until} />
          </span>
          <button class="quiet" type="submit" name="action" value="lift">
            Try again now
          </button>
        </ActionForm>
      ))}
    </div>
  )
}

function ScopeForm({ viewer, app, settings, wrong }: SettingsProps): JSX.Element {
  const scope = wrong ?? settings.scope
  const modes = [
    ['all', 'everything'],
    ['read', 'only read'],
    ['chosen', 'only what is ticked here'],
  ] as const
  return (
    <section class="card" aria-labelledby="scope">
      <h2 id="scope">What agents may do</h2>
      <ActionForm viewer={viewer} action={`/apps/${app.slug}`} class="long" label="What agents may do">
        {wrong && (
          <p class="notice bad" role="alert">
            Nothing was changed. {wrong.problem}
          </p>
        )}
        <fieldset aria-labelledby="scope">
          {modes.map(([mode, label]) => (
            <label key={mode} class="tick">
              <input type="radio" name="mode" value={mode} checked={scope.mode === mode} /> {label}
            </label>
          ))}
        </fieldset>
        <details open={scope.mode === 'chosen' || wrong !== undefined}>
          <summary>Choose the actions</summary>
          <div class="ticks">
            {[...app.endpoints.values()].map((endpoint) => (
              <label key={endpoint.name} class="tick">
                <input
                  type="checkbox"
                  name="endpoint"
                  value={endpoint.name}
                  checked={scope.endpoints.includes(endpoint.name)}
                />{' '}
                {actionOf(endpoint, endpoint.name)} {endpoint.access === 'write' && <span class="tag">writes</span>}
              </label>
            ))}
          </div>
        </details>
        <SaveBar action="scope" hint="Holds for calls that wait, too." />
      </ActionForm>
    </section>
  )
}
