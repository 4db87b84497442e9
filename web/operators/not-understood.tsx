import type { JSX } from 'preact'
import type { ChangedCall } from '../../core/operators/rows.ts'
import { Text } from '../parts/text.tsx'
import { Time } from '../parts/time.tsx'
import { Table } from './table.tsx'

/** What the connector missed in the latest unparsed answers: the app has probably changed. */
export function NotUnderstood({ calls }: { readonly calls: readonly ChangedCall[] }): JSX.Element | null {
  if (calls.length === 0) return null
  return (
    <section class="card" aria-labelledby="not-understood">
      <h2 id="not-understood">Answers that were not understood</h2>
      <Table
        label="Answers that were not understood"
        rows={calls}
        columns={[
          {
            label: 'Call',
            cell: ({ call_id, created_at }) => (
              <a href={`/calls/${call_id}`}>
                <Time at={created_at} />
              </a>
            ),
          },
          { label: 'Endpoint', cell: ({ endpoint }) => <code>{endpoint}</code> },
          { label: 'What was wrong', cell: ({ changed_rule }) => <Text value={changed_rule} /> },
        ]}
      />
    </section>
  )
}
