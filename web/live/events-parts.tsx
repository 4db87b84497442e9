import { createHash } from 'node:crypto'
import type { ComponentChildren, JSX } from 'preact'
import type { CallRow } from '../../core/calls/rows.ts'
import type { CallRecord } from '../../core/calls/record.ts'
import type { App } from '../../connectors/registry.ts'
import { isFinal } from '../../schemas/call.ts'
import { CallStatus } from '../parts/call-status.tsx'
import { Facts } from '../confirm/parts.tsx'
import { endedTitle } from '../parts/call-status-text.ts'
import { actionOf } from '../parts/declared.ts'
import { CallActions } from '../calls/call-parts.tsx'
import { Timeline } from '../calls/timeline.tsx'
import type { CallStory } from '../calls/call-story.ts'
import type { Viewer } from '../parts/layout.tsx'

/** Hash of what a page about a call shows: equal for pages that look the same. */
export function stateOf(row: CallRow, record: CallRecord): string {
  const { status, updated_at, attempt, send, decision, resolution } = row
  // A preview that was read again without changes changes nothing.
  const version = status === 'awaiting_confirmation' ? row.revision : updated_at
  const shown = [status, version, attempt, send, decision, resolution, record.waiting_for, record.retry_at]
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 16)
}

/** A call's status on a page, updated by its event stream until the call is final. */
export function LiveStatus(props: {
  readonly row: CallRow
  readonly record: CallRecord
  readonly children: ComponentChildren
}): JSX.Element {
  const { row, record, children } = props
  if (isFinal(row.status)) return <div>{children}</div>
  return (
    <div aria-live="polite" hx-sse:connect={`/calls/${row.id}/events?seen=${stateOf(row, record)}`} hx-sse:close="end">
      {children}
    </div>
  )
}

/** The streamed update: the status, and related parts, which pages without them ignore. */
export function CallChange(props: {
  readonly viewer: Viewer
  readonly row: CallRow
  readonly record: CallRecord
  readonly app: App | undefined
  readonly story: CallStory
}): JSX.Element {
  const { viewer, row, record, app, story } = props
  const name = app?.name ?? row.app
  const action = actionOf(app?.endpoints.get(row.endpoint), row.endpoint)
  if (row.status === 'awaiting_confirmation') return <Anew />
  return (
    <>
      <CallStatus
        row={row}
        record={record}
        appName={name}
        open={false}
        outputSchema={app?.endpoints.get(row.endpoint)?.outputSchema}
      />
      <CallActions viewer={viewer} row={row} app={app} swap />
      <Timeline row={row} appName={name} story={story} swap />
      <form id="decide" hx-swap-oob="delete" />
      <p class="eyebrow" id="asks" hx-swap-oob="outerHTML" data-title={endedTitle(row, action)}>
        {`A call · ${name}`}
      </p>
      <h2 id="content" hx-swap-oob="innerHTML">
        What was asked for
      </h2>
      <Facts row={row} open={false} swap />
      <div id="before" hx-swap-oob="delete" />
      <div id="own" hx-swap-oob="delete" />
    </>
  )
}

/** Asks for a reload: the request must be shown as a whole. Automatic while nothing was typed. */
function Anew(): JSX.Element {
  return (
    <p class="notice" role="status" data-anew>
      There is more to see about this call now. <a href="">Show it</a>, then decide.
    </p>
  )
}
