import { isTag, isText } from 'domhandler'
import type { AnyNode, Document, Element } from 'domhandler'
import { associatedForm, formAround, isForeign } from '../kit/form-owner.ts'
import { deepest } from '../kit/html-tree.ts'
import { pageTree } from '../kit/page-tree.ts'
import { UnknownShape } from '../kit/wire.ts'

/**
 * Events for kits of bundles with `specVersion` 1 and 2: element start, text, element end.
 * `form`: number of the form that the parser associated, if not the enclosing one; -1: none.
 * `mark`: the element is SVG or MathML, or the page is in quirks mode.
 */
export type HtmlEvent =
  | readonly [name: string, attributes: Readonly<Record<string, string>>, form?: number, mark?: Mark]
  | string
  | readonly [name: string]

type Mark = 'svg' | 'math' | 'quirks'

/** The events of HTML source for such a kit. */
export function htmlEvents(source: string): readonly HtmlEvent[] {
  try {
    return eventsOf(pageTree(source).root)
  } catch (error) {
    if (!(error instanceof UnknownShape)) throw error
    // Every kit limits the nesting depth, and so reports such a page as an unknown shape.
    return Array.from({ length: deepest + 2 }, () => ['div', {}] as const)
  }
}

function eventsOf(tree: Document): readonly HtmlEvent[] {
  const events: HtmlEvent[] = []
  const opened = new Map<Element, number>()
  const elsewhere: (readonly [at: number, control: Element, form: Element])[] = []
  const isQuirks = tree['x-mode'] === 'quirks'
  const visit = (node: AnyNode): void => {
    if (isText(node)) {
      const last = events.at(-1)
      if (typeof last === 'string') events[events.length - 1] = last + node.data
      else events.push(node.data)
    }
    if (!isTag(node)) return
    const form = associatedForm(node)
    if (form !== undefined && form !== formAround(node) && !isForeign(node)) elsewhere.push([events.length, node, form])
    opened.set(node, opened.size)
    const mark = markOf(node, isQuirks && node.parent === tree)
    events.push(mark === undefined ? [node.name, node.attribs] : [node.name, node.attribs, -1, mark])
    for (const child of node.children) visit(child)
    events.push([node.name])
  }
  for (const node of tree.children) visit(node)
  for (const [at, control, form] of elsewhere) events[at] = [control.name, control.attribs, opened.get(form) ?? -1]
  return events
}

function markOf({ namespace }: Element, isQuirks: boolean): Mark | undefined {
  if (namespace === 'http://www.w3.org/2000/svg') return 'svg'
  return namespace === 'http://www.w3.org/1998/Math/MathML' ? 'math' : isQuirks ? 'quirks' : undefined
}
