import type { JSX } from 'preact'
import { readsThatTell } from '../calls/reads-that-show.ts'
import { ActionForm } from '../parts/dashboard.tsx'
import { actionOf } from '../parts/declared.ts'
import { CallStatus } from '../parts/call-status.tsx'
import { IsSent } from '../parts/value.tsx'
import type { ConfirmProps } from './parts.tsx'

/** For ids that say nothing to the person who is to decide: what Callgate can look up, and what that came to. */
export function LookUp(
  props: ConfirmProps & { readonly input: Readonly<Record<string, unknown>> },
): JSX.Element | null {
  const { viewer, row, app, appName, endpoint, input, things, looked, lookProblem } = props
  const reads = (app && endpoint && readsThatTell(app, endpoint, input, things)) ?? []
  if (reads.length === 0 && looked === undefined && lookProblem === undefined) return null
  return (
    <section id="look" aria-labelledby="look-title">
      <h2 id="look-title">Looked up in {appName}</h2>
      {lookProblem !== undefined && (
        <p class="notice bad" role="alert">
          It was not looked up. {lookProblem}
        </p>
      )}
      {looked && (
        <IsSent.Provider value={false}>
          <CallStatus
            row={looked.row}
            record={looked.record}
            appName={appName}
            open={false}
            outputSchema={looked.read?.outputSchema}
          />
        </IsSent.Provider>
      )}
      {reads.length > 0 && (
        <ActionForm viewer={viewer} action={`/confirm/${row.id}`} class="row buttons" label="Look it up">
          <p class="hint">
            {looked ? 'An id is still not known. ' : 'An id of this call says nothing by itself. '}
            Callgate can look in {appName} for what it stands for. It only reads, and costs no credits.
          </p>
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
