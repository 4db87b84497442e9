import { Document, Element, Text } from 'domhandler'
import type { ChildNode, ParentNode } from 'domhandler'
import type { HtmlEvent } from '../../../connectors/isolate/html-answer.ts'
import { associate } from '../../../connectors/kit/form-owner.ts'

const namespaces = { svg: 'http://www.w3.org/2000/svg', math: 'http://www.w3.org/1998/Math/MathML' }

/** The tree that these events describe, as the kit of `specVersion` 2 builds it. */
export function rebuilt(events: readonly HtmlEvent[]): Document {
  const root = new Document([])
  const elements: Element[] = []
  const elsewhere: (readonly [control: Element, form: number])[] = []
  let at: ParentNode = root
  for (const event of events)
    if (typeof event === 'string') append(at, new Text(event))
    else if (event[1] === undefined) at = at.parent ?? root
    else {
      const element: Element = new Element(event[0], { ...event[1] })
      append(at, element)
      elements.push(element)
      const [, , form, mark] = event
      if (form !== undefined) elsewhere.push([element, form])
      if (mark === 'quirks') root['x-mode'] = mark
      else if (mark !== undefined) element.namespace = namespaces[mark]
      at = element
    }
  for (const [control, number] of elsewhere) {
    const form = elements[number]
    if (form !== undefined) associate(control, form)
  }
  return root
}

function append(parent: ParentNode, node: ChildNode): void {
  const last = parent.children.at(-1)
  if (last !== undefined) {
    last.next = node
    node.prev = last
  }
  parent.children.push(node)
  node.parent = parent
}
