import type { JSX } from 'preact'
import type { Entry, EntryKind, Statement } from '../../core/credits/statement.ts'
import { plans } from '../../core/credits/plans.ts'
import type { Apps } from '../../connectors/registry.ts'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { Time } from '../parts/time.tsx'
import { ActionForm } from '../parts/dashboard.tsx'
import { actionOf } from '../parts/declared.ts'

interface CreditsProps {
  readonly viewer: Viewer
  readonly statement: Statement
  /** Id of the last entry shown, if there are older ones. */
  readonly next: string | undefined
  /** Credits added by a plan change. */
  readonly toppedUp: number | null
  readonly apps: Apps
}

const words: Readonly<Record<EntryKind, string>> = {
  grant: 'Monthly credits',
  upgrade: 'Larger plan',
  lapse: 'Unused credits that expired',
  reserve: 'set aside until the call ends',
  capture: 'charged',
  release: 'not charged',
  refund: 'refunded',
}

/** Amount of a line. Of each call only the final entry is shown. */
function amountOf({ kind, credits, change }: Entry): string {
  if (kind === 'release' || kind === 'refund') return '0'
  if (kind === 'capture') return `−${number(credits)}`
  return kind === 'reserve' ? `(−${number(credits)})` : `${change > 0 ? '+' : '−'}${number(Math.abs(change))}`
}

/** Credits received, then their use. */
const sums = [
  ['granted', 'granted'],
  ['refunded', 'refunded'],
  ['used', 'used'],
  ['reserved', 'set aside'],
  ['lapsed', 'expired'],
  ['left', 'left'],
] as const

const capital = (name: string): string => name[0]?.toUpperCase() + name.slice(1)
const number = (value: number): string => value.toLocaleString('en-GB')

export function CreditsPage({ viewer, statement, next, toppedUp, apps }: CreditsProps): JSX.Element {
  const { balance, totals, entries, month } = statement
  return (
    <Layout title="Credits" viewer={viewer} wide>
      <h1>Credits</h1>
      {toppedUp !== null && (
        <p class="notice good" role="status">
          Your plan is changed.{' '}
          {toppedUp > 0 ? `You got ${number(toppedUp)} more credits right away.` : 'It takes effect next month.'}
        </p>
      )}
      <div class="columns list-first">
        <div>
          <section class="card" aria-labelledby="left">
            <h2 id="left">{number(balance.credits_left)} credits left this month</h2>
            <p>
              {balance.credits_reserved > 0 &&
                `${number(balance.credits_reserved)} more are set aside for open calls. `}
              You get new credits on <Time at={balance.next_credits_at} />; what is left then expires.
            </p>
            <p class="hint">
              A look-up costs 1 credit and a change 3. What did not happen costs nothing. <a href="/usage">Usage</a>
            </p>
          </section>
          <section class="card" aria-labelledby="plan">
            <h2 id="plan">Plan</h2>
            <p class="hint">
              Callgate bills nobody. A plan is a limit that you set yourself: it stops an agent that has gone wild.
            </p>
            <ActionForm viewer={viewer} action="/credits" label="Plan">
              <fieldset aria-labelledby="plan">
                {plans.map(({ name, credits }) => (
                  <label key={name} class="tick">
                    <input type="radio" name="plan" value={name} checked={name === balance.plan} required />
                    <span>
                      <strong>{`${capital(name)}: ${number(credits)} a month`}</strong>
                      <br />
                      <span class="hint">
                        {`Enough for ${number(credits)} look-ups, or ${number(Math.floor(credits / 3))} changes`}
                      </span>
                    </span>
                  </label>
                ))}
              </fieldset>
              <button class="quiet" type="submit">
                Change the plan
              </button>
            </ActionForm>
            <p class="hint">A larger plan takes effect right away, a smaller one next month.</p>
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
      {entries.map((entry) => (
        <li key={entry.id}>
          <div class="row">
            {entry.call_id === null ? (
              <span>{words[entry.kind]}</span>
            ) : (
              <a href={`/calls/${entry.call_id}`}>
                {actionOf(apps.get(entry.app ?? '')?.endpoints.get(entry.endpoint ?? ''), entry.endpoint ?? '')}
              </a>
            )}
            <span class="amount">{amountOf(entry)}</span>
          </div>
          <p class="hint">
            {entry.call_id !== null && `${words[entry.kind]} · ${apps.get(entry.app ?? '')?.name ?? entry.app} · `}
            <Time at={entry.at} />
            {entry.note !== null && ` · ${entry.note}`}
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
