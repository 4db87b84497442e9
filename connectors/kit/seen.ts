import { isTag, isText } from 'domhandler'
import type { AnyNode } from 'domhandler'
import { UnknownShape } from './wire.ts'

/** Not rendered, or inert until a script uses it. */
const unseen = new Set(['script', 'style', 'template', 'noscript'])

type Attributes = Readonly<Record<string, string>>

/** A text, an opening element (`count`: number of tags opened before it) or a closing one. */
export type Seen = string | readonly [name: string, attributes: Attributes, count: number] | readonly [name: string]

/** All elements of one name; `from` and `to` are their range in `said`, their joined text. */
export interface ElementsSeen {
  readonly said: string
  readonly found: readonly {
    readonly attributes: Attributes
    readonly from: number
    readonly to: number
    readonly count: number
  }[]
}

/** In characters; bounds misnested tags, which repeat their attributes. */
const mostAttributes = 8 * 1024 * 1024

/** A tree's visible content in document order; names in lower case. */
export function everythingSeen(root: AnyNode): readonly Seen[] {
  const all: Seen[] = []
  const within = budget()
  walk(root, {
    onOpen: (...opened) => {
      within(opened[1])
      all.push(opened)
    },
    onText: (text) => all.push(text),
    onClose: (name) => all.push([name]),
  })
  return all
}

export function wordsSeen(root: AnyNode): string {
  let text = ''
  walk(root, { onText: (more) => (text += more) })
  return text
}

export function elementsSeen(root: AnyNode, name: string): ElementsSeen {
  let said = ''
  const within = budget()
  const found: { attributes: Attributes; from: number; to: number; count: number }[] = []
  const open: (typeof found)[number][] = []
  walk(root, {
    onOpen(opened, attributes, count) {
      if (opened !== name) return
      within(attributes)
      const element = { attributes, from: said.length, to: said.length, count }
      found.push(element)
      open.push(element)
    },
    onText(text) {
      if (open.length > 0) said += text
    },
    onClose(closed) {
      const element = closed === name ? open.pop() : undefined
      if (element !== undefined) element.to = said.length
    },
  })
  return { said, found }
}

function budget(): (attributes: Attributes) => void {
  let left = mostAttributes
  return (attributes) => {
    for (const [name, value] of Object.entries(attributes)) left -= name.length + value.length
    if (left < 0) throw new UnknownShape('misnested tags')
  }
}

interface Walker {
  readonly onOpen?: (name: string, attributes: Attributes, count: number) => void
  readonly onText?: (text: string) => void
  readonly onClose?: (name: string) => void
}

function walk(root: AnyNode, { onOpen, onText, onClose }: Walker): void {
  let count = 0
  const visit = (node: AnyNode, isSeen: boolean): void => {
    if (isText(node) && isSeen) onText?.(node.data)
    if (!('children' in node)) return
    const isShown = isSeen && !(isTag(node) && unseen.has(node.name))
    if (isTag(node)) {
      if (isShown) onOpen?.(node.name, node.attribs, count)
      count++
    }
    for (const child of node.children) visit(child, isShown)
    if (isTag(node) && isShown) onClose?.(node.name)
  }
  visit(root, true)
}
