import type { JSX } from 'preact'
import { readsThatTell } from '../calls/reads-that-show.ts'
import { ActionForm } from '../parts/dashboard.tsx'
import { actionOf } from '../parts/declared.ts'
import { CallStatus } from '../parts/call-status.tsx'
import { Fields, IsSent } from '../parts/value.tsx'
import type { LookedUp } from './look-up.ts'
import type { ConfirmProps } from './parts.tsx'

/** Offers reads for ids that the preview does not explain, and shows the result of one. */
export function LookUp(
  props: ConfirmProps & { readonly input: Readonly<Record<string, unknown>> },
): JSX.Element | null {
  const { viewer, row, app, appName, endpoint, input, things, looked, lookProblem } = props
  const reads = (app && endpoint && readsThatTell(app, endpoint, input, things)) ?? []
  if (reads.length === 0 && looked === undefined && lookProblem === undefined) return null
  return (
    <section id="look" class="pile" aria-labelledby="look-title">
      <h2 id="look-title">What its ids stand for</h2>
      {lookProblem !== undefined && (
        <p class="notice bad" role="alert">
          It was not looked up. {lookProblem}
        </p>
      )}
      {looked && <Found looked={looked} appName={appName} isKnown={reads.length === 0} />}
      {reads.length > 0 && (
        <ActionForm viewer={viewer} action={`/confirm/${row.id}`} class="row buttons" label="Look it up">
          <p class="hint">Callgate can look it up in {appName}. It only reads, and costs no credits.</p>
          {reads.map((read) => (
            <button key={read.name} class="quiet" type="submit" name="look" value={read.name}>
              {actionOf(read, read.name)}
            </button>
          ))}
        </ActionForm>
      )}
    </section>
  )
}

function Found(props: {
  readonly looked: LookedUp
  readonly appName: string
  /** All ids of the call are known. */
  readonly isKnown: boolean
}): JSX.Element {
  const { looked, appName, isKnown } = props
  const { row, record, read } = looked
  if (record.status !== 'executed' || typeof record.output !== 'object' || record.output === null)
    return <CallStatus row={row} record={record} appName={appName} open={false} outputSchema={read?.outputSchema} />
  return (
    <>
      <p class="hint" role="status">
        {isKnown ? 'Looked up: what they stand for is told below.' : 'Looked up, and it does not tell of all of them.'}
      </p>
      <details>
        <summary>What {appName} answered</summary>
        <IsSent.Provider value={false}>
          <Fields value={record.output} schema={read?.outputSchema} />
        </IsSent.Provider>
      </details>
    </>
  )
}
