import type { JSX } from 'preact'
import type { CallRow } from '../../core/calls/rows.ts'
import type { Asking } from '../queries.ts'
import { MetadataList } from '../parts/metadata.tsx'
import { Text } from '../parts/text.tsx'
import { Time } from '../parts/time.tsx'
import { AgentSays } from './reason.tsx'

interface AskerProps {
  readonly row: CallRow
  readonly appName: string
  readonly asking: Asking
  /** The agent's reason for the call. */
  readonly why: string | undefined
}

/** The principal, the account it acts for, and the client: verified facts before its own claims. */
export function Asker({ row, appName, asking, why }: AskerProps): JSX.Element {
  return (
    <div class="asker">
      <p data-read>
        {asking.isGrant ? 'Requested by the program ' : 'Requested with the API key '}
        <strong>
          <Text value={asking.name} />
        </strong>{' '}
        for the account{' '}
        <strong>
          <Text value={row.account_label} />
        </strong>{' '}
        of {appName}
        {row.account_origin !== '' && (
          <>
            {' '}
            at{' '}
            <strong class="mono at">
              <Text value={row.account_origin} />
            </strong>
          </>
        )}
        , <Time at={row.created_at} />.
      </p>
      <ProgramSays client={row.client} />
      <AgentSays why={why} />
      <MetadataList metadata={row.metadata} />
    </div>
  )
}

/** Self-reported by the client and unverified, so it is quoted. */
export function ProgramSays({ client }: { readonly client: string | null }): JSX.Element | null {
  if (client === null) return null
  return (
    <p class="says" data-read>
      The program calls itself:{' '}
      <q>
        <Text value={client} />
      </q>
    </p>
  )
}
