import type { ComponentChildren, JSX } from 'preact'
import type { CallRow } from '../../../activities/db/calls.ts'
import type { LedgerLine } from '../../../activities/db/statement.ts'
import type { CallRecord } from '../../../activities/record.ts'
import type { Endpoint } from '../../../connectors/registry.ts'
import { isFinal } from '../../../schemas/call.ts'
import { CallStatus } from '../call-status.tsx'
import { Layout } from '../layout.tsx'
import type { Viewer } from '../layout.tsx'
import { Text } from '../text.tsx'
import { counted, Time } from '../time.tsx'
import { Fields, labelOf } from '../value.tsx'
import { ActionForm, Said } from './parts.tsx'

interface CallProps {
  readonly viewer: Viewer
  readonly row: CallRow
  readonly record: CallRecord
  readonly appName: string
  readonly endpoint: Endpoint | undefined
  readonly keyName: string
  /** Undefined once it has been deleted. */
  readonly input: object | undefined
  readonly credits: readonly LedgerLine[]
  /** The call's run in the Temporal UI. */
  readonly runUrl: string
  readonly said: string | null
}

const told: Readonly<Record<string, string>> = {
  cancelled: 'Taken back. Nothing was sent.',
  'too-late': 'It could not be taken back any more: its sending had begun, or it was over.',
  recorded: 'Recorded.',
}

export function CallPage(props: CallProps): JSX.Element {
  const { viewer, row, record, appName, endpoint, input, runUrl } = props
  const open = row.status === 'awaiting_confirmation'
  return (
    <Layout title={`${row.app}.${row.endpoint}`} viewer={viewer} refresh={record.status === 'running' ? 3 : undefined}>
      <p class="eyebrow">
        <a href="/calls">Calls</a> · <code>{row.id}</code>
      </p>
      <h1>{endpoint?.summary ?? labelOf(row.endpoint)}</h1>
      <Said what={props.said} words={told} />
      <article class="card">
        <CallStatus row={row} record={record} appName={appName} open={open} outputSchema={endpoint?.outputSchema} />
        <Actions {...props} />
        <h2>What happened when</h2>
        <ol class="timeline">{timeline(props)}</ol>
        <p class="hint">
          <a href={runUrl}>Its run in the Temporal UI</a> · kept until the engine's retention is over
        </p>
        <h2>What it said</h2>
        {input === undefined ? (
          <p class="empty">The content has been deleted.</p>
        ) : (
          <Fields value={input} schema={endpoint?.inputSchema} />
        )}
      </article>
    </Layout>
  )
}

function Actions({ viewer, row }: CallProps): JSX.Element | null {
  const action = `/calls/${row.id}`
  if (row.status === 'unknown' && row.resolution === null)
    return (
      <ActionForm viewer={viewer} action={action} class="row" label="Did it happen?">
        <p>Look in the app: did it happen? Your answer is recorded once; nothing is sent because of it.</p>
        <button class="quiet" type="submit" name="action" value="happened">
          Yes, it happened
        </button>
        <button class="quiet" type="submit" name="action" value="did-not-happen">
          No, it did not
        </button>
      </ActionForm>
    )
  if (isFinal(row.status)) return null
  return (
    <ActionForm viewer={viewer} action={action} class="row" label="Take back">
      {row.status === 'awaiting_confirmation' && <a href={`/confirm/${row.id}`}>Read and decide</a>}
      <button class="quiet" type="submit" name="action" value="cancel">
        Take it back
      </button>
    </ActionForm>
  )
}

const moved: Readonly<Record<LedgerLine['kind'], string>> = {
  reserve: 'held for it',
  capture: 'used',
  release: 'given back',
  refund: 'refunded by an operator',
}

function timeline({ row, keyName, credits }: CallProps): JSX.Element[] {
  const steps: { readonly at: Date; readonly text: ComponentChildren }[] = [
    {
      at: row.created_at,
      text: (
        <>
          Accepted, asked by the key{' '}
          <strong>
            <Text value={keyName} />
          </strong>
        </>
      ),
    },
    // The ledger's clock is that of the transaction's beginning.
    ...credits.map(({ at, kind, amount }) => ({
      at: at < row.created_at ? row.created_at : at,
      text: `${counted(amount, 'credit')} ${moved[kind]}`,
    })),
  ]
  if (row.decision !== null && row.decided_at !== null)
    steps.push({
      at: row.decided_at,
      text: `${labelOf(row.decision)}${row.decided_by === row.owner ? ' by you' : ''}`,
    })
  if (row.attempt > 0) steps.push({ at: row.updated_at, text: `Attempt ${row.attempt + 1}` })
  if (isFinal(row.status)) steps.push({ at: row.updated_at, text: `Ended: ${row.status}` })
  if (row.resolution)
    steps.push({
      at: new Date(row.resolution.at),
      text: `Recorded: it ${row.resolution.happened ? 'did happen' : 'did not happen'}`,
    })
  return steps
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .map(({ at, text }, index) => (
      <li key={index}>
        <span class="hint">
          <Time at={at} />
        </span>{' '}
        {text}
      </li>
    ))
}
