import type { JSX } from 'preact'
import type { Pause } from '../../core/calls/blocks.ts'
import type { App } from '../../connectors/registry.ts'
import { ActionForm } from '../parts/dashboard.tsx'
import { actionOf } from '../parts/declared.ts'
import type { Viewer } from '../parts/layout.tsx'
import { Text } from '../parts/text.tsx'
import { Time } from '../parts/time.tsx'
import type { Paused } from '../queries.ts'

/** What the operator has paused in the app. */
export function PausedHere({ app, paused }: { readonly app: App; readonly paused: Paused }): JSX.Element | null {
  if (!paused.app && paused.endpoints.length === 0) return null
  const actions = paused.endpoints.map((name) => actionOf(app.endpoints.get(name), name))
  return (
    <p class="notice warn">
      The operator of this Callgate has paused {paused.app ? 'this app' : actions.join(', ')} for a while. Calls are
      accepted and wait; they continue automatically.
    </p>
  )
}

/** Cool-downs: what the app blocks, and when the next probe runs. */
export function Pauses(props: {
  readonly viewer: Viewer
  readonly app: App
  readonly pauses: readonly Pause[]
}): JSX.Element | null {
  const { viewer, app, pauses } = props
  if (pauses.length === 0) return null
  return (
    <div class="notice warn">
      <p>
        The app refused access. These actions wait before they try again. If this keeps happening, sign in to the app as
        usual and check whether it has limited your account.
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
