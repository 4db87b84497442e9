import type { ComponentChildren } from 'preact'
import type { Finding } from '../../core/calls/finding.ts'
import type { Look } from '../../core/calls/findings.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import type { RunStep } from '../../core/calls/run-steps.ts'
import type { Told } from '../../core/calls/story-rows.ts'
import { counted, inWords } from '../parts/time.tsx'

/** A step of a call's timeline. */
export interface Step {
  readonly at: Date
  readonly text: ComponentChildren
}

const channels: Readonly<Record<Told['channel'], string>> = {
  email: 'You were told by email',
  push: 'You were told on a device',
  ntfy: 'You were told by ntfy',
  webhook: 'A webhook was told',
}

export function toldStep({ at, channel, kind }: Told): Step {
  return { at, text: `${channels[channel]} ${kind === 'call.waiting' ? 'that it waits' : 'how it ended'}` }
}

/** Each attempt to send, from the Temporal history. */
export function trySteps(
  row: CallRow,
  appName: string,
  steps: readonly RunStep[],
  end: Date | undefined,
): readonly Step[] {
  const reached = row.status === 'executed' || row.status === 'unknown' || row.send === 'sending'
  return steps.flatMap((step, index) => {
    // Temporal records an answer only after it was settled.
    const at = end !== undefined && step.at > end ? end : step.at
    const last = !steps.slice(index + 1).some(({ kind }) => kind === step.kind)
    const text =
      step.kind === 'queued'
        ? `Queued, at the pace that ${appName} allows`
        : step.kind === 'taken'
          ? `${reached && last ? `Sent to ${appName}` : 'Its turn came'}, after ${span(step.after)} in the queue`
          : cameBack(row, appName, step)
    return text === undefined ? [] : [{ at, text }]
  })
}

/** Result of an attempt; undefined where other steps show it. */
function cameBack(row: CallRow, appName: string, { outcome, after }: RunStep): string | undefined {
  switch (outcome) {
    case 'blocked':
      return `${appName} refused access, so nothing was done. It will be tried again later`
    case 'rate_limited':
      return `${appName} asked for a slower pace, so nothing was done. It will be tried again later`
    case 'reconnect':
      return `${appName} wanted you to sign in again, so nothing was done yet`
    case 'asked_again':
      return undefined
    case 'again':
      return 'The attempt broke off before anything was sent, so it is tried again'
    case 'final':
    case undefined:
      if (row.status === 'executed') return `${appName} answered, after ${span(after)}`
      return row.status === 'unknown'
        ? `No answer from ${appName} that says whether it happened, after ${span(after)}`
        : `Attempt ended after ${span(after)}`
  }
}

/** Verification of a call that ended `unknown`. */
export function lookSteps(look: Look | undefined, appName: string): readonly Step[] {
  if (look === undefined) return []
  const { askedAt, foundAt, finding } = look
  const byItself = foundAt?.getTime() === askedAt.getTime()
  const asked = byItself ? [] : [{ at: askedAt, text: `You had Callgate look for it in ${appName}` }]
  if (foundAt === null || finding === null || foundAt < askedAt) return asked
  return [...asked, { at: foundAt, text: `${byItself ? `Looked for in ${appName}: ` : 'Found: '}${found(finding)}` }]
}

function found(finding: Finding): string {
  if (finding.kind === 'found') return counted(finding.count, 'thing that fits', 'things that fit')
  return finding.kind === 'nothing' ? 'nothing that fits, which proves nothing' : 'the app did not tell'
}

/** Durations below 10 s in ms: most automatic steps would show as 0 seconds. */
export function span(ms: number): string {
  return ms < 10_000 ? `${Math.max(0, Math.round(ms)).toLocaleString('en-GB')} ms` : inWords(ms)
}
