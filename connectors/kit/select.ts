import { openedPage } from './document.ts'
import type { Page } from './page.ts'
import { elementsOf, shownElementsOf, withoutValues } from './elements-of.ts'
import { pageItself } from './page-number.ts'
import { sawAttribute } from './watching.ts'
import { UnknownShape } from './wire.ts'

/**
 * A node of a page to read from. A missing element or attribute throws an `UnknownShape` that names
 * the selector without its quoted parts, which may hold values (`having`).
 */
export interface Node {
  /** The only match; throws for none or several. */
  select(css: string): Node
  /** The first match; throws for none. */
  first(css: string): Node
  /** The only match, or null; throws for several. */
  optional(css: string): Node | null
  /**
   * All matches, at least one. With `emptyWhen`, the list may be empty, if that element is there
   * and visible, such as `.no-results`: a changed page never counts as an empty list. `hiddenBy`:
   * the stylesheet hides elements that match it and their content (`.d-none`).
   */
  all(css: string, options?: { readonly emptyWhen: string; readonly hiddenBy?: string }): readonly Node[]
  /** All matches, possibly none. Last resort: a changed page looks like an empty list. */
  any(css: string): readonly Node[]
  /** Visible text: single spaces, trimmed, with line breaks at `<br>` and at the ends of blocks. */
  text(): string
  attribute(name: string): string
  attributeOrNull(name: string): string | null
  /** Raw content of an element without child elements, such as a script or a textarea. */
  content(): string
}

/** The page's root node, or the only element that matches `css`. */
export function select(page: string, css?: string): Node {
  const root = node(openedPage(page), pageItself, null)
  return css === undefined ? root : root.select(css)
}

/** Builds an attribute selector that matches exactly this value, with escaping. */
export function having(attribute: string, value: string): string {
  const escaped = Array.from(value, (character) =>
    /[\w .,:/@-]/.test(character) ? character : `\\${(character.codePointAt(0) ?? 0).toString(16)} `,
  )
  return `[${attribute}="${escaped.join('')}"]`
}

/** `found`: the selector that found the node; null: the page itself. */
function node(page: Page, at: number, found: string | null): Node {
  const name = (): string => (found === null ? 'the page' : withoutValues(found))
  const find = (css: string): readonly Node[] => elementsOf(page, at, css).map((element) => node(page, element, css))
  const one = (css: string): Node | null => {
    const [found, ...others] = find(css)
    if (others.length > 0) throw new UnknownShape(`more than one ${withoutValues(css)}`)
    return found ?? null
  }
  const needed = <T>(found: T | null | undefined, css: string): T => {
    if (found === null || found === undefined) throw new UnknownShape(`no ${withoutValues(css)}`)
    return found
  }
  let attributes: Readonly<Record<string, string>> | null | undefined
  const attributeOrNull = (given: string): string | null => {
    const attribute = given.toLowerCase()
    if (attributes === undefined) attributes = page.ask('attributes', at)
    if (attributes === null || !Object.hasOwn(attributes, attribute)) return null
    sawAttribute(page, at, name(), attribute)
    return attributes[attribute] ?? null
  }
  return {
    select: (css) => needed(one(css), css),
    first: (css) => needed(find(css)[0], css),
    optional: one,
    all(css, options) {
      const all = find(css)
      if (options !== undefined && all.length === 0)
        needed(shownElementsOf(page, at, options.emptyWhen, options.hiddenBy)[0], `${css}, nor ${options.emptyWhen}`)
      else needed(all[0], css)
      return all
    },
    any: find,
    text: () => page.ask('text', at),
    attribute(attribute) {
      const value = attributeOrNull(attribute)
      return value ?? needed<string>(value, `${attribute} of ${name()}`)
    },
    attributeOrNull,
    content: () => page.ask('content', at),
  }
}
