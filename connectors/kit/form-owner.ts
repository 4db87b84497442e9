import { isTag } from 'domhandler'
import type { AnyNode, Document, Element } from 'domhandler'

/** Form associations made by the parser, as for the input of `<div><form></div><input></form>`. */
const associated = new WeakMap<Element, Element>()

export function associate(control: Element, form: Element): void {
  associated.set(control, form)
}

export function associatedForm(control: Element): Element | undefined {
  return associated.get(control)
}

/** A control that moved to a tree without its form loses the form. */
export function dissociate(control: Element): void {
  associated.delete(control)
}

/** The elements of a tree or of one element, in document order. */
export function* tagsIn(tree: Document | Element): Generator<Element> {
  // Own stack: with nested generators, each element would cost time proportional to its depth.
  const left: AnyNode[] = [tree]
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (isTag(node)) yield node
    if ('children' in node) for (const child of node.children.toReversed()) left.push(child)
  }
}

/** Elements by id; of duplicates the first counts. */
export function elementsById(tree: Document | Element): ReadonlyMap<string, Element> {
  const found = new Map<string, Element>()
  for (const element of tagsIn(tree)) {
    const { id = '' } = element.attribs
    if (id !== '' && !found.has(id)) found.set(id, element)
  }
  return found
}

/** The form that submits a control. Source: https://html.spec.whatwg.org/#form-owner */
export function formOwner(control: Element, byId: ReadonlyMap<string, Element>): Element | undefined {
  if (isForeign(control)) return undefined
  const named = control.attribs['form']
  if (named !== undefined) {
    const found = byId.get(named)
    return found !== undefined && isForm(found) ? found : undefined
  }
  return associated.get(control) ?? formAround(control)
}

export function formAround(element: Element): Element | undefined {
  let at = element.parent
  while (at !== null && !(isTag(at) && isForm(at))) at = at.parent
  return at ?? undefined
}

/** An HTML `<form>`, not an SVG element of that name. */
export const isForm = (element: Element): boolean => element.name === 'form' && !isForeign(element)

/** SVG and MathML have no forms and no fields. */
export const isForeign = ({ namespace }: Element): boolean =>
  namespace !== undefined && namespace !== 'http://www.w3.org/1999/xhtml'
