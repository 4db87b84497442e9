import type { Element } from 'domhandler'
import { displaySize, isChecked, isDisabled, optionText, optionsOf, selectedOptions } from '../../kit/field-state.ts'
import type { SubmitButton } from '../../kit/whole-form.ts'
import { UnknownShape } from '../../kit/wire.ts'
import { isRequired } from './constraints.ts'
import { directionOf } from './direction.ts'
import type { Direction } from './direction.ts'
import { color, inputValue } from './input-value.ts'
import type { Labels } from './labels.ts'
import { has, inOneLine, textIn } from './tree.ts'

/** A field of a form, or one of several with the same name. */
export interface Control {
  readonly name: string
  /** text: anything with one value and without options. */
  readonly kind: 'checkbox' | 'radio' | 'list' | 'text' | 'hidden' | 'file' | 'button'
  /** The values that it sends if nothing on the page is changed. */
  readonly sends: readonly string[]
  /** An extra entry after each value, for the direction of its text (`dirname`). */
  readonly direction?: Direction
  /** Its options: values, and their text on the page. */
  readonly offers: readonly Offer[]
  /** A list that allows several values. */
  readonly takesSeveral: boolean
  /** It must not be empty. */
  readonly required: boolean
  /** Type of an `<input>`; else the element's name. */
  readonly type: string
  readonly attributes: Readonly<Record<string, string>>
  /** Of a list: whether nothing is selected, and whether its empty option means "none". */
  readonly isUnchosen: boolean
  readonly hasPlaceholder: boolean
  readonly label: string | null
  /** The caption of its group on the page. */
  readonly groupLabel: string | null
}

export interface Offer {
  readonly value: string
  readonly text: string | null
}

/** Fields that a form may submit: https://html.spec.whatwg.org/#constructing-the-form-data-set */
export function controlsOf(owned: readonly Element[], labels: Labels, pressed: Element | undefined): Control[] {
  return owned
    .filter((element) => !isDisabled(element))
    .flatMap((element) => controlOf(element, labels, element === pressed))
}

function controlOf(element: Element, labels: Labels, isPressed: boolean): Control[] {
  const { name = '' } = element.attribs
  if (name === '') return []
  const type = element.name === 'input' ? typeOf(element) : element.name
  const { attribs: attributes } = element
  const required = isRequired({ type, attributes })
  const told = { label: labels.of(element), groupLabel: labels.ofGroup(element) }
  const plain = { offers: [], takesSeveral: false, isUnchosen: false, hasPlaceholder: false }
  const field = { name, type, attributes, required, ...plain, ...told }
  if (isPressed) {
    const { value = '' } = element.attribs
    const label = (element.name === 'button' ? inOneLine(textIn(element)) : value) || null
    return [{ ...field, kind: 'button', sends: [value], label }]
  }
  const direction = directionOf(element)
  if (element.name === 'textarea')
    return [{ ...field, kind: 'text', sends: [textIn(element, new Set())], ...direction }]
  if (element.name === 'select') return [{ ...field, ...selected(element), kind: 'list' }]
  if (element.name !== 'input') return []
  switch (type) {
    case 'submit':
    case 'image':
    case 'reset':
    case 'button':
      return []
    case 'checkbox':
    case 'radio': {
      const { value = 'on' } = element.attribs
      return [{ ...field, kind: type, sends: isChecked(element) ? [value] : [], offers: [{ value, text: told.label }] }]
    }
    case 'file':
      return [{ ...field, kind: 'file', sends: [''], takesSeveral: has(element, 'multiple') }]
    case 'hidden': {
      const value = /^_charset_$/i.test(name) ? 'UTF-8' : (element.attribs['value'] ?? '')
      return [{ ...field, kind: 'hidden', sends: [value], ...direction }]
    }
    default: {
      const { value = '' } = attributes
      if (type === 'color' && value !== '' && color(value) === undefined)
        throw new UnknownShape('a color field whose value is not hexadecimal')
      return [{ ...field, kind: 'text', sends: [inputValue(type, value, attributes)], ...direction }]
    }
  }
}

const types = new Set(
  'hidden text search tel url email password date month week time datetime-local number range color checkbox radio file submit image reset button'.split(
    ' ',
  ),
)

function typeOf(element: Element): string {
  const type = (element.attribs['type'] ?? '').toLowerCase()
  return types.has(type) ? type : 'text'
}

/** Whether this is the submit button that the connector names. */
export function isPressed(element: Element, { name, value }: SubmitButton): boolean {
  const type = element.name === 'button' ? (element.attribs['type'] ?? 'submit').toLowerCase() : typeOf(element)
  const isButton = element.name === 'button' ? type !== 'button' && type !== 'reset' : type === 'submit'
  const isInput = element.name === 'input' || element.name === 'button'
  if (!isInput || !isButton || element.attribs['name'] !== name) return false
  return value === undefined || (element.attribs['value'] ?? '') === value
}

type Chosen = Pick<Control, 'sends' | 'offers' | 'takesSeveral' | 'isUnchosen' | 'hasPlaceholder'>

function selected(select: Element): Chosen {
  const isMultiple = has(select, 'multiple')
  const options = optionsOf(select)
  const open = options.filter((option) => !isDisabled(option))
  const taken = selectedOptions(select)
  const [first] = options
  const hasPlaceholder =
    !isMultiple && displaySize(select) <= 1 && first !== undefined && valueOf(first) === '' && first.parent === select
  return {
    isUnchosen: taken.size === 0 || (hasPlaceholder && taken.has(first)),
    hasPlaceholder: hasPlaceholder && !isDisabled(first),
    sends: open.filter((option) => taken.has(option)).map(valueOf),
    offers: open.map((option) => ({ value: valueOf(option), text: textOf(option) })),
    takesSeveral: isMultiple,
  }
}

const valueOf = (option: Element): string => option.attribs['value'] ?? optionText(option)

function textOf(option: Element): string | null {
  const { label } = option.attribs
  return (label !== undefined && label !== '' ? label : optionText(option).trim()) || null
}

export function isChoice({ kind }: Control): boolean {
  return kind === 'checkbox' || kind === 'radio' || kind === 'list'
}
