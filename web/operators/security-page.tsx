import type { JSX } from 'preact'
import { mostSubjects } from '../../core/security-log.ts'
import type { SecurityEntry, SecurityKind } from '../../core/security-log.ts'
import { Text } from '../parts/text.tsx'
import { Time } from '../parts/time.tsx'
import { Frame } from './frame.tsx'
import type { Operator } from '../../core/http/operator-session.ts'
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
  host_refused: 'Name that is not this gateway’s',
  key_refused: 'Key or token that is not valid',
  access_refused: 'Key that asked for more than it may',
  grant_ended: 'Program’s code or token that came twice; its grant was ended',
  row_tampered: 'Row that does not verify; what it would allow was refused',
}

interface Today {
  readonly kind: SecurityKind
  readonly times: number
}

const columns: readonly Column<SecurityEntry>[] = [
  { label: 'What', cell: ({ kind }) => words[kind] ?? kind },
  { label: 'From', cell: ({ address }) => (address === '' ? '—' : <Text value={address} />) },
  { label: 'About', cell: ({ subjects }) => <Subjects subjects={subjects} /> },
  { label: 'Times', cell: ({ times }) => times, number: true },
  { label: 'Minute', cell: ({ minute }) => <Time at={minute} /> },
]

const ofToday: readonly Column<Today>[] = [
  { label: 'In the last 24 hours', cell: ({ kind }) => <a href={`/security?kind=${kind}`}>{words[kind] ?? kind}</a> },
  { label: 'Times', cell: ({ times }) => times, number: true },
]

/** Refused requests, as an attack would cause them. */
export function SecurityPage(props: {
  readonly operator: Operator
  readonly entries: readonly SecurityEntry[]
  /** All kinds. */
  readonly today: readonly Today[]
  /** Filter; undefined: all. */
  readonly kind: SecurityKind | undefined
  readonly temporalUiUrl: string
}): JSX.Element {
  const { operator, entries, today, kind, temporalUiUrl } = props
  return (
    <Frame title="Security" operator={operator} temporalUiUrl={temporalUiUrl} wide>
      <h1>Security</h1>
      {today.length > 0 && <Table label="In the last 24 hours" columns={ofToday} rows={today} />}
      <h2>{kind === undefined ? 'All of them' : words[kind]}</h2>
      <p class="lead">
        The last 200 by minute and address, newest first, with the ids of keys and rows where they are known. They are
        kept for 90 days. {kind !== undefined && <a href="/security">Show all kinds</a>}
      </p>
      {entries.length === 0 ? (
        <p class="empty">Nothing yet.</p>
      ) : (
        <Table label="Refusals" columns={columns} rows={entries} />
      )}
    </Frame>
  )
}

function Subjects({ subjects }: Pick<SecurityEntry, 'subjects'>): JSX.Element {
  const known = subjects.slice(0, mostSubjects)
  const rest = known.slice(shownSubjects)
  return (
    <>
      {known.slice(0, shownSubjects).map(line)}
      {rest.length > 0 && (
        <details>
          <summary>{rest.length} more</summary>
          {rest.map(line)}
        </details>
      )}
      {subjects.length > mostSubjects && 'and others'}
    </>
  )
}

/** Subjects shown per row; the others are folded. */
const shownSubjects = 10
const line = (subject: string): JSX.Element => (
  <div key={subject}>
    <code class="wrap">{subject}</code>
  </div>
)
