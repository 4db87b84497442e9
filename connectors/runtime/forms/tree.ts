import { isTag, isText } from 'domhandler'
import type { AnyNode, Element } from 'domhandler'
import { UnknownShape } from '../../kit/wire.ts'

/** Elements without fields in a browser that runs scripts. */
const inert = new Set(['template', 'noscript', 'script', 'style'])

/** Elements and characters read per form: ten times what a 2 MB page has. */
const mostSteps = 20_000_000
let steps = 0

/** Reads a form. Throws `UnknownShape` if that takes more steps than any real page needs. */
export function bounded<T>(read: () => T): T {
  steps = 0
  return read()
}

function step(by = 1): void {
  steps += by
  if (steps > mostSteps) throw new UnknownShape('the form takes too long to read')
}

function push(nodes: AnyNode[], node: AnyNode | undefined): void {
  if (node) nodes.push(node)
}

/** The elements of a tree, in document order. */
export function* elementsIn(nodes: readonly AnyNode[]): Generator<Element> {
  // With an explicit stack: nested generators cost time per level of depth for each element.
  const left = nodes.toReversed()
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    step()
    if (isTag(node) && inert.has(node.name)) continue
    if (isTag(node)) yield node
    if ('children' in node) for (let at = node.children.length; at-- > 0;) push(left, node.children[at])
  }
}

/** Ancestors, innermost first. */
export function around(element: Element): readonly Element[] {
  const found: Element[] = []
  for (let at = element.parent; at !== null; at = at.parent) {
    step()
    if (isTag(at)) found.push(at)
  }
  return found
}

export function has(element: Element, attribute: string): boolean {
  return element.attribs[attribute] !== undefined
}

/** The raw text of a node, without that of elements of these names. */
export function textIn(node: AnyNode, without: ReadonlySet<string> = inert): string {
  step(isText(node) ? node.data.length : 1)
  if (isText(node)) return node.data
  if (!('children' in node) || (isTag(node) && without.has(node.name))) return ''
  return node.children.map((child) => textIn(child, without)).join('')
}

/** Trims, and collapses inner whitespace, as HTML shows it. */
export function inOneLine(text: string): string {
  return text.replaceAll(/[\t\n\f\r ]+/g, ' ').trim()
}
