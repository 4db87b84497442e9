import type { JSX } from 'preact'
import type { CallRow } from '../../core/calls/rows.ts'
import type { Look } from '../../core/calls/findings.ts'
import type { App, Endpoint } from '../../connectors/registry.ts'
import { isFinal } from '../../schemas/call.ts'
import type { Viewer } from '../parts/layout.tsx'
import { actionOf } from '../parts/declared.ts'
import { ActionForm } from '../parts/dashboard.tsx'
import { LookInApp, isVerified } from './look-parts.tsx'
import { readsThatShow } from './reads-that-show.ts'

/** Actions that the owner can take now. `swap`: replaces the one on an open page (htmx). */
export function CallActions(props: {
  readonly viewer: Viewer
  readonly row: CallRow
  /** Undefined if the app no longer exists. */
  readonly app: App | undefined
  /** Verification of a call that ended `unknown`. */
  readonly look?: Look | undefined
  readonly swap?: boolean
}): JSX.Element {
  const { viewer, row, app, look, swap } = props
  const write = app?.endpoints.get(row.endpoint)
  return (
    <div id="actions" hx-swap-oob={swap === true ? 'outerMorph' : undefined}>
      {row.status === 'unknown' && app && write && isVerified(write) && (
        <LookInApp viewer={viewer} row={row} app={app} write={write} look={look} />
      )}
      <Action viewer={viewer} row={row} app={app} write={write} />
    </div>
  )
}

interface ActionProps {
  readonly viewer: Viewer
  readonly row: CallRow
  readonly app: App | undefined
  readonly write: Endpoint | undefined
}

function Action({ viewer, row, app, write }: ActionProps): JSX.Element | null {
  const action = `/calls/${row.id}`
  if (row.status === 'unknown' && row.resolution === null)
    return (
      <ActionForm viewer={viewer} action={action} class="row buttons" label="Did it happen?">
        <div>
          <h2>Did it happen?</h2>
          <p>Check in the app. Your answer is recorded once, and nothing is sent because of it.</p>
          {app && !(write && isVerified(write)) && (
            <Reads
              row={row}
              app={app}
              reads={write ? readsThatShow(app, write) : []}
              lead="You can look from here, too:"
            />
          )}
        </div>
        <button class="quiet" type="submit" name="action" value="happened">
          Yes, it happened
        </button>
        <button class="quiet" type="submit" name="action" value="did-not-happen">
          No, it did not
        </button>
      </ActionForm>
    )
  if (isFinal(row.status) || row.send !== 'ready') return null
  return (
    <ActionForm viewer={viewer} action={action} class="row buttons" label="Take back">
      {row.status === 'awaiting_confirmation' && (
        <a class="button primary" href={`/confirm/${row.id}`}>
          Read and decide
        </a>
      )}
      <button class="quiet" type="submit" name="action" value="cancel">
        Take it back
      </button>
    </ActionForm>
  )
}

/** Links to reads as prefilled forms, which run only when submitted. */
export function Reads(props: {
  readonly row: CallRow
  readonly app: App
  readonly reads: readonly Endpoint[]
  readonly lead: string
}): JSX.Element {
  const { row, app, reads, lead } = props
  return (
    <p class="hint">
      {lead}{' '}
      {reads.length === 0 ? (
        <a href={`/play?app=${app.slug}`}>the reads of {app.name}</a>
      ) : (
        reads.map((read, index) => (
          <>
            {index > 0 && ' or '}
            <a key={read.name} href={`/play/${app.slug}/${read.name}?call=${row.id}`}>
              {actionOf(read, read.name)}
            </a>
          </>
        ))
      )}
    </p>
  )
}
