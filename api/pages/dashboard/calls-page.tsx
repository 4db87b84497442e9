import type { JSX } from 'preact'
import type { CallRow } from '../../../activities/db/calls.ts'
import type { App } from '../../../connectors/registry.ts'
import { callStatuses } from '../../../schemas/call.ts'
import type { CallStatus } from '../../../schemas/call.ts'
import { Choice } from '../choice.tsx'
import { Layout } from '../layout.tsx'
import type { Viewer } from '../layout.tsx'
import { CallList, statusWords } from './parts.tsx'

interface CallsProps {
  readonly viewer: Viewer
  readonly rows: readonly CallRow[]
  readonly filter: { readonly status: CallStatus | undefined; readonly app: string | undefined }
  readonly apps: readonly App[]
  /** The last call shown, when there are older ones. */
  readonly next: string | undefined
}

export function CallsPage({ viewer, rows, filter, apps, next }: CallsProps): JSX.Element {
  const { status, app } = filter
  const older = new URLSearchParams({ ...(status && { status }), ...(app && { app }), ...(next && { before: next }) })
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
        <button class="quiet" type="submit">
          Show
        </button>
      </form>
      <div id="calls" aria-live="polite">
        {rows.length === 0 ? <p class="empty">No such call.</p> : <CallList rows={rows} />}
        {next !== undefined && (
          <p>
            <a href={`/calls?${older.toString()}`}>Older calls</a>
          </p>
        )}
      </div>
    </Layout>
  )
}
