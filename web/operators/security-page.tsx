import type { JSX } from 'preact'
import type { SecurityEntry, SecurityKind } from '../../core/security-log.ts'
import { Text } from '../parts/text.tsx'
import { Time } from '../parts/time.tsx'
import { Frame } from './frame.tsx'
import type { Operator } from './session.ts'
import { Table } from './table.tsx'
import type { Column } from './table.tsx'

const words: Readonly<Record<SecurityKind, string>> = {
  sign_in_failed: 'Sign-in failed',
  sign_in_slowed: 'Sign-in slowed down',
  reset_asked: 'A link to set a new password, asked for',
  reset_slowed: 'A link to set a new password, refused for too many',
  recovery_used: 'A recovery code, used',
  operator_refused: "Wrong operator's token",
  operator_slowed: "Operator's token slowed down",
  host_refused: 'Unknown name of the admin port',
  key_refused: 'API key that is not valid',
}

const columns: readonly Column<SecurityEntry>[] = [
  { label: 'What', cell: ({ kind }) => words[kind] },
  { label: 'From', cell: ({ address }) => <Text value={address} /> },
  { label: 'Times', cell: ({ times }) => times, number: true },
  { label: 'Minute', cell: ({ minute }) => <Time at={minute} /> },
]

/** Refusals that an attack would leave behind. */
export function SecurityPage(props: {
  readonly operator: Operator
  readonly entries: readonly SecurityEntry[]
  readonly temporalUiUrl: string
}): JSX.Element {
  const { operator, entries, temporalUiUrl } = props
  return (
    <Frame title="Security" operator={operator} temporalUiUrl={temporalUiUrl} wide>
      <h1>Security</h1>
      <p class="lead">The last 200 kinds of refusals by minute and address, newest first. They are kept for 90 days.</p>
      {entries.length === 0 ? (
        <p class="empty">Nothing yet.</p>
      ) : (
        <Table label="Refusals" columns={columns} rows={entries} />
      )}
    </Frame>
  )
}
