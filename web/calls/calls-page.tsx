import type { JSX } from 'preact'
import type { App } from '../../connectors/registry.ts'
import { callStatuses } from '../../schemas/call.ts'
import type { Access, CallStatus } from '../../schemas/call.ts'
import { Choice } from '../parts/choice.tsx'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import type { CallLine } from './call-lines.ts'
import { CallList, statusWords } from '../parts/dashboard.tsx'

interface CallsProps {
  readonly viewer: Viewer
  readonly lines: readonly CallLine[]
  readonly filter: {
    readonly status: CallStatus | undefined
    readonly app: string | undefined
    readonly access: Access | undefined
    /** The last day that is shown, in UTC. */
    readonly until?: string
  }
  readonly apps: readonly App[]
  /** The last call shown, when there are older ones. */
  readonly next: string | undefined
}

const kinds = [
  ['write', 'changes'],
  ['read', 'look-ups'],
] as const

export function CallsPage({ viewer, lines, filter, apps, next }: CallsProps): JSX.Element {
  const { status, app, access, until } = filter
  const older = new URLSearchParams({
    ...(status && { status }),
    ...(app && { app }),
    ...(access && { access }),
    ...(until && { until }),
    ...(next && { before: next }),
  })
  return (
    <Layout title="Calls" viewer={viewer}>
      <h1>Calls</h1>
      <form
        class="row filter"
        method="get"
        action="/calls"
        aria-label="Filter"
        hx-get="/calls"
        hx-trigger="change, submit"
        hx-target="#calls"
        hx-select="#calls"
        hx-swap="outerSync"
        hx-sync="this:replace"
        hx-replace-url="true"
      >
        <Choice
          name="status"
          label="Status"
          chosen={status}
          options={callStatuses.map((one) => [one, statusWords[one]] as const)}
          none="any"
        />
        <Choice
          name="app"
          label="App"
          chosen={app}
          options={apps.map(({ slug, name }) => [slug, name] as const)}
          none="all"
        />
        <Choice name="access" label="What" chosen={access} options={kinds} none="everything" />
        <label>
          Until (day in UTC)
          <input type="date" name="until" value={until} />
        </label>
        <button class="quiet" type="submit">
          Show
        </button>
      </form>
      <div id="calls" aria-live="polite">
        {lines.length === 0 ? <Nothing filtered={older.size > 0} /> : <CallList lines={lines} />}
        {next !== undefined && (
          <p>
            <a href={`/calls?${older.toString()}`}>Older calls</a>
          </p>
        )}
      </div>
    </Layout>
  )
}

function Nothing({ filtered }: { readonly filtered: boolean }): JSX.Element {
  return filtered ? (
    <p class="empty">
      No such call. <a href="/calls">Show all calls</a>
    </p>
  ) : (
    <p class="empty">No call yet. What your agents ask for is listed here.</p>
  )
}
