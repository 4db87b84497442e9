import type { Page } from './page.ts'
import { sawSelected } from './watching.ts'
import { UnknownShape } from './wire.ts'

/** The matches below a node, in document order. */
export function elementsOf(page: Page, at: number, css: string): readonly number[] {
  const found = selector(css, page.ask('find', at, css))
  sawSelected(page, css, found)
  return found
}

/** The visible matches. `hiddenBy`: the stylesheet hides elements that match it, with content. */
export function shownElementsOf(page: Page, at: number, css: string, hiddenBy?: string): readonly number[] {
  const found = elementsOf(page, at, css)
  return found.length === 0 ? found : selector(hiddenBy ?? '', page.ask('shown', found, hiddenBy ?? null))
}

function selector<T>(css: string, found: T | null): T {
  if (found === null) throw new UnknownShape(`${withoutValues(css)} is no selector`)
  return found
}

/** Quoted values may be personal data. */
export function withoutValues(css: string): string {
  return css.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gs, '…')
}
