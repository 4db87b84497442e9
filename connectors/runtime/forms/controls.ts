import type { Element } from 'domhandler'
import type { SubmitButton } from '../../kit/whole-form.ts'
import { inputValue } from './input-value.ts'
import type { Labels } from './labels.ts'
import { around, elementsIn, has, inOneLine, textIn } from './tree.ts'

/** A field of a form, or one of those that share its name. */
export interface Control {
  readonly name: string
  /** text: whatever has one value and offers no choice. */
  readonly kind: 'checkbox' | 'radio' | 'list' | 'text' | 'hidden' | 'file' | 'button'
  /** What it sends as the page stands. */
  readonly sends: readonly string[]
  /** The values that it offers, and what people read for them. */
  readonly offers: readonly Offer[]
  /** A list from which several may be taken. */
  readonly takesSeveral: boolean
  /** It must not stay empty. */
  readonly required: boolean
  readonly label: string | null
  /** What the page calls it and those beside it. */
  readonly groupLabel: string | null
}

export interface Offer {
  readonly value: string
  readonly text: string | null
}

/** The fields that would be sent, also those that send nothing as they stand. Source: https://html.spec.whatwg.org/#constructing-the-form-data-set */
export function controlsOf(owned: readonly Element[], labels: Labels, pressed: Element | undefined): Control[] {
  const chosen = lastRadios(owned)
  return owned
    .filter((element) => !isDisabled(element, labels) && !around(element).some(({ name }) => name === 'datalist'))
    .flatMap((element) => controlOf(element, { labels, pressed, chosen }))
}

interface Around {
  readonly labels: Labels
  readonly pressed: Element | undefined
  readonly chosen: ReadonlySet<Element>
}

function controlOf(element: Element, { labels, pressed, chosen }: Around): Control[] {
  const { name = '' } = element.attribs
  if (name === '') return []
  const required = has(element, 'required') && !has(element, 'readonly')
  const told = { label: labels.of(element), groupLabel: labels.ofGroup(element) }
  const field = { name, offers: [], takesSeveral: false, required, ...told }
  if (element === pressed) {
    const { value = '' } = element.attribs
    const label = (element.name === 'button' ? inOneLine(textIn(element)) : value) || null
    return [{ ...field, kind: 'button', sends: [value], label }]
  }
  if (element.name === 'textarea') return [{ ...field, kind: 'text', sends: [typed(element)] }]
  if (element.name === 'select') return [{ ...field, ...selected(element), kind: 'list' }]
  if (element.name !== 'input') return []
  const type = typeOf(element)
  switch (type) {
    case 'submit':
    case 'image':
    case 'reset':
    case 'button':
      return []
    case 'checkbox':
    case 'radio': {
      const { value = 'on' } = element.attribs
      const isOn = type === 'radio' ? chosen.has(element) : has(element, 'checked')
      return [{ ...field, kind: type, sends: isOn ? [value] : [], offers: [{ value, text: told.label }] }]
    }
    case 'file':
      return [{ ...field, kind: 'file', sends: [''], takesSeveral: has(element, 'multiple') }]
    case 'hidden': {
      const value = /^_charset_$/i.test(name) ? 'UTF-8' : (element.attribs['value'] ?? '')
      return [{ ...field, kind: 'hidden', sends: [value], required: false }]
    }
    default:
      return [{ ...field, kind: 'text', sends: [inputValue(type, element.attribs)] }]
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

/** The button that is meant. */
export function isPressed(element: Element, { name, value }: SubmitButton): boolean {
  const type = element.name === 'button' ? (element.attribs['type'] ?? 'submit').toLowerCase() : typeOf(element)
  const isButton = element.name === 'button' ? type !== 'button' && type !== 'reset' : type === 'submit'
  const isInput = element.name === 'input' || element.name === 'button'
  if (!isInput || !isButton || element.attribs['name'] !== name) return false
  return value === undefined || (element.attribs['value'] ?? '') === value
}

/** Of radio buttons of one name only the last that is checked stays so. */
function lastRadios(owned: readonly Element[]): ReadonlySet<Element> {
  const radios = owned.filter((one) => one.name === 'input' && typeOf(one) === 'radio' && has(one, 'checked'))
  return new Set(new Map(radios.map((one) => [one.attribs['name'], one])).values())
}

function isDisabled(element: Element, labels: Labels): boolean {
  if (has(element, 'disabled')) return true
  const outer = around(element)
  return outer.some(({ name, attribs }, at) => {
    if (name !== 'fieldset' || attribs['disabled'] === undefined) return false
    const fieldset = outer[at]
    const legend = fieldset && labels.legendOf(fieldset)
    return legend === undefined || !outer.slice(0, at).includes(legend)
  })
}

function typed(textarea: Element): string {
  const text = textIn(textarea, new Set()).replaceAll(/\r\n?/g, '\n')
  return text.startsWith('\n') ? text.slice(1) : text
}

function selected(select: Element): Pick<Control, 'sends' | 'offers' | 'takesSeveral'> {
  const isMultiple = has(select, 'multiple')
  const options = [...elementsIn(select.children)].filter(({ name }) => name === 'option')
  const isOpen = (option: Element): boolean =>
    !has(option, 'disabled') && !around(option).some((one) => one.name === 'optgroup' && has(one, 'disabled'))
  const marked = options.filter((option) => has(option, 'selected'))
  const isDropDown = Number(select.attribs['size'] ?? 1) <= 1 || select.attribs['size'] === ''
  const fallback = isDropDown ? options.filter(isOpen).slice(0, 1) : []
  const taken = isMultiple ? marked : marked.length > 0 ? marked.slice(-1) : fallback
  const open = options.filter(isOpen)
  return {
    sends: taken.filter(isOpen).map(valueOf),
    offers: open.map((option) => ({ value: valueOf(option), text: textOf(option) })),
    takesSeveral: isMultiple,
  }
}

const valueOf = (option: Element): string => option.attribs['value'] ?? inOneLine(textIn(option))

function textOf(option: Element): string | null {
  const { label } = option.attribs
  return (label !== undefined && label !== '' ? label : inOneLine(textIn(option))) || null
}

export function isChoice({ kind }: Control): boolean {
  return kind === 'checkbox' || kind === 'radio' || kind === 'list'
}
