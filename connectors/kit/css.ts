import { compile, selectAll } from 'css-select'
import type { Options } from 'css-select'
import { isTag, isText } from 'domhandler'
import type { AnyNode, Document, Element } from 'domhandler'
import { isChecked, isDisabled } from './field-state.ts'
import { isForeign } from './form-owner.ts'

const isAny = (element: Element, ...names: readonly string[]): boolean =>
  names.includes(element.name) && !isForeign(element)

/** Input types without typed text. */
const notTyped = /^(?:hidden|range|color|checkbox|radio|file|submit|image|reset|button)$/i

function isEditable(element: Element): boolean {
  const { type = '', readonly } = element.attribs
  const isField = isAny(element, 'textarea') || (isAny(element, 'input') && !notTyped.test(type))
  return isField && readonly === undefined && !isDisabled(element)
}

/** SVG's `a` counts too. */
const isLink = (element: Element): boolean =>
  element.attribs['href'] !== undefined && (element.name === 'a' || isAny(element, 'area'))

const takesInput = (element: Element): boolean => isAny(element, 'input', 'select', 'textarea')
const isRequired = (element: Element): boolean => takesInput(element) && element.attribs['required'] !== undefined
const canBeDisabled = (element: Element): boolean =>
  isAny(element, 'button', 'fieldset', 'input', 'optgroup', 'option', 'select', 'textarea')

/**
 * Pseudo-classes that css-select handles unlike browsers. Its built-in names do not accept
 * functions, hence the `-x-` names.
 */
const pseudos: NonNullable<Options<AnyNode, Element>['pseudos']> = {
  empty: ({ children }) => !children.some((child) => isTag(child) || (isText(child) && child.data !== '')),
  'any-link': ':-x-link',
  link: ':-x-link',
  '-x-link': isLink,
  disabled: ':-x-disabled',
  '-x-disabled': isDisabled,
  enabled: ':-x-enabled',
  '-x-enabled': (element) => canBeDisabled(element) && !isDisabled(element),
  checked: ':-x-checked',
  '-x-checked': isChecked,
  required: ':-x-required',
  '-x-required': isRequired,
  optional: ':-x-optional',
  '-x-optional': (element) => isAny(element, 'button') || (takesInput(element) && !isRequired(element)),
  'read-write': ':-x-editable',
  '-x-editable': isEditable,
  'read-only': ':-x-fixed',
  '-x-fixed': (element) => !isForeign(element) && !isEditable(element),
}

/** All matches at or below a node. Throws for an invalid selector. */
export function matching(css: string, at: AnyNode): readonly Element[] {
  let root = at
  while (root.parent !== null) root = root.parent
  const quirksMode = (root as Document)['x-mode'] === 'quirks'
  return selectAll<AnyNode, Element>(css, at, { pseudos, quirksMode })
}

/** In characters; longer or more deeply nested selectors can take seconds to compile. */
const longest = 1_000

/** Whether the selector is valid; its limit keeps the check fast enough for the main thread. */
export function isSelector(css: string): boolean {
  try {
    return css.length <= longest && typeof compile<AnyNode, Element>(css, { pseudos }) === 'function'
  } catch {
    return false
  }
}
