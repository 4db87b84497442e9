import type { JSX } from 'preact'
import type { App } from '../../connectors/registry.ts'
import type { ChangeRow } from '../../core/watch/changes.ts'
import type { OutcomeRow } from '../../core/watch/outcomes.ts'
import type { Watch } from '../../core/watch/watches.ts'
import { ActionForm } from '../parts/dashboard.tsx'
import { Text } from '../parts/text.tsx'
import { Time, counted } from '../parts/time.tsx'
import type { Operator } from '../../core/http/operator-session.ts'
import { Table } from './table.tsx'

interface Props {
  readonly operator: Operator
  readonly app: App
}

const kinds = {
  rule: 'a rule did not hold',
  gone: 'gone',
  type: 'another type',
  empty: 'empty for the first time',
} as const satisfies Record<ChangeRow['kind'], string>

/** Changes noticed in the app. An empty list proves nothing: only endpoints in use are checked. */
export function Changes({
  operator,
  app,
  changes,
}: Props & { readonly changes: readonly ChangeRow[] }): JSX.Element | null {
  if (changes.length === 0) return null
  return (
    <section class="card" aria-labelledby="changes">
      <h2 id="changes">Not as it was</h2>
      <p class="hint">
        Signals from calls and daily looks. Nothing is mended by itself, and none here does not mean that the app is as
        it was.
      </p>
      {changes.map((change) => (
        <div key={`${change.endpoint} ${change.kind} ${change.place}`} class="block">
          <p>
            <code>{change.endpoint}</code> <span class="tag warn">{kinds[change.kind]}</span>{' '}
            <Text value={change.place} />
          </p>
          <p class="hint">
            Since <Time at={change.first_at} />, {counted(change.times, 'time')}, last <Time at={change.last_at} />;{' '}
            <Text value={change.words} />
            {change.version !== null && (
              <>
                ; the app told version <Text value={change.version} />
              </>
            )}
            {change.looks_since > 0 && `; not seen in ${counted(change.looks_since, 'daily look')} since`}
          </p>
          {change.excerpt !== null && (
            <details>
              <summary>What stood there, without texts</summary>
              <pre class="mono">{change.excerpt}</pre>
            </details>
          )}
          <ActionForm viewer={operator} action={`/apps/${app.slug}`} class="row" label={`Close ${change.place}`}>
            <input type="hidden" name="endpoint" value={change.endpoint} />
            <input type="hidden" name="kind" value={change.kind} />
            <input type="hidden" name="place" value={change.place} />
            <button class="quiet" name="action" value="close-change">
              Seen to
            </button>
          </ActionForm>
        </div>
      ))}
    </section>
  )
}

/** Calls of the last days by endpoint and outcome. */
export function Outcomes({
  outcomes,
  days,
}: {
  readonly outcomes: readonly OutcomeRow[]
  readonly days: number
}): JSX.Element | null {
  if (outcomes.length === 0) return null
  const all = new Map<
    string,
    { readonly endpoint: string; readonly outcome: string; readonly days: Map<string, number> }
  >()
  for (const { endpoint, outcome, day, times } of outcomes) {
    const key = `${endpoint} ${outcome}`
    const row = all.get(key) ?? { endpoint, outcome, days: new Map<string, number>() }
    row.days.set(day, times)
    all.set(key, row)
  }
  const last = new Set([0, 1, 2].map((ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)))
  const sum = (counts: ReadonlyMap<string, number>, wanted?: ReadonlySet<string>): number =>
    [...counts].reduce((total, [day, times]) => total + (wanted === undefined || wanted.has(day) ? times : 0), 0)
  return (
    <section class="card" aria-labelledby="outcomes">
      <h2 id="outcomes">What it answered</h2>
      <p class="hint">How often it was asked for a call, and what came of it.</p>
      <Table
        label="What it answered"
        rows={[...all.values()]}
        columns={[
          { label: 'Endpoint', cell: ({ endpoint }) => <code>{endpoint}</code> },
          { label: 'Came to', cell: ({ outcome }) => outcome },
          { label: 'Last 3 days', number: true, cell: (row) => sum(row.days, last) },
          { label: `${days} days`, number: true, cell: (row) => sum(row.days) },
        ]}
      />
    </section>
  )
}

export const results: Readonly<Record<string, string>> = {
  ok: 'as before',
  changed: 'not as before',
  no_session: 'not asked: its owner has to sign in again',
  auth_expired: 'the session was over',
  captcha: 'it wanted to see a person',
  mfa: 'it wanted a second factor',
  paused: 'not asked: paused here',
  blocked: 'it refused access',
  rate_limited: 'it was asked too often',
  rejected: 'it refused',
  app_error: 'it had an error of its own',
  refused: 'nobody answered',
  timeout: 'no answer in time',
  lost: 'no whole answer',
}

/** Canary reads and their last results. */
export function Watches({
  operator,
  app,
  watches,
}: Props & { readonly watches: readonly Watch[] }): JSX.Element | null {
  if (watches.length === 0) return null
  return (
    <section class="card" aria-labelledby="watches">
      <h2 id="watches">Looked at once a day</h2>
      <Table
        label="Looked at once a day"
        rows={watches}
        columns={[
          { label: 'Endpoint', cell: ({ endpoint }) => <code>{endpoint}</code> },
          { label: 'Account', cell: ({ account }) => <code>{account}</code> },
          {
            label: 'Last',
            cell: ({ last_at: at, last_result: result, agreed_at: agreed }) =>
              at === null || result === null ? (
                agreed === null ? (
                  'its owner has not agreed'
                ) : (
                  'not yet'
                )
              ) : (
                <>
                  <Time at={at} />: {results[result] ?? result}
                </>
              ),
          },
          { label: 'App', cell: ({ version }) => (version === null ? '' : <Text value={version} />) },
          {
            label: '',
            cell: ({ id, endpoint }) => (
              <ActionForm viewer={operator} action={`/apps/${app.slug}`} class="row" label={`End ${endpoint}`}>
                <input type="hidden" name="watch" value={id} />
                <button class="quiet" name="action" value="end-watch">
                  End
                </button>
              </ActionForm>
            ),
          },
        ]}
      />
    </section>
  )
}
