import type { JSX } from 'preact'
import type { Account } from '../../core/accounts/accounts.ts'
import type { Pause } from '../../core/calls/blocks.ts'
import type { AppSettings } from '../../core/accounts/settings.ts'
import type { App } from '../../connectors/registry.ts'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { AddedNote } from '../parts/added-app.tsx'
import type { Paused } from '../queries.ts'
import type { OwnWatch } from '../../core/watch/watches.ts'
import { OwnWatches } from './watches.tsx'
import { Connected } from './account.tsx'
import { ConfirmForm, NotSaved } from './confirm.tsx'
import type { KeyChoice } from './confirm.tsx'
import { FlashMessage } from '../parts/dashboard.tsx'
import { Icon } from '../parts/icon.tsx'
import { PausedHere, Pauses } from './pauses.tsx'
import { ScopeForm } from './scope.tsx'
import type { WrongScope } from './scope.tsx'
import { StandingList } from '../standing/list.tsx'
import type { Standing } from '../standing/summary.tsx'

interface SettingsProps {
  readonly viewer: Viewer
  readonly app: App
  readonly accounts: readonly Account[]
  readonly settings: AppSettings
  /** Keys that can be allowed to run without asking. */
  readonly keys: readonly KeyChoice[]
  /** The user has a passkey, and passkeys work at this address. */
  readonly passkeys: boolean
  readonly pauses: readonly Pause[]
  /** Paused by the operator. */
  readonly paused: Paused
  /** Canary reads, once a day. */
  readonly watches: readonly OwnWatch[]
  /** The app's approval rules. */
  readonly inAdvance: readonly Standing[]
  readonly said: string | null
  /** The rejected selection. */
  readonly wrong?: WrongScope
  /** Actions whose approval policy was changed elsewhere first. */
  readonly stale?: readonly string[]
}

const messages: Readonly<Record<string, string>> = {
  scope: 'What agents may do in this app is saved. It also applies to waiting calls.',
  confirm: 'Saved. It applies to new calls.',
  disconnect: 'The account is disconnected, and its session is deleted. Calls that wait for it will not be sent.',
  lift: 'The pause is lifted, and waiting calls continue.',
  'agree-watch': 'Thank you. It is read once a day from now on, until you stop it.',
  'end-watch': 'Stopped. Nothing is read in your account for this any more.',
}

export function AppSettingsPage(props: SettingsProps): JSX.Element {
  const { viewer, app, accounts, said } = props
  return (
    <Layout title={app.name} viewer={viewer} wide>
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
      <div class="columns list-first">
        <div>
          <section class="card" aria-labelledby="accounts">
            <h2 id="accounts">Your accounts</h2>
            {accounts.length === 0 && <p class="empty">No account is connected.</p>}
            {accounts.map((account) => (
              <Connected key={account.id} viewer={viewer} account={account} />
            ))}
            <p>
              <a class="button quiet" href={`/connect/${app.slug}`}>
                <Icon name="plus" />
                {accounts.length === 0 ? 'Connect an account' : 'Connect another account'}
              </a>
            </p>
            <Pauses {...props} />
          </section>
          <OwnWatches viewer={viewer} app={app} watches={props.watches} />
          {props.inAdvance.length > 0 && (
            <section class="card" aria-labelledby="in-advance">
              <h2 id="in-advance">Approved in advance</h2>
              <StandingList all={props.inAdvance} />
            </section>
          )}
        </div>
        <div>
          <ScopeForm {...props} />
          <ConfirmForm
            viewer={viewer}
            app={app}
            settings={props.settings}
            keys={props.keys}
            passkeys={props.passkeys}
          />
        </div>
      </div>
    </Layout>
  )
}
