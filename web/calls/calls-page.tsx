import type { JSX } from 'preact'
import type { App } from '../../connectors/registry.ts'
import { callStatuses } from '../../schemas/call.ts'
import { Choice } from '../parts/choice.tsx'
import { actionOf } from '../parts/declared.ts'
import { Icon } from '../parts/icon.tsx'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { CallList, statusWords } from '../parts/dashboard.tsx'
import { counted, Time } from '../parts/time.tsx'
import { addressOf } from './filter.ts'
import type { Asker, Chosen } from './filter.ts'
import type { FoundPage } from './find-calls.ts'
import { longestSearch } from './search-words.ts'

interface CallsProps {
  readonly viewer: Viewer
  readonly found: FoundPage
  readonly chosen: Chosen
  readonly apps: readonly App[]
  readonly askers: readonly Asker[]
  /** Retention of call content, in days. */
  readonly retentionDays: number
}

const kinds = [
  ['write', 'changes'],
  ['read', 'look-ups'],
] as const

export function CallsPage(props: CallsProps): JSX.Element {
  const { viewer, found, chosen, retentionDays } = props
  const { lines, next } = found
  return (
    <Layout title="Calls" viewer={viewer} wide>
      <h1>Calls</h1>
      <FilterForm {...props} />
      <div id="calls" aria-live="polite">
        {lines.length === 0 ? <Nothing {...props} /> : <CallList lines={lines} />}
        <Onward found={found} chosen={chosen} />
        {lines.length > 0 && (
          <p>
            <a class="button quiet" href={addressOf('/calls.csv', chosen)} download>
              <Icon name="arrow-down-tray" />
              {next === undefined ? 'These calls' : 'These calls and all older ones'} as a table (CSV)
            </a>
          </p>
        )}
        {chosen.q !== undefined && (
          <p class="hint">
            Searches ids, actions, apps, accounts, keys, what calls said, reasons, and the answers to changes, but not
            the answers to look-ups. What a call said is kept for {counted(retentionDays, 'day')}.
          </p>
        )}
      </div>
    </Layout>
  )
}

function FilterForm({ chosen, apps, askers }: CallsProps): JSX.Element {
  const { q, ...narrowed } = chosen
  const set = Object.values(narrowed).filter((value) => value !== undefined).length
  const app = apps.find(({ slug }) => slug === chosen.app)
  return (
    <form
      class="filter"
      method="get"
      action="/calls"
      role="search"
      aria-label="Calls"
      hx-get="/calls"
      hx-trigger="change, submit"
      hx-target="#calls"
      hx-select="#calls"
      hx-select-oob="#action-choice"
      hx-swap="outerSync"
      hx-sync="this:replace"
      hx-replace-url="true"
    >
      <div class="row">
        <label>
          Search
          <input
            type="search"
            name="q"
            value={q}
            maxlength={longestSearch}
            placeholder="a name, a word, an id"
            autocomplete="off"
          />
        </label>
        <button class="quiet" type="submit">
          Search
        </button>
      </div>
      <details open={set > 0}>
        <summary>{set === 0 ? 'Filter' : `${counted(set, 'filter')} on`}</summary>
        <div class="filters">
          <Choice
            name="status"
            label="Status"
            chosen={chosen.status}
            options={callStatuses.map((one) => [one, statusWords[one]] as const)}
            none="any"
          />
          <Choice name="access" label="Kind" chosen={chosen.access} options={kinds} none="everything" />
          <Choice
            name="app"
            label="App"
            chosen={chosen.app}
            options={apps.map(({ slug, name }) => [slug, name] as const)}
            none="all"
          />
          <div id="action-choice">
            <Choice
              name="action"
              label="Action"
              chosen={chosen.action}
              options={[...(app?.endpoints.values() ?? [])].map((one) => [one.name, actionOf(one, one.name)] as const)}
              none={app === undefined ? 'choose an app first' : 'all'}
            />
          </div>
          <Choice
            name="key"
            label="Asked by"
            chosen={chosen.key}
            options={askers.map(({ line, name, valid }) => [line, valid ? name : `${name} (ended)`] as const)}
            none="anybody"
          />
          <label>
            From (UTC day)
            <input type="date" name="from" value={chosen.from} />
          </label>
          <label>
            Until (UTC day)
            <input type="date" name="until" value={chosen.until} />
          </label>
          <button class="quiet" type="submit">
            Show
          </button>
        </div>
      </details>
    </form>
  )
}

/** Link to older calls, and how far a search reached if it stopped early. */
function Onward({ found: { next, partly }, chosen }: Pick<CallsProps, 'found' | 'chosen'>): JSX.Element | null {
  if (next === undefined) return null
  const older = addressOf('/calls', chosen, { before: next })
  if (partly === undefined)
    return (
      <p>
        <a href={older}>Older calls</a>
      </p>
    )
  return (
    <p class="notice plain">
      {`Looked through ${counted(partly.looked, 'call')}, back to `}
      <Time at={partly.backTo} />
      {'. Older ones have not been looked at yet. '}
      <a href={older}>Search on</a>
    </p>
  )
}

function Nothing({ found, chosen }: CallsProps): JSX.Element {
  if (found.next !== undefined) return <p class="empty">Nothing found so far.</p>
  return Object.values(chosen).some((value) => value !== undefined) ? (
    <p class="empty">
      No matching calls. <a href="/calls">Show all calls</a>
    </p>
  ) : (
    <p class="empty">No calls yet. You will see here what your agents ask for.</p>
  )
}
