import type { Account } from '../../core/accounts/accounts.ts'
import type { KeyView } from '../../core/keys/keys.ts'
import type { NewStanding } from '../../core/approvals/standing-rules.ts'
import { problemOfValue } from '../../core/approvals/standing-fields.ts'
import type { StandingField } from '../../core/approvals/standing-fields.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import type { Form } from '../form.ts'
import { fieldOf } from './summary.tsx'
import { allKeys } from './form-page.tsx'
import type { StandingProblems, TypedStanding } from './form-fields.tsx'

const mostValues = 200
const longestValue = 500
const dayMs = 86_400_000

type Bounds = Pick<NewStanding, 'account' | 'key' | 'perDay' | 'only' | 'until'>

export function typedIn(form: Form): TypedStanding {
  return {
    account: form.get('account') ?? '',
    // Missing means all, as in forms from before this choice existed.
    key: form.get('key') ?? allKeys,
    perDay: form.get('per_day') ?? '',
    field: form.get('field') ?? '',
    values: form.get('values') ?? '',
    until: form.get('until') ?? '',
    unbounded: form.get('unbounded') === 'yes',
  }
}

interface Around {
  readonly endpoint: Endpoint
  readonly accounts: readonly Account[]
  readonly keys: readonly Pick<KeyView, 'id' | 'valid'>[]
  readonly fields: readonly StandingField[]
  readonly cursorKey: Buffer
  readonly now: Date
}

/** The parsed form, or errors by field. */
export function readBounds(
  typed: TypedStanding,
  around: Around,
): { readonly bounds: Bounds } | { readonly problems: StandingProblems } {
  const problems: StandingProblems = {}
  const account = around.accounts.find(({ id }) => id === typed.account)
  if (account === undefined) problems.account = 'Choose one of your connected accounts.'
  if (typed.key !== allKeys && !around.keys.some(({ id, valid }) => valid && id === typed.key))
    problems.key = 'Choose one of your keys, or all of them.'
  const perDay = readPerDay(typed, problems)
  const only = readOnly(typed, around, problems)
  const until = readUntil(typed, around.now, problems)
  const bounded = typed.perDay.trim() !== '' || typed.field !== '' || typed.until !== ''
  if (!bounded && typed.values.trim() === '' && !typed.unbounded)
    problems.unbounded = 'Give a bound above, or say here that you want none.'
  if (bounded && typed.unbounded) problems.unbounded = 'There are bounds above: either these, or none.'
  if (account === undefined || Object.keys(problems).length > 0) return { problems }
  const key = typed.key === allKeys ? null : typed.key
  return { bounds: { account: account.id, key, perDay, only, until } }
}

function readPerDay({ perDay }: TypedStanding, problems: StandingProblems): number | null {
  const text = perDay.trim()
  if (text === '') return null
  const number = Number(text)
  if (!/^\d{1,5}$/.test(text) || number < 1 || number > 10_000) problems.perDay = 'Write a whole number, 1 to 10000.'
  return number
}

function readOnly(typed: TypedStanding, around: Around, problems: StandingProblems): Bounds['only'] {
  const values = [...new Set(typed.values.split(/\r\n|\r|\n/).map((line) => line.trim()))].filter((line) => line !== '')
  if (typed.field === '') {
    if (values.length > 0) problems.field = 'There are values below: choose which field they are for.'
    return null
  }
  const field = around.fields.find(({ name }) => name === typed.field)
  if (field === undefined) {
    problems.field = 'This action has no such field. Choose one of these.'
    return null
  }
  const wrong = wrongValues(values) ?? impossible(values, field, around)
  if (wrong !== undefined) problems.values = wrong
  return { field: field.name, values }
}

function wrongValues(values: readonly string[]): string | undefined {
  if (values.length === 0) return 'Write the values that the field may have, one a line.'
  if (values.length > mostValues) return `These are ${values.length} values; ${mostValues} at most.`
  const long = values.find((value) => value.length > longestValue)
  if (long !== undefined) return `“${long.slice(0, 40)}…” is too long: ${longestValue} characters at most.`
  return values.some((value) => value.includes('\0')) ? 'There is a character in it that no value has.' : undefined
}

/** Why a listed value can never occur; most likely a typo. */
function impossible(values: readonly string[], field: StandingField, around: Around): string | undefined {
  for (const value of values) {
    const problem = problemOfValue(around.endpoint, field, value, around.cursorKey)
    if (problem !== undefined)
      return `“${value}” can never be a value of “${fieldOf(around.endpoint, field.name)}”: it ${problem}`
  }
  return undefined
}

/** End of the chosen UTC day; null without one. */
function readUntil({ until }: TypedStanding, now: Date, problems: StandingProblems): Date | null {
  if (until === '') return null
  const day = /^\d{4}-\d{2}-\d{2}$/.test(until) ? new Date(`${until}T00:00:00Z`) : new Date(Number.NaN)
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(until)
  const end = new Date(day.getTime() + dayMs)
  if (!isDay) problems.until = 'Write a day as YYYY-MM-DD.'
  else if (end <= now) problems.until = 'This day is over. Choose today or a later day.'
  else if (day.getUTCFullYear() > 2100) problems.until = 'This is too far away. Leave it empty for no end.'
  return end
}
