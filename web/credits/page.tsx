import type { JSX } from 'preact'
import type { Entry, EntryKind, Statement } from '../../core/credits/statement.ts'
import { plans } from '../../core/credits/plans.ts'
import type { Apps } from '../../connectors/registry.ts'
import { Choice } from '../parts/choice.tsx'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { counted, Time } from '../parts/time.tsx'
import { ActionForm } from '../parts/dashboard.tsx'
import { actionOf } from '../parts/declared.ts'

interface CreditsProps {
  readonly viewer: Viewer
  readonly statement: Statement
  /** The last entry shown, when there are older ones. */
  readonly next: string | undefined
  /** Credits that a change of size brought. */
  readonly toppedUp: number | null
  readonly apps: Apps
}

const words: Readonly<Record<EntryKind, string>> = {
  grant: 'monthly credits',
  upgrade: 'larger size',
  lapse: 'lapsed',
  reserve: 'held',
  capture: 'used',
  release: 'given back',
  refund: 'refund',
}

/** What came in, then what became of it. */
const sums = [
  ['granted', 'granted'],
  ['refunded', 'refunded'],
  ['used', 'used'],
  ['reserved', 'held'],
  ['lapsed', 'lapsed'],
  ['left', 'left'],
] as const

const number = (value: number): string => value.toLocaleString('en-GB')

export function CreditsPage({ viewer, statement, next, toppedUp, apps }: CreditsProps): JSX.Element {
  const { balance, totals, entries, month } = statement
  return (
    <Layout title="Credits" viewer={viewer} wide>
      <h1>Credits</h1>
      {toppedUp !== null && (
        <p class="notice good" role="status">
          The size is changed.{' '}
          {toppedUp > 0 ? `${number(toppedUp)} credits came on top.` : 'It counts from next month on.'}
        </p>
      )}
      <div class="columns list-first">
        <div>
          <section class="card" aria-labelledby="left">
            <h2 id="left">{number(balance.credits_left)} left this month</h2>
            <p>
              {number(balance.credits_reserved)} held by calls under way. New ones come{' '}
              <Time at={balance.next_credits_at} />; what is left then lapses. A read costs 1, a write 3; what did not
              happen costs nothing.
            </p>
            <ActionForm viewer={viewer} action="/credits" class="row" label="Size">
              <Choice
                name="plan"
                label="Size"
                chosen={balance.plan}
                options={plans.map(({ name, credits }) => [name, `${name}: ${number(credits)} a month`] as const)}
              />
              <button class="quiet" type="submit">
                Change
              </button>
            </ActionForm>
            <p class="hint">
              A larger size counts at once, a smaller one from next month on. <a href="/usage">Usage as plots</a>
            </p>
          </section>
        </div>
        <div>
          <section class="card" aria-labelledby="statement">
            <h2 id="statement">Statement of {monthInWords(month)}</h2>
            <ul class="sums">
              {sums.map(([name, word]) => (
                <li key={name}>{`${number(totals[name])} ${word}`}</li>
              ))}
            </ul>
            <p class="hint">
              <a href={`/credits?month=${monthBefore(month)}`}>The month before</a>
            </p>
            {entries.length === 0 ? (
              <p class="empty">Nothing in this month.</p>
            ) : (
              <Entries entries={entries} apps={apps} />
            )}
            {next !== undefined && (
              <p>
                <a href={`/credits?month=${month}&before=${next}`}>Older entries</a>
              </p>
            )}
          </section>
        </div>
      </div>
    </Layout>
  )
}

function Entries({ entries, apps }: Pick<CreditsProps, 'apps'> & { entries: readonly Entry[] }): JSX.Element {
  return (
    <ul class="accounts links">
      {entries.map(({ id, at, kind, credits, change, call_id, app, endpoint, note }) => (
        <li key={id}>
          <div class="row">
            {call_id === null ? (
              <span>{words[kind]}</span>
            ) : (
              <a href={`/calls/${call_id}`}>
                {actionOf(apps.get(app ?? '')?.endpoints.get(endpoint ?? ''), endpoint ?? '')}
              </a>
            )}
            <span class="amount">
              {change === 0 ? counted(credits, 'credit') : `${change > 0 ? '+' : '−'}${number(Math.abs(change))}`}
            </span>
          </div>
          <p class="hint">
            {call_id !== null && `${words[kind]} · ${apps.get(app ?? '')?.name ?? app} · `}
            <Time at={at} />
            {note !== null && ` · ${note}`}
          </p>
        </li>
      ))}
    </ul>
  )
}

function monthInWords(month: string): string {
  const first = new Date(`${month}-01T00:00:00Z`)
  return first.toLocaleDateString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
}

function monthBefore(month: string): string {
  const first = new Date(`${month}-01T00:00:00Z`)
  first.setUTCMonth(first.getUTCMonth() - 1)
  return first.toISOString().slice(0, 7)
}
