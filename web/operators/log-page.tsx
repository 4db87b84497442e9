import type { JSX } from 'preact'
import { Time } from '../parts/time.tsx'
import { Text } from '../parts/text.tsx'
import { Frame } from './frame.tsx'
import type { Operator } from '../../core/http/operator-session.ts'

/** An entry of the audit log. */
export interface Done {
  readonly at: Date
  readonly actor: string
  readonly action: string
  readonly detail: Readonly<Record<string, unknown>>
}

export function LogPage(props: {
  readonly operator: Operator
  readonly entries: readonly Done[]
  readonly temporalUiUrl: string
}): JSX.Element {
  const { operator, entries, temporalUiUrl } = props
  return (
    <Frame title="Log" operator={operator} temporalUiUrl={temporalUiUrl}>
      <h1>Log</h1>
      <p class="lead">The last 200 things that operators did, newest first.</p>
      {entries.length === 0 ? (
        <p class="empty">Nothing yet.</p>
      ) : (
        <ul class="accounts">
          {entries.map((entry, index) => (
            <li key={index}>
              <p>
                <strong>{entry.action}</strong>{' '}
                {typeof entry.detail['call'] === 'string' && (
                  <a href={`/calls/${entry.detail['call']}`}>
                    <code>{entry.detail['call']}</code>
                  </a>
                )}
              </p>
              <Detail detail={entry.detail} />
              <p class="hint">
                <Time at={entry.at} /> · {entry.actor}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Frame>
  )
}

/** An entry's details, except for its owner and call. */
export function Detail({ detail }: { readonly detail: Done['detail'] }): JSX.Element | null {
  const told = Object.entries(detail).filter(([name]) => name !== 'call' && name !== 'owner')
  if (told.length === 0) return null
  return (
    <p>
      <Text
        value={told
          .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
          .join(', ')}
      />
    </p>
  )
}
