import type { JSX } from 'preact'
import type { CallRow } from '../../../activities/db/calls.ts'
import type { Endpoint } from '../../../connectors/registry.ts'
import { Warnings } from '../call-warnings.tsx'
import type { EqualCalls } from '../call-warnings.tsx'
import { Layout } from '../layout.tsx'
import type { Viewer } from '../layout.tsx'
import { Text } from '../text.tsx'
import { counted, inWords, Time } from '../time.tsx'
import { Fields, isLong, labelOf } from '../value.tsx'
import { ActionForm } from './parts.tsx'

export interface WaitingCall {
  readonly row: CallRow
  /** The name of the key that asks. */
  readonly keyName: string
  readonly equal: EqualCalls
  readonly appName: string
  readonly endpoint: Endpoint | undefined
  readonly input: object
  /** Undefined: the endpoint changed since, so it can only be rejected, on its own page. */
  readonly hash: string | undefined
}

interface WaitingProps {
  readonly viewer: Viewer
  readonly calls: readonly WaitingCall[]
  readonly more: boolean
  /** What was ticked when the form did not say enough, and decided nothing. */
  readonly unclear: readonly string[] | undefined
  readonly decided: number
  readonly stale: number
}

export function WaitingPage({ viewer, calls, more, unclear, decided, stale }: WaitingProps): JSX.Element {
  return (
    <Layout title="Waiting for you" viewer={viewer}>
      <h1>Waiting for you</h1>
      <p class="hint">
        <a href="/standing">What you approved in advance</a>
      </p>
      {unclear && (
        <p class="notice bad" role="alert">
          Nothing was decided. Tick at least one call, then press Approve or Reject.
        </p>
      )}
      {decided > 0 && (
        <p class="notice good" role="status">
          {counted(decided, 'call')} decided.
        </p>
      )}
      {stale > 0 && (
        <p class="notice warn" role="status">
          {counted(stale, 'call')} could not be decided any more: somebody was faster, or the time was over.
        </p>
      )}
      <div
        role="status"
        hx-get={`/waiting/news?after=${calls[0]?.row.id ?? ''}`}
        hx-trigger="every 10s"
        hx-swap="innerHTML"
      />
      {calls.length === 0 ? (
        <p class="empty">
          Nothing waits. When an agent asks for something that reaches other people, it is shown here.
        </p>
      ) : (
        <ActionForm viewer={viewer} action="/waiting" label="Decide several">
          <p class="hint">Nothing of this has been sent yet. Tick what you have read, then decide.</p>
          {calls.map((call) => (
            <Waiting key={call.row.id} call={call} ticked={unclear ?? []} />
          ))}
          {more && <p class="hint">There are more; they are shown when these are decided.</p>}
          <div class="decide flat">
            <p class="hint">Decides what is ticked.</p>
            <button class="danger" type="submit" name="decision" value="reject">
              Reject
            </button>
            <button class="primary" type="submit" name="decision" value="approve">
              Approve and send
            </button>
          </div>
        </ActionForm>
      )}
    </Layout>
  )
}

/** More came after the page was made: they are shown when the reader wants it. */
export function NewWaiting({ count }: { readonly count: number }): JSX.Element | null {
  return count === 0 ? null : (
    <p class="notice warn">
      {`${counted(count, 'new call')} ${count === 1 ? 'waits' : 'wait'}. `}
      <a href="/waiting">Show</a>
    </p>
  )
}

function Waiting({ call, ticked }: { readonly call: WaitingCall; readonly ticked: readonly string[] }): JSX.Element {
  const { row, keyName, equal, appName, endpoint, input, hash } = call
  const value = `${row.id} ${hash ?? ''}`
  const title = endpoint?.summary ?? labelOf(row.endpoint)
  const long = isLong(input)
  return (
    <article class="card">
      <p class="eyebrow">
        {appName} · <Text value={row.account_label} /> · asked by the key{' '}
        <strong>
          <Text value={keyName} />
        </strong>
        , <Time at={row.created_at} />
      </p>
      <h2>
        {hash === undefined || long ? (
          title
        ) : (
          <label class="tick">
            <input type="checkbox" name="call" value={value} checked={ticked.includes(value)} /> {title}
          </label>
        )}
      </h2>
      <Warnings equal={equal} input={long ? undefined : input} changed={hash === undefined} />
      {long ? (
        <p class="notice">
          What would be sent is too long for this list:{' '}
          <a href={`/confirm/${row.id}`}>read it, and decide, on its own page</a>.
        </p>
      ) : (
        <Fields value={input} schema={endpoint?.inputSchema} />
      )}
      <p class="hint">
        {row.expires_at !== null && `${inWords(row.expires_at.getTime() - Date.now())} left · `}
        {counted(row.credits, 'credit')} when done · <a href={`/confirm/${row.id}`}>on its own page</a>
      </p>
    </article>
  )
}
