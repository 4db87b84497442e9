import type { FileOf } from '../../kit/files.ts'
import type { SetValue } from '../../kit/whole-form.ts'
import { UnknownShape } from '../../kit/wire.ts'
import { isChoice } from './controls.ts'
import type { Control } from './controls.ts'

/** A field of a form as the person sees it: what it has on the page, and what it gets instead. */
export interface FormLine {
  readonly name: string
  /** In people's words; null: neither the connector nor the page has any. */
  readonly label: string | null
  readonly before: readonly FormValue[]
  /** Absent: it is kept as it is. */
  readonly after?: readonly FormValue[]
  /**
   * yes: a checkbox that stands alone; hidden: the page does not show it; button: it is pressed; filled: its value is put in when it is sent; suggested: what it had was
   * made up for this page.
   */
  readonly is?: 'yes' | 'hidden' | 'button' | 'filled' | 'suggested'
}

export interface FormValue {
  readonly value: string
  /** What the page shows for it. */
  readonly text?: string
}

export interface FilledForm {
  /** In order, as a browser would send them; an empty one is the place of each that is filled at the sending. */
  readonly entries: readonly (readonly [string, string])[]
  readonly lines: readonly FormLine[]
}

/** What a form says of its fields: the values that they get, by name. `UnknownShape` where the form has no such field, or a value that it cannot have. */
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
  if (value === undefined || value === null) return choices.length > 0 ? [] : ['']
  if (typeof value !== 'boolean') return listed(value).map((one) => textOf(name, one))
  const [box, ...others] = choices
  if (box?.kind !== 'checkbox' || others.length > 0) throw new UnknownShape(`the field "${name}" is no checkbox`)
  return value ? box.offers.map((offer) => offer.value) : []
}

type One = string | number | FileOf

function listed(value: Exclude<SetValue, boolean | null | undefined>): readonly One[] {
  return typeof value === 'object' && !('sha256' in value) ? value : [value]
}

function textOf(name: string, value: One): string {
  if (typeof value === 'object') throw new UnknownShape(`the field "${name}" takes no file`)
  return String(value)
}

/** Files stand in a form by their hashes; one that is not chosen is empty. */
function hashesOf(name: string, value: SetValue): readonly string[] {
  if (value === undefined || value === null) return ['']
  const hashes = (typeof value === 'boolean' ? ['' as const] : listed(value)).map((one) => {
    if (typeof one !== 'object') throw new UnknownShape(`the field "${name}" takes a file`)
    return one.sha256
  })
  return hashes.length === 0 ? [''] : hashes
}

/** Fields of which what stands on the page says nothing, by their names. */
export interface Fresh {
  /** Put in when it is sent. */
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
  const sent = new Map([...groups].flatMap(([name, own]) => [...shared(own, set.get(name))]))
  const lines = [...groups].map(([name, own]) => {
    const line = lineOf(own, labelOf(name), sent, set.has(name))
    if (filled.has(name)) return { name, label: line.label, before: [], is: 'filled' as const }
    return set.has(name) && suggested.has(name) ? { ...line, before: [], is: 'suggested' as const } : line
  })
  const entries = controls.flatMap((one) =>
    (sent.get(one) ?? []).map((value): [string, string] => [
      lineBreaks(one.name),
      filled.has(one.name) ? '' : lineBreaks(value),
    ]),
  )
  return { entries, lines }
}

/** What each of the fields of one name sends. Where one offers a choice, hidden ones beside it stay as they are. */
function shared(own: readonly Control[], values: readonly string[] | undefined): Map<Control, readonly string[]> {
  const shares = new Map(own.map((one) => [one, one.sends]))
  if (values === undefined) return shares
  const takers = own.some(isChoice) ? own.filter(isChoice) : own
  const left = [...values]
  for (const one of takers) shares.set(one, taken(one, left))
  // The app decides about what its page does not offer.
  const last = takers.at(-1)
  if (last) shares.set(last, [...(shares.get(last) ?? []), ...left])
  return shares
}

function taken({ kind, offers, takesSeveral }: Control, left: string[]): readonly string[] {
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

/** As browsers send them. */
const lineBreaks = (text: string): string => text.replaceAll(/\r\n|\r|\n/g, '\r\n')
