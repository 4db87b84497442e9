import { confirmUrl } from '../calls/record.ts'
import type { CallKind, Shows } from './rows.ts'

/** Words for a call: Callgate's, except for the gist, which comes from its input and app. */
export interface CallWords {
  readonly app: string
  readonly action: string
  readonly gist: string | undefined
}

/** A call in a notification. */
export interface ToldCall extends CallWords {
  readonly callId: string
  readonly kind: CallKind
  readonly status: string
  /** The name of the key that asked. */
  readonly key: string
  /** When the approval request expires. */
  readonly until: Date | null
}

/** A notification to a user. */
export interface Message {
  readonly title: string
  readonly body: string
  /** The page that it opens. */
  readonly path: string
  /** A newer message replaces an earlier one with the same tag. */
  readonly tag: string
  /** Something awaits the user's approval. */
  readonly urgent: boolean
  /** Time to live in seconds. */
  readonly seconds: number
}

const day = 86_400
const named = 3
const ends: Readonly<Record<string, string>> = {
  executed: 'done',
  failed: 'failed, nothing was changed',
  unknown: 'may or may not have happened',
  expired: 'expired, nothing was sent',
}

/** Short enough for a lock screen; shows no more than the user's setting allows. */
export function messageOf(calls: readonly ToldCall[], shows: Shows, now = Date.now()): Message {
  const waiting = calls.filter(({ kind }) => kind === 'call.waiting')
  const [only, second] = calls
  const last = Math.max(now + 60_000, ...waiting.map(({ until }) => until?.getTime() ?? 0))
  const common = {
    urgent: waiting.length > 0,
    seconds: waiting.length === 0 ? day : Math.min(28 * day, Math.ceil((last - now) / 1000)),
  }
  if (only !== undefined && second === undefined)
    return {
      title: shows === 'count' ? headline(calls) : cut(only.app, 60),
      body: shows === 'count' ? 'Open the page to read it.' : cut(lineOf(only, shows), 200),
      path: only.kind === 'call.waiting' ? `/confirm/${only.callId}` : `/calls/${only.callId}`,
      tag: only.callId,
      ...common,
    }
  const lines = calls.slice(0, named).map((call) => `${cut(call.app, 40)}: ${cut(lineOf(call, shows), 90)}`)
  const more = calls.length > named ? [`and ${calls.length - named} more`] : []
  return {
    title: headline(calls),
    body: shows === 'count' ? 'Open the page to read them.' : [...lines, ...more].join('\n'),
    path: waiting.length > 0 ? '/waiting' : '/calls',
    tag: 'several',
    ...common,
  }
}

/** `3 calls wait for your approval` */
export function headline(calls: readonly Pick<ToldCall, 'kind'>[]): string {
  const waiting = calls.filter(({ kind }) => kind === 'call.waiting').length
  const ended = calls.length - waiting
  const wait =
    waiting === 0 ? [] : [waiting === 1 ? '1 call waits for your approval' : `${waiting} calls wait for your approval`]
  const end = ended === 0 ? [] : [ended === 1 ? '1 call has ended' : `${ended} calls have ended`]
  return [...wait, ...end].join(', ')
}

/** Subject of an email: app, action, gist and key, as far as the user's setting shows them. */
export function subjectOf(calls: readonly ToldCall[], shows: Shows): string {
  const [first, second] = calls
  if (first === undefined || shows === 'count') return headline(calls)
  const line = cut(oneLine(`${first.app}: ${lineOf(first, shows)}`), 120)
  if (second === undefined)
    return `${line} (${cut(oneLine(first.key), 40)} ${first.kind === 'call.waiting' ? 'asks' : 'asked'})`
  return `${headline(calls)}: ${line} and ${calls.length - 1} more`
}

/** `Send an invoice: Ana Prado · 958.28 EUR`, with the result if it has ended. */
export function lineOf({ action, gist, kind, status }: ToldCall, shows: Shows): string {
  const about = shows === 'all' && gist !== undefined ? `: ${gist}` : ''
  return oneLine(`${action}${about}${kind === 'call.final' ? `: ${ends[status] ?? status}` : ''}`)
}

/** The absolute URL of the call's page. */
export function pageOf(publicUrl: string, { kind, callId }: ToldCall): string {
  return kind === 'call.waiting' ? confirmUrl(publicUrl, callId) : `${publicUrl}/calls/${callId}`
}

export const testMessage: Message = {
  title: 'A test from Callgate',
  body: 'This is how you hear of calls here.',
  path: '/notices',
  tag: 'test',
  urgent: true,
  seconds: 600,
}

export function oneLine(text: string): string {
  return text.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
}

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

function cut(text: string, longest: number): string {
  const start = Array.from(characters.segment(text.slice(0, 8 * longest)), ({ segment }) => segment)
  return start.length > longest ? `${start.slice(0, longest - 1).join('')}…` : start.join('')
}
