import type { Page } from './page.ts'

/**
 * Receives what a connector reads while `connector test` proves it.
 * `page`: a page's source; returns a number for the page.
 * `selected`: that number, the selector and the found elements, numbered in tag order.
 * `attribute`: the same for one element, plus the attribute's name.
 * `json`: JSON inside a script. Element numbers are joined with commas.
 */
export type Watcher = (what: 'page' | 'selected' | 'attribute' | 'json', ...words: (string | number)[]) => unknown

let watcher: Watcher | undefined
/** The watcher's number of each page. */
let pages = new WeakMap<Page, number>()

export function isWatched(): boolean {
  return watcher !== undefined
}

/** Runs a connector's function with this watcher. */
export function watchedBy<T>(by: Watcher, run: () => T): T {
  watcher = by
  pages = new WeakMap()
  try {
    return run()
  } finally {
    watcher = undefined
  }
}

export function sawPage(page: Page): void {
  if (watcher !== undefined) pages.set(page, Number(watcher('page', page.source)))
}

export function sawSelected(page: Page, css: string, found: readonly number[]): void {
  tell('selected', page, css, found)
}

export function sawAttribute(page: Page, element: number, css: string, attribute: string): void {
  tell('attribute', page, css, [element], attribute)
}

/** Reports elements that the caller numbered itself. */
export function sawElements(source: string, css: string, counted: readonly number[]): void {
  watcher?.('selected', Number(watcher('page', source)), css, counted.join(','))
}

export function sawJson(text: string): void {
  watcher?.('json', text)
}

function tell(
  what: 'selected' | 'attribute',
  page: Page,
  css: string,
  elements: readonly number[],
  ...more: readonly string[]
): void {
  const known = pages.get(page)
  if (known !== undefined) watcher?.(what, known, css, elements.join(','), ...more)
}
