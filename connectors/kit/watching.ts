import { isTag } from 'domhandler'
import type { AnyNode, Document, Element } from 'domhandler'

/**
 * Told what a connector reads, while somebody proves it: `page` with a page's source, which answers with a number for it; `selected` with that
 * number, the selector, and which elements, counted as their tags open; `attribute` with that, one element and the attribute's name; `json` with
 * JSON that stands in a script. Numbers of elements are joined with commas.
 */
export type Watcher = (what: 'page' | 'selected' | 'attribute' | 'json', ...words: (string | number)[]) => unknown

interface Watched {
  readonly page: unknown
  /** Elements, counted as their tags open. */
  readonly counts: ReadonlyMap<AnyNode, number>
}

let watcher: Watcher | undefined
let trees = new WeakMap<AnyNode, Watched>()

export function isWatched(): boolean {
  return watcher !== undefined
}

/** Runs a function of a connector while this one is told what it reads. */
export function watchedBy<T>(by: Watcher, run: () => T): T {
  watcher = by
  trees = new WeakMap()
  try {
    return run()
  } finally {
    watcher = undefined
  }
}

export function sawPage(source: string, tree: Document): void {
  if (watcher === undefined) return
  const counts = new Map<AnyNode, number>()
  const count = (node: AnyNode): void => {
    if (isTag(node)) counts.set(node, counts.size)
    if ('children' in node) for (const child of node.children) count(child)
  }
  count(tree)
  trees.set(tree, { page: watcher('page', source), counts })
}

export function sawSelected(at: AnyNode, css: string, found: readonly Element[]): void {
  tell('selected', at, css, found)
}

export function sawAttribute(element: Element, css: string, attribute: string): void {
  tell('attribute', element, css, [element], attribute)
}

/** The same of elements that were counted by whoever read the source. */
export function sawElements(source: string, css: string, counted: readonly number[]): void {
  watcher?.('selected', Number(watcher('page', source)), css, counted.join(','))
}

export function sawJson(text: string): void {
  watcher?.('json', text)
}

function tell(
  what: 'selected' | 'attribute',
  at: AnyNode,
  css: string,
  elements: readonly Element[],
  ...more: readonly string[]
): void {
  if (watcher === undefined) return
  let root = at
  while (root.parent !== null) root = root.parent
  const known = trees.get(root)
  if (known === undefined) return
  const counted = elements.map((element) => known.counts.get(element) ?? -1)
  watcher(what, Number(known.page), css, counted.join(','), ...more)
}
