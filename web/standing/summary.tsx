import type { JSX } from 'preact'
import type { StandingUse } from '../../core/approvals/standing-rows.ts'
import type { StandingState } from '../../core/approvals/standing.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import { actionOf, labelOf } from '../parts/declared.ts'
import { propertiesOf } from '../parts/schema.ts'
import { Text } from '../parts/text.tsx'
import { counted } from '../parts/time.tsx'

/** An approval rule as shown on pages. */
export interface Standing {
  readonly row: StandingUse
  readonly state: StandingState
  /** The listed values; null: none. Undefined if they cannot be decrypted. */
  readonly list: readonly string[] | null | undefined
  readonly appName: string
  /** Undefined if the app no longer has it. */
  readonly endpoint: Endpoint | undefined
}

/** Label of an input field. */
export function fieldOf(endpoint: Endpoint | undefined, name: string): string {
  return labelOf(propertiesOf(endpoint?.inputSchema)[name]) ?? name
}

const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** A UTC day: `24 December 2026`. */
export function dayOf(at: Date): string {
  return days.format(at)
}

/** The last day on which the rule applies. */
function lastDay(until: Date): string {
  return dayOf(new Date(until.getTime() - 1))
}

/** The whole rule as a sentence. */
export function Sentence({ standing }: { readonly standing: Standing }): JSX.Element {
  const { row, list, appName, endpoint } = standing
  const bounds = row.per_day !== null || row.field !== null || row.until !== null
  return (
    <>
      Every call of “{actionOf(endpoint, row.endpoint)}” with the account{' '}
      <strong>
        <Text value={row.account_label} />
      </strong>{' '}
      of {appName}, asked for by{' '}
      {row.key_line === null ? (
        'any of your keys'
      ) : (
        <>
          the key “<Text value={row.key_name ?? 'that is gone'} />”
        </>
      )}
      , is approved in advance
      {row.per_day !== null && `, at most ${row.per_day.toLocaleString('en-GB')} a day`}
      {row.field !== null && (
        <>
          , only if “{fieldOf(endpoint, row.field)}”{' '}
          {list?.length === 1 ? (
            <>
              is “<Text value={list[0] ?? ''} />”
            </>
          ) : (
            `is one of ${list == null ? 'the listed values' : counted(list.length, 'listed value')}`
          )}
        </>
      )}
      {row.until !== null && `, until ${lastDay(row.until)} (UTC), that day included`}
      {bounds ? '.' : ', with no limits, until you revoke this.'}
    </>
  )
}

const tags: Readonly<Record<StandingState, readonly [tone: string, words: string]>> = {
  stands: ['good', 'active'],
  revoked: ['', 'revoked'],
  over: ['', 'ended'],
  gone: ['warn', 'not in effect'],
  invalid: ['bad', 'not valid any more'],
}

export function StateTag({ state }: { readonly state: StandingState }): JSX.Element {
  const [tone, words] = tags[state]
  return <span class={`tag ${tone}`}>{words}</span>
}

/** Why a rule does not cover a waiting call; undefined: it would cover it now. */
export function whyNotCovered(
  { row, state, endpoint }: Pick<Standing, 'row' | 'state' | 'endpoint'>,
  listed: boolean,
): string | undefined {
  if (state === 'revoked') return 'it was revoked.'
  if (state === 'over') return 'it has ended.'
  if (state === 'gone') return 'the action does not have the field that it is bound to any more.'
  if (state === 'invalid') return 'it is not valid any more.'
  if (!listed) return `“${fieldOf(endpoint, row.field ?? '')}” has a value that is not on its list.`
  if (row.per_day !== null && row.used_today >= row.per_day)
    return row.per_day === 1 ? 'its one call of today is used up.' : `today’s ${row.per_day} are used up.`
  return undefined
}

/** URL of the form for a new rule. */
export function newStandingPath(at: {
  readonly app: string
  readonly endpoint: string
  readonly account?: string
  /** The key whose calls it applies to. */
  readonly key?: string
}): string {
  return `/standing/new?${new URLSearchParams(at).toString()}`
}
