import type { JSX } from 'preact'
import type { RoundTimes } from '../../core/approvals/seen.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import type { StoryEvent } from '../../core/calls/story-rows.ts'
import type { LedgerLine } from '../../core/credits/statement.ts'
import { isFinal } from '../../schemas/call.ts'
import { byWhom, decisions } from '../parts/call-status-text.ts'
import { statusWords } from '../parts/dashboard.tsx'
import { Text } from '../parts/text.tsx'
import { counted, Time } from '../parts/time.tsx'
import type { CallStory } from './call-story.ts'
import { lookSteps, span, toldStep, trySteps } from './timeline-steps.ts'
import type { Step } from './timeline-steps.ts'

interface TimelineProps {
  readonly row: CallRow
  readonly appName: string
  readonly story: CallStory
  readonly swap?: boolean
}

/** Timeline of a call, from accepted to settled. */
export function Timeline({ row, appName, story, swap }: TimelineProps): JSX.Element {
  const end = endOf(row, story.credits)
  const steps = [
    accepted(row, story.keyName),
    ...lookedUp(row, appName),
    ...story.told.map(toldStep),
    ...story.events.flatMap((event) => eventStep(event, appName)),
    ...story.rounds.flatMap((one) => roundSteps(one, appName)),
    ...trySteps(row, appName, story.steps ?? [], end),
    ...heldStep(story, appName),
    ...rowSteps(row, end),
    ...creditSteps(row, story.credits),
    ...lookSteps(story.look, appName),
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

/** Labels of credit movements. */
export const moved: Readonly<Record<LedgerLine['kind'], string>> = {
  reserve: 'set aside',
  capture: 'charged',
  release: 'returned',
  refund: 'refunded by an operator',
}

function accepted(row: CallRow, keyName: string): Step {
  return {
    at: row.created_at,
    text: (
      <>
        Requested with the key{' '}
        <strong>
          <Text value={keyName} />
        </strong>
      </>
    ),
  }
}

function lookedUp({ previewed_at: at }: CallRow, appName: string): readonly Step[] {
  return at === null ? [] : [{ at, text: `Details looked up in ${appName}` }]
}

function eventStep({ at, action, isOwn, paused, places, reason }: StoryEvent, appName: string): readonly Step[] {
  const who = isOwn ? 'You' : 'The operator'
  switch (action) {
    case 'account.connected':
      return [{ at, text: `You signed in to ${appName} again` }]
    case 'call.changed':
      return [
        {
          at,
          text:
            places === 0
              ? 'You changed it back to what the agent asked for'
              : `You changed what it says${places === null ? '' : `, in ${counted(places, 'place')}`}`,
        },
      ]
    case 'call.cancelled':
      return [
        {
          at,
          text: (
            <>
              The operator took it back
              {reason !== null && (
                <>
                  {': '}
                  <q>
                    <Text value={reason} />
                  </q>
                </>
              )}
            </>
          ),
        },
      ]
    case 'pause.lifted':
      return [{ at, text: `${who} asked for another try` }]
    case 'app.paused':
      return [{ at, text: paused === true ? `${who} paused ${appName}` : `${who} let ${appName} go on` }]
    case 'endpoint.paused':
      return [{ at, text: paused === true ? `${who} paused this action` : `${who} let this action go on` }]
  }
}

/** A round that was approved and not sent. */
function roundSteps({ round, by, approvedAt, endedAt }: RoundTimes, appName: string): readonly Step[] {
  const who = by.startsWith('sta_') ? 'by your standing approval' : 'by you'
  return [
    { at: approvedAt, text: `Approved ${who}, time ${round}` },
    { at: endedAt, text: `Not sent: what it is about had changed in ${appName}. Asked again, time ${round + 1}` },
  ]
}

/** Attempts in the Temporal history show this; without it, the row knows the last time. */
function heldStep({ heldSince: at, steps }: CallStory, appName: string): readonly Step[] {
  if (at === undefined || steps?.some(({ outcome }) => outcome === 'reconnect') === true) return []
  return [{ at, text: `${appName} wanted you to sign in again` }]
}

/** When the call settled. A resolution updates `updated_at`: then the ledger's release dates it. */
function endOf(row: CallRow, credits: readonly LedgerLine[]): Date | undefined {
  if (!isFinal(row.status)) return undefined
  return row.resolution === null ? row.updated_at : credits.findLast(({ kind }) => kind === 'release')?.at
}

function rowSteps(row: CallRow, end: Date | undefined): readonly Step[] {
  const steps: Step[] = []
  if (row.decision !== null && row.decided_at !== null)
    steps.push({ at: row.decided_at, text: <Decided row={row} at={row.decided_at} /> })
  if (end !== undefined) steps.push({ at: end, text: `Ended: ${statusWords[row.status]}` })
  if (row.resolution) {
    const by = row.resolution.by === 'owner' ? '' : ' by the operator'
    const what = row.resolution.happened ? 'did happen' : 'did not happen'
    steps.push({ at: new Date(row.resolution.at), text: `Recorded${by}: it ${what}` })
  }
  return steps
}

function Decided({ row, at }: { row: CallRow; at: Date }): JSX.Element {
  const waited = at.getTime() - row.created_at.getTime()
  const decision = row.decision === null ? '' : decisions[row.decision]
  if (row.decided_by?.startsWith('sta_') === true)
    return (
      <>
        {decision} by your <a href={`/standing/${row.decided_by}`}>standing approval</a>
      </>
    )
  return (
    <>
      {decision}
      {row.decision !== 'expired' && ` ${byWhom(row)}`}
      {`, after waiting ${span(waited)}`}
    </>
  )
}

/** The ledger records transaction start, slightly before the event that it belongs to. */
function creditSteps(row: CallRow, credits: readonly LedgerLine[]): readonly Step[] {
  return credits.map(({ at, kind, amount }) => ({
    at: kind === 'capture' ? row.updated_at : at < row.created_at ? row.created_at : at,
    text: `${counted(amount, 'credit')} ${moved[kind]}`,
  }))
}
