import { isTag, isText } from 'domhandler'
import type { AnyNode, Element } from 'domhandler'

/** What a browser that runs scripts has no fields in. */
const inert = new Set(['template', 'noscript', 'script', 'style'])

/** The elements of a tree, in its order. */
export function* elementsIn(nodes: readonly AnyNode[]): Generator<Element> {
  for (const node of nodes) {
    if (isTag(node) && !inert.has(node.name)) yield node
    if (!('children' in node) || (isTag(node) && inert.has(node.name))) continue
    yield* elementsIn(node.children)
  }
}

/** From the inside out. */
export function around(element: Element): readonly Element[] {
  const found: Element[] = []
  for (let at = element.parent; at !== null; at = at.parent) if (isTag(at)) found.push(at)
  return found
}

export function has(element: Element, attribute: string): boolean {
  return element.attribs[attribute] !== undefined
}

/** The text of a node as it stands, without that of elements of these names. */
export function textIn(node: AnyNode, without: ReadonlySet<string> = inert): string {
  if (isText(node)) return node.data
  if (!('children' in node) || (isTag(node) && without.has(node.name))) return ''
  return node.children.map((child) => textIn(child, without)).join('')
}

/** Outer space taken off, inner space made one blank: as HTML shows it. */
export function inOneLine(text: string): string {
  return text.replaceAll(/[\t\n\f\r ]+/g, ' ').trim()
}
