import { isText } from 'domhandler'
import type { AnyNode, Document, Element } from 'domhandler'
import { matching } from './css.ts'
import { elementsById, formOwner, isForeign, tagsIn } from './form-owner.ts'
import { htmlTree } from './html-tree.ts'
import { elementsSeen, everythingSeen, wordsSeen } from './seen.ts'
import { pageItself } from './page-number.ts'
import { isHidden } from './visibility.ts'
import { visibleText } from './visible-text.ts'

/** A tree with elements numbered in the order of their opening tags. Immutable. */
export class PageTree {
  readonly source: string
  readonly root: Document
  readonly elements: readonly Element[]
  #numbers: ReadonlyMap<AnyNode, number> | undefined
  #byId: ReadonlyMap<string, Element> | undefined

  /** Throws `UnknownShape` if the page exceeds a limit. */
  constructor(source: string) {
    this.source = source
    this.root = htmlTree(source)
    this.elements = [...tagsIn(this.root)]
  }

  get byId(): ReadonlyMap<string, Element> {
    this.#byId ??= elementsById(this.root)
    return this.#byId
  }

  at(number: number): Document | Element {
    const found = number === pageItself ? this.root : this.elements[number]
    if (found === undefined) throw new RangeError('no element of this page')
    return found
  }

  element(number: number): Element {
    const found = this.elements[number]
    if (found === undefined) throw new RangeError('no element of this page')
    return found
  }

  numbers(elements: readonly Element[]): readonly number[] {
    const known = (this.#numbers ??= new Map(this.elements.map((element, number) => [element, number])))
    return elements.flatMap((element) => known.get(element) ?? [])
  }
}

/** Cached: failure rules, `version` and `decode` read the same page in turn. */
let last: WeakRef<PageTree> | undefined

export function pageTree(source: string): PageTree {
  const known = last?.deref()
  if (known?.source === source) return known
  const made = new PageTree(source)
  last = new WeakRef(made)
  return made
}

export type Questions = typeof questions

/** What the kit asks about a page. Isolates ask the host thread, so only numbers and data cross. */
export const questions = {
  /** Matches below a node, in document order; null: invalid selector. */
  find(tree: PageTree, at: number, css: string): readonly number[] | null {
    const place = tree.at(at)
    const found = selected(place, css)
    // An element is not below itself.
    return found && tree.numbers(found.filter((element) => element !== place))
  },

  /** The elements that a browser shows; null: `hiddenBy` is an invalid selector. */
  shown(tree: PageTree, numbers: readonly number[], hiddenBy: string | null): readonly number[] | null {
    const visible = numbers.filter((number) => !isHidden(tree.element(number)))
    if (hiddenBy === null || visible.length === 0) return visible
    const found = selected(tree.root, hiddenBy)
    if (found === null) return null
    const hiding = new Set<AnyNode>(found)
    return visible.filter((number) => !isWithin(tree.element(number), hiding))
  },

  text: (tree: PageTree, at: number): string => visibleText(tree.at(at)),

  /** Text directly inside the node. */
  content: (tree: PageTree, at: number): string =>
    tree
      .at(at)
      .children.map((child) => (isText(child) ? child.data : ''))
      .join(''),

  /** Null for the page itself. */
  attributes: (tree: PageTree, at: number): Readonly<Record<string, string>> | null =>
    at === pageItself ? null : tree.element(at).attribs,

  /** The form that submits a control. */
  owner(tree: PageTree, control: number): number | null {
    const form = formOwner(tree.element(control), tree.byId)
    return form === undefined ? null : (tree.numbers([form])[0] ?? null)
  },

  /** The `href` of the first `<base>` that has one. */
  base(tree: PageTree): string | null {
    const isBase = (one: Element): boolean =>
      one.name === 'base' && one.attribs['href'] !== undefined && !isForeign(one)
    return tree.elements.find(isBase)?.attribs['href'] ?? null
  },

  /** Hidden inputs with this name. */
  hidden(tree: PageTree, name: string): readonly number[] {
    const isMeant = ({ name: tag, attribs }: Element): boolean =>
      tag === 'input' && attribs['type']?.toLowerCase() === 'hidden' && attribs['name'] === name
    return tree.numbers(tree.elements.filter(isMeant))
  },

  elements: (tree: PageTree, name: string) => elementsSeen(tree.root, name),
  words: (tree: PageTree): string => wordsSeen(tree.root),
  everything: (tree: PageTree) => everythingSeen(tree.root),
} as const

function selected(at: Document | Element, css: string): readonly Element[] | null {
  try {
    return matching(css, at)
  } catch {
    return null
  }
}

function isWithin(element: Element, some: ReadonlySet<AnyNode>): boolean {
  let one: AnyNode | null = element
  while (one !== null && !some.has(one)) one = one.parent
  return one !== null
}
