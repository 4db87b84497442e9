import { isTag, isText } from 'domhandler'
import type { AnyNode, Document, Element } from 'domhandler'
import { elementsById, formOwner, isForeign, tagsIn } from './form-owner.ts'

const fields = new Set(['button', 'fieldset', 'input', 'select', 'textarea'])
/** Safe to cache: a tree never changes once built. */
const legends = new WeakMap<Element, Element | null>()
const checkedRadios = new WeakMap<AnyNode, ReadonlySet<Element>>()
const chosenOptions = new WeakMap<Element, ReadonlySet<Element>>()

/** Source: https://html.spec.whatwg.org/#concept-element-disabled */
export function isDisabled(element: Element): boolean {
  if (isForeign(element)) return false
  if (element.name === 'optgroup' || element.name === 'option') {
    const select = ancestor(element, 'select')
    return isOff(element) || (select !== undefined && isDisabled(select))
  }
  return fields.has(element.name) && (has(element, 'disabled') || isInDisabledFieldset(element))
}

/** Whether an option or optgroup is disabled, whatever its list is. */
function isOff(element: Element): boolean {
  return (
    has(element, 'disabled') || (element.name === 'option' && ancestor(element, 'optgroup', 'disabled') !== undefined)
  )
}

function isInDisabledFieldset(element: Element): boolean {
  let below = element
  for (let at = element.parent; at !== null && isTag(at); at = at.parent) {
    if (at.name === 'fieldset' && has(at, 'disabled') && !isForeign(at) && legendOf(at) !== below) return true
    below = at
  }
  return false
}

/** The first legend names its fieldset; its fields stay enabled when the fieldset is disabled. */
export function legendOf(fieldset: Element): Element | null {
  const known = legends.get(fieldset)
  if (known !== undefined) return known
  const legend = fieldset.children.find((child): child is Element => isTag(child) && child.name === 'legend') ?? null
  legends.set(fieldset, legend)
  return legend
}

/** Whether a checkbox, radio button or option is initially selected. */
export function isChecked(element: Element): boolean {
  if (isForeign(element)) return false
  if (element.name === 'option') {
    const select = ancestor(element, 'select')
    return select === undefined ? has(element, 'selected') : selectedOptions(select).has(element)
  }
  const type = element.name === 'input' ? element.attribs['type']?.toLowerCase() : undefined
  if (type === 'radio') return has(element, 'checked') && lastRadios(element).has(element)
  return type === 'checkbox' && has(element, 'checked')
}

/** Of checked radio buttons with one name and form, only the last stays checked. */
function lastRadios(radio: Element): ReadonlySet<Element> {
  let root: AnyNode = radio
  while (root.parent !== null) root = root.parent
  const known = checkedRadios.get(root)
  if (known !== undefined) return known
  const byId = elementsById(root as Document | Element)
  const groups = new Map<Element | undefined, Map<string, Element>>()
  const alone: Element[] = []
  for (const one of tagsIn(root as Document | Element)) {
    if (one.name !== 'input' || !has(one, 'checked') || one.attribs['type']?.toLowerCase() !== 'radio') continue
    if (isForeign(one)) continue
    const { name = '' } = one.attribs
    const form = formOwner(one, byId)
    if (name === '') alone.push(one)
    else groups.set(form, (groups.get(form) ?? new Map<string, Element>()).set(name, one))
  }
  const last = new Set([...alone, ...[...groups.values()].flatMap((group) => [...group.values()])])
  checkedRadios.set(root, last)
  return last
}

export function optionsOf(select: Element): readonly Element[] {
  return [...tagsIn(select)].filter(({ name }) => name === 'option')
}

/** The `size` of a select; 0 if absent. */
export function displaySize(select: Element): number {
  return Number(/^[\t\n\f\r ]*\+?(\d+)/.exec(select.attribs['size'] ?? '')?.[1] ?? 0)
}

/** Source: https://html.spec.whatwg.org/#selectedness-setting-algorithm */
export function selectedOptions(select: Element): ReadonlySet<Element> {
  const known = chosenOptions.get(select)
  if (known !== undefined) return known
  const options = optionsOf(select)
  const marked = options.filter((option) => has(option, 'selected'))
  const fallback = displaySize(select) <= 1 ? options.filter((option) => !isOff(option)).slice(0, 1) : []
  const chosen = new Set(has(select, 'multiple') ? marked : marked.length > 0 ? marked.slice(-1) : fallback)
  chosenOptions.set(select, chosen)
  return chosen
}

/** Text of an option, which is also its value if it has no other. */
export function optionText(option: Element): string {
  const parts: string[] = []
  const visit = (node: AnyNode): void => {
    if (isText(node)) parts.push(node.data)
    else if ('children' in node && !(isTag(node) && node.name === 'script')) for (const one of node.children) visit(one)
  }
  visit(option)
  return parts
    .join('')
    .replaceAll(/[\t\n\f\r ]+/g, ' ')
    .replaceAll(/^ | $/g, '')
}

const has = ({ attribs }: Element, attribute: string): boolean => attribs[attribute] !== undefined

function ancestor(element: Element, name: string, attribute?: string): Element | undefined {
  for (let at = element.parent; at !== null && isTag(at); at = at.parent)
    if (at.name === name && (attribute === undefined || has(at, attribute))) return at
  return undefined
}
