import { asSent, asTaken, asTyped, isReadOnly } from './constraints.ts'
import { isChoice } from './controls.ts'
import type { Control, Offer } from './controls.ts'
import { sentBy } from './filled-form.ts'
import { inOneLine } from './tree.ts'

type Values = readonly string[]

/** Why a browser would not let a user submit a form. */
export interface Unfit {
  readonly name: string
  readonly isSet: boolean
  /** What the value must be, after "Give it"; locked: unchanged; several: the target is unclear. */
  readonly wants: { readonly given: string } | 'locked' | 'missing' | { readonly several: number }
}

interface Holding {
  readonly controls: readonly Control[]
  readonly isValidated: boolean
}

/** Options listed in a refusal. */
const mostNamed = 10

/** The first field that a browser would rewrite or refuse; undefined: none. `free`: skipped. */
export function unfit(
  { controls, isValidated }: Holding,
  set: ReadonlyMap<string, Values>,
  free: ReadonlySet<string>,
): Unfit | undefined {
  const sent = sentBy(controls, set)
  for (const [name, own] of Map.groupBy(controls, (one) => one.name)) {
    if (free.has(name)) continue
    const values = set.get(name)
    const wants =
      (values && shareFault(own, values)) ?? ownFault(own, sent, { isSet: values !== undefined, isValidated })
    if (wants !== undefined) return { name, isSet: values !== undefined, wants }
  }
  return undefined
}

/** Values that the fields of one name cannot have together. */
function shareFault(own: readonly Control[], values: Values): Unfit['wants'] | undefined {
  const choices = own.filter(isChoice)
  if (choices.length > 0) return choiceFault(choices, values)
  const [first, ...others] = own
  if (others.length > 0) return values.length === own.length ? undefined : { several: own.length }
  if (first?.kind === 'hidden' || first?.takesSeveral === true || values.length === 1) return undefined
  return { given: 'one value only' }
}

function choiceFault(choices: readonly Control[], values: Values): Unfit['wants'] | undefined {
  const offers = choices.flatMap((one) => one.offers)
  const left = Map.groupBy(offers, ({ value }) => value)
  if (values.some((value) => !left.has(value))) return offers.length > 0 ? { given: `as ${oneOf(offers)}` } : 'locked'
  const counts = Map.groupBy(values, (value) => value)
  if ([...counts].some(([value, given]) => given.length > (left.get(value)?.length ?? 0)))
    return { given: 'each value once' }
  const [first, ...others] = choices
  const isRadio = choices.every(({ kind }) => kind === 'radio')
  const isOfOne = first?.kind === 'list' && !first.takesSeveral
  if (!isRadio && !isOfOne) return undefined
  if (isOfOne && others.length > 0) return values.length === choices.length ? undefined : { several: choices.length }
  if (values.length > 1) return { given: 'one value only' }
  const wasChosen = choices.some(({ sends }) => sends.length > 0)
  return values.length === 0 && wasChosen ? { given: `as ${oneOf(offers)}` } : undefined
}

function oneOf(offers: readonly Offer[]): string {
  const values = [...new Set(offers.map(({ value }) => value))]
  const named = values.slice(0, mostNamed).map((value) => `"${inOneLine(value).slice(0, 60)}"`)
  const more = values.length > mostNamed ? ', or another of those that are offered there' : ''
  return `${values.length > 1 ? 'one of ' : ''}${named.join(', ')}${more}`
}

interface How {
  readonly isSet: boolean
  readonly isValidated: boolean
}

/** Checks each field alone; of radio buttons any one suffices. */
function ownFault(
  own: readonly Control[],
  sent: ReadonlyMap<Control, Values>,
  { isSet, isValidated }: How,
): Unfit['wants'] | undefined {
  const radios = own.filter(({ kind }) => kind === 'radio')
  const isNoneOn = radios.every((one) => sent.get(one)?.length === 0)
  for (const one of own) {
    const values = sent.get(one) ?? []
    const isChanged = !isSame(values, one.sends)
    if (isSet && isChanged && isReadOnly(one)) return 'locked'
    const isMissing = one.kind === 'radio' ? isNoneOn : isEmpty(one, values)
    if (isValidated && one.required && isMissing) return 'missing'
    if (one.kind !== 'text') continue
    for (const value of values) {
      const typed = isChanged ? (asTaken(one, value) ?? asTyped(one, value, isValidated)) : undefined
      const given = typed ?? (isValidated && !isReadOnly(one) ? asSent(one, value) : undefined)
      if (given !== undefined) return { given }
    }
  }
  return undefined
}

function isEmpty({ kind, sends, isUnchosen, hasPlaceholder }: Control, values: Values): boolean {
  if (kind !== 'list') return values.every((value) => kind !== 'checkbox' && value === '')
  if (isSame(values, sends)) return isUnchosen
  return values.length === 0 || (hasPlaceholder && values[0] === '')
}

function isSame(one: Values, other: Values): boolean {
  const lines = (text = ''): string => text.replaceAll(/\r\n?/g, '\n')
  return one.length === other.length && one.every((value, at) => lines(value) === lines(other[at]))
}
