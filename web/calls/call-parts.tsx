import type { ComponentChildren, JSX } from 'preact'
import type { RoundTimes } from '../../core/approvals/seen.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import type { LedgerLine } from '../../core/credits/statement.ts'
import type { Look } from '../../core/calls/findings.ts'
import type { RunStep } from '../../core/calls/run-steps.ts'
import type { App, Endpoint } from '../../connectors/registry.ts'
import { isFinal } from '../../schemas/call.ts'
import type { Viewer } from '../parts/layout.tsx'
import { byWhom, decisions } from '../parts/call-status-text.ts'
import { actionOf } from '../parts/declared.ts'
import { Text } from '../parts/text.tsx'
import { counted, inWords, Time } from '../parts/time.tsx'
import type { CallStory } from './call-story.ts'
import { ActionForm, statusWords } from '../parts/dashboard.tsx'
import { LookInApp, isVerified } from './look-parts.tsx'
import { readsThatShow } from './reads-that-show.ts'

/** What its owner can do with a call now. `swap`: takes the place of the one on an open page. */
export function CallActions(props: {
  readonly viewer: Viewer
  readonly row: CallRow
  /** Undefined when there is no such app any more. */
  readonly app: App | undefined
  /** What was asked of the app since it ended unknown. */
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
          <p>Look in the app: did it happen? Your answer is recorded once; nothing is sent because of it.</p>
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
      {row.status === 'awaiting_confirmation' && <a href={`/confirm/${row.id}`}>Read and decide</a>}
      <button class="quiet" type="submit" name="action" value="cancel">
        Take it back
      </button>
    </ActionForm>
  )
}

/** Where the person may look: each leads to a form that has what the call said, and runs only when it is sent. */
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

interface TimelineProps {
  readonly row: CallRow
  readonly appName: string
  readonly story: CallStory
  readonly swap?: boolean
}

/** What happened when, from accepted to settled. */
export function Timeline({ row, appName, story, swap }: TimelineProps): JSX.Element {
  const end = endOf(row, story.credits)
  const steps = [
    accepted(row, story.keyName),
    ...trySteps(row, appName, story.steps ?? [], end),
    ...story.rounds.flatMap((one) => roundSteps(one, appName)),
    ...story.signIns.map(({ kind, at }) => ({
      at,
      text: kind === 'needed' ? `${appName} wanted you to sign in again` : `You signed in to ${appName} again`,
    })),
    ...rowSteps(row, end),
    ...creditSteps(row, story.credits),
  ]
  return (
    <ol class="timeline" id="timeline" hx-swap-oob={swap === true ? 'outerMorph' : undefined}>
      {steps
        .toSorted((a, b) => a.at.getTime() - b.at.getTime())
        .map(({ at, text }, index) => (
          <li key={index}>
            <span class="hint">
              <Time at={at} seconds />
            </span>{' '}
            {text}
          </li>
        ))}
    </ol>
  )
}

interface Step {
  readonly at: Date
  readonly text: ComponentChildren
}

/** What became of credits. */
export const moved: Readonly<Record<LedgerLine['kind'], string>> = {
  reserve: 'held for it',
  capture: 'used',
  release: 'given back',
  refund: 'refunded by an operator',
}

function accepted(row: CallRow, keyName: string): Step {
  return {
    at: row.created_at,
    text: (
      <>
        Accepted, asked by the key{' '}
        <strong>
          <Text value={keyName} />
        </strong>
      </>
    ),
  }
}

/** The ledger's clock is that of its transaction's beginning, which is a little before what it is about. */
function creditSteps(row: CallRow, credits: readonly LedgerLine[]): Step[] {
  return credits.map(({ at, kind, amount }) => ({
    at: kind === 'capture' ? row.updated_at : at < row.created_at ? row.created_at : at,
    text: `${counted(amount, 'credit')} ${moved[kind]}`,
  }))
}

/** A time that it was asked, approved and not sent. */
function roundSteps({ round, by, approvedAt, endedAt }: RoundTimes, appName: string): Step[] {
  const who = by.startsWith('sta_') ? 'by your standing approval' : 'by you'
  return [
    { at: approvedAt, text: `Approved ${who}, time ${round}` },
    { at: endedAt, text: `Not sent: what it is about had changed in ${appName}. Asked again, time ${round + 1}` },
  ]
}

/** When it ended. A resolution changed `updated_at` since: then the ledger knows, if credits were held for it. */
function endOf(row: CallRow, credits: readonly LedgerLine[]): Date | undefined {
  if (!isFinal(row.status)) return undefined
  return row.resolution === null ? row.updated_at : credits.findLast(({ kind }) => kind === 'release')?.at
}

function rowSteps(row: CallRow, end: Date | undefined): Step[] {
  const steps: Step[] = []
  if (row.decision !== null && row.decided_at !== null)
    steps.push({ at: row.decided_at, text: <Decided row={row} at={row.decided_at} /> })
  if (end !== undefined) steps.push({ at: end, text: `Ended: ${statusWords[row.status]}` })
  if (row.resolution)
    steps.push({
      at: new Date(row.resolution.at),
      text: `Recorded: it ${row.resolution.happened ? 'did happen' : 'did not happen'}`,
    })
  return steps
}

function Decided({ row, at }: { row: CallRow; at: Date }): JSX.Element {
  const waited = at.getTime() - row.created_at.getTime()
  const decision = row.decision === null ? '' : decisions[row.decision]
  return (
    <>
      {row.decided_by?.startsWith('sta_') === true ? (
        <>
          {decision} by your <a href={`/standing/${row.decided_by}`}>standing approval</a>
        </>
      ) : (
        <>
          {decision}
          {row.decision !== 'expired' && ` ${byWhom(row)}`}
          {`, after it waited ${span(waited)}`}
        </>
      )}
    </>
  )
}

function trySteps(row: CallRow, appName: string, steps: readonly RunStep[], end: Date | undefined): Step[] {
  const reached = row.status === 'executed' || row.status === 'unknown' || row.send === 'sending'
  return steps.map(({ kind, at, after }) => ({
    // The engine hears of an answer once it is settled.
    at: end !== undefined && at > end ? end : at,
    text:
      kind === 'queued'
        ? `In line, at the pace that ${appName} allows`
        : kind === 'taken'
          ? `${reached ? `Sent to ${appName}` : 'Its turn came'}, ${span(after)} in line`
          : `${row.status === 'executed' ? `${appName} answered` : 'That try was over'}, after ${span(after)}`,
  }))
}

/** Short spans to the millisecond, as most of what programs do would be 0 seconds. */
function span(ms: number): string {
  return ms < 10_000 ? `${Math.max(0, Math.round(ms)).toLocaleString('en-GB')} ms` : inWords(ms)
}
