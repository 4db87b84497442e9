import type { FileOf } from '../../kit/files.ts'
import type { SetValue } from '../../kit/whole-form.ts'
import { UnknownShape } from '../../kit/wire.ts'
import { isChoice } from './controls.ts'
import type { Control } from './controls.ts'
import { directionFor } from './direction.ts'
import { inputValue, isSameValue } from './input-value.ts'

/** A form field as the approver sees it: its value on the page, and its new value. */
export interface FormLine {
  readonly name: string
  /** Caption for people; null: neither the connector nor the page has one. */
  readonly label: string | null
  readonly before: readonly FormValue[]
  /** Absent: the page's value is kept. */
  readonly after?: readonly FormValue[]
  /**
   * yes: a single checkbox; hidden: not shown on the page; button: the pressed one; filled: its
   * value is read at sending; suggested: the page's value was only a suggestion.
   */
  readonly is?: 'yes' | 'hidden' | 'button' | 'filled' | 'suggested'
}

export interface FormValue {
  readonly value: string
  /** The page's text for it. */
  readonly text?: string
}

export interface FilledForm {
  /** In the order that browsers send; fields that are filled at sending are empty. */
  readonly entries: readonly (readonly [string, string])[]
  readonly lines: readonly FormLine[]
}

/** The values that a connector sets, by field. Throws `UnknownShape` if one is impossible. */
export function settings(
  controls: readonly Control[],
  set: Readonly<Record<string, SetValue>>,
): ReadonlyMap<string, readonly string[]> {
  const given = Object.entries(set).filter(([, value]) => value !== undefined)
  return new Map(given.map(([name, value]) => [name, textsOf(name, value, controls)]))
}

function textsOf(name: string, value: SetValue, controls: readonly Control[]): readonly string[] {
  const own = controls.filter((one) => one.name === name)
  if (own.length === 0) throw new UnknownShape(`no field "${name}" in the form`)
  if (own.some(({ kind }) => kind === 'file')) return hashesOf(name, value)
  const choices = own.filter(isChoice)
  if (value === undefined || value === null) return choices.length > 0 ? noChoice(choices) : ['']
  if (typeof value !== 'boolean') return listed(value).map((one) => textOf(name, one))
  const [box, ...others] = choices
  if (box?.kind !== 'checkbox' || others.length > 0) throw new UnknownShape(`the field "${name}" is no checkbox`)
  return value ? box.offers.map((offer) => offer.value) : []
}

/** No selection, or the list's empty option. */
function noChoice([first, ...others]: readonly Control[]): readonly string[] {
  if (first?.kind !== 'list' || first.takesSeveral || others.length > 0 || first.sends.length === 0) return []
  return first.offers.some(({ value }) => value === '') ? [''] : []
}

type One = string | number | FileOf

function listed(value: Exclude<SetValue, boolean | null | undefined>): readonly One[] {
  return typeof value === 'object' && !('sha256' in value) ? value : [value]
}

function textOf(name: string, value: One): string {
  if (typeof value === 'object') throw new UnknownShape(`the field "${name}" takes no file`)
  return String(value)
}

/** Entries hold files by their hashes; no file is ''. */
function hashesOf(name: string, value: SetValue): readonly string[] {
  if (value === undefined || value === null) return ['']
  const hashes = (typeof value === 'boolean' ? ['' as const] : listed(value)).map((one) => {
    if (typeof one !== 'object') throw new UnknownShape(`the field "${name}" takes a file`)
    return one.sha256
  })
  return hashes.length === 0 ? [''] : hashes
}

/** Names of fields whose value on the page is irrelevant. */
export interface Fresh {
  /** Filled at sending. */
  readonly filled: ReadonlySet<string>
  /** Set, whatever the page suggests. */
  readonly suggested: ReadonlySet<string>
}

/** The form with these fields set; all others are kept. */
export function filledForm(
  controls: readonly Control[],
  set: ReadonlyMap<string, readonly string[]>,
  { filled, suggested }: Fresh,
  labelOf: (name: string) => string | null,
): FilledForm {
  const groups = Map.groupBy(controls, ({ name }) => name)
  const sent = sentBy(controls, set)
  const lines = [...groups].map(([name, own]) => {
    const line = lineOf(own, labelOf(name), sent, set.has(name))
    if (filled.has(name)) return { name, label: line.label, before: [], is: 'filled' as const }
    return set.has(name) && suggested.has(name) ? { ...line, before: [], is: 'suggested' as const } : line
  })
  const entries = controls.flatMap((one) =>
    (sent.get(one) ?? []).flatMap((value): [string, string][] => [
      [lineBreaks(one.name), filled.has(one.name) ? '' : lineBreaks(value)],
      ...(one.direction
        ? [[lineBreaks(one.direction.name), directionFor(one.direction, value)] as [string, string]]
        : []),
    ]),
  )
  return { entries, lines }
}

/** What each field sends with these set. */
export function sentBy(
  controls: readonly Control[],
  set: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<Control, readonly string[]> {
  const groups = Map.groupBy(controls, ({ name }) => name)
  return new Map([...groups].flatMap(([name, own]) => [...shared(own, set.get(name))]))
}

/** What each field of one name sends. If some offer options, hidden ones beside them are kept. */
function shared(own: readonly Control[], values: readonly string[] | undefined): Map<Control, readonly string[]> {
  const shares = new Map(own.map((one) => [one, one.sends]))
  if (values === undefined) return shares
  const takers = own.some(isChoice) ? own.filter(isChoice) : own
  const left = [...values]
  for (const one of takers) shares.set(one, taken(one, left))
  // Left-over values occur only with fields that a script of the page fills.
  const last = takers.at(-1)
  if (last) shares.set(last, [...(shares.get(last) ?? []), ...left])
  return shares
}

function taken({ kind, type, attributes, offers, takesSeveral }: Control, left: string[]): readonly string[] {
  if (kind === 'text' && type !== 'textarea')
    return left.splice(0, 1).map((value) => {
      const own = inputValue(type, value, attributes)
      return isSameValue(type, value, own) ? own : value
    })
  if (kind === 'list' && takesSeveral) return [...new Set(left)].flatMap((value) => left.splice(left.indexOf(value), 1))
  if (kind !== 'checkbox' && kind !== 'radio') return left.splice(0, takesSeveral ? left.length : 1)
  const at = offers.findIndex(({ value }) => left.includes(value))
  return at === -1 ? [] : left.splice(left.indexOf(offers[at]?.value ?? ''), 1)
}

function lineOf(
  own: readonly Control[],
  label: string | null,
  sent: ReadonlyMap<Control, readonly string[]>,
  isSet: boolean,
): FormLine {
  const choices = own.filter(isChoice)
  const shown = choices.length > 0 ? choices : own
  const [first] = shown
  const isAlone = choices.length === 1 && first?.kind === 'checkbox'
  const plain = own.every(({ kind }) => kind === first?.kind) ? first?.kind : undefined
  const texts = new Map(
    choices
      .flatMap((one) => one.offers)
      .toReversed()
      .map((one) => [one.value, one.text]),
  )
  const said = (value: string): FormValue => {
    const text = texts.get(value) ?? value
    return text === value ? { value } : { value, text }
  }
  return {
    name: first?.name ?? '',
    label: label ?? (choices.length > 1 ? first?.groupLabel : first?.label) ?? null,
    before: shown.flatMap(({ sends }) => sends).map(said),
    ...(isSet && { after: shown.flatMap((one) => sent.get(one) ?? []).map(said) }),
    ...(isAlone ? { is: 'yes' as const } : plain === 'hidden' || plain === 'button' ? { is: plain } : {}),
  }
}

/** CRLF, as browsers send them. */
const lineBreaks = (text: string): string => text.replaceAll(/\r\n|\r|\n/g, '\r\n')
