import type { JSX } from 'preact'
import type { CallRecord } from '../../core/calls/record.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import { Time } from '../parts/time.tsx'
import { connectPath } from '../parts/told-view.ts'
import type { ToldView } from '../parts/told-view.ts'

interface PreparingProps {
  readonly row: CallRow
  readonly record: CallRecord
  readonly appName: string
  readonly told: ToldView
  readonly sessionIsLost: boolean
}

/** Which part of the request or preview is still missing. */
export function Preparing(props: PreparingProps): JSX.Element | null {
  const { row, record, appName, told } = props
  if (record.waiting_for === 'reconnect') return <SignInFirst {...props} />
  if (row.request === null) return <NotYet row={row} appName={appName} />
  if (!told.isLookingUp) return null
  return (
    <p class="notice" role="status">
      Looking it up in {appName}… It appears here in a moment; you can also decide without it.{' '}
      <noscript>
        <a href={`/confirm/${row.id}`}>Look again</a>
      </noscript>
    </p>
  )
}

/** Approval is blocked until the exact request is known. */
function NotYet({ row, appName }: Pick<PreparingProps, 'row' | 'appName'>): JSX.Element {
  const { prepare_at: next, prepare_tries: tries } = row
  return (
    <p class="notice" role="status">
      Callgate is still asking {appName} what is needed to show exactly what will be sent. You can approve it as soon as
      it is shown; you can reject it now.
      {tries > 0 && next !== null && (
        <>
          {' '}
          No useful answer from {appName} yet; next try at <Time at={next} seconds />.
        </>
      )}
    </p>
  )
}

function SignInFirst({ row, appName, told, sessionIsLost }: PreparingProps): JSX.Element {
  const why = sessionIsLost
    ? `Callgate has no session of ${appName} any more that it can open`
    : `You are signed out of ${appName}`
  const link = (
    <a href={connectPath(row)}>
      {sessionIsLost ? 'Connect' : 'Sign in to'} {appName} again
    </a>
  )
  if (row.request === null)
    return (
      <p class="notice warn">
        {why}, and {sessionIsLost ? 'it' : 'Callgate'} has to ask the app what is needed to show exactly what will be
        sent. {link}, then come back here to approve. You can reject it now.
      </p>
    )
  return (
    <p class="notice warn">
      {why}, so {told.things.length === 0 ? 'nothing' : 'no more than this'} could be looked up there. {link}, then come
      back here to see it. It would wait for that even if you approve it now.
    </p>
  )
}
