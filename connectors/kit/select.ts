import { selectAll } from 'css-select'
import { isTag } from 'domhandler'
import type { AnyNode, Document, Element } from 'domhandler'
import { parsed } from './document.ts'
import { visibleText } from './visible-text.ts'
import { sawAttribute, sawSelected } from './watching.ts'
import { UnknownShape } from './wire.ts'

/**
 * A place of a page to read on from. What is not there as declared is an unknown shape that names the selector; what stands in quotes in it is
 * left out, so that values may stand there (`having`).
 */
export interface Node {
  /** The one element of these, not more and not fewer. */
  select(css: string): Node
  /** The first of at least one. */
  first(css: string): Node
  /** The one, or null where there is none. */
  optional(css: string): Node | null
  /** At least one; none only where `emptyWhen` is there, such as `.no-results`: a page that has changed is never an empty list. */
  all(css: string, options?: { readonly emptyWhen: string }): readonly Node[]
  /** As many as there are, for what nothing else can say: a page that has changed looks like none. */
  any(css: string): readonly Node[]
  /** What is read of it on the screen: spaces as one, without outer ones, lines where `<br>` and blocks end. */
  text(): string
  attribute(name: string): string
  attributeOrNull(name: string): string | null
  /** The content of an element that holds no elements, such as a script or a textarea, as it stands there. */
  content(): string
}

/** The page, to select from several times, or the one element of it. */
export function select(page: string, css?: string): Node {
  const root = node(parsed(page), 'the page')
  return css === undefined ? root : root.select(css)
}

/** A part of a selector: whose attribute is exactly this value, whatever stands in it. */
export function having(attribute: string, value: string): string {
  const escaped = Array.from(value, (character) =>
    /[\w .,:/@-]/.test(character) ? character : `\\${(character.codePointAt(0) ?? 0).toString(16)} `,
  )
  return `[${attribute}="${escaped.join('')}"]`
}

function node(at: Document | Element, name: string): Node {
  const find = (css: string): readonly Node[] => elementsOf(at, css).map((element) => node(element, withoutValues(css)))
  const one = (css: string): Node | null => {
    const [found, ...others] = find(css)
    if (others.length > 0) throw new UnknownShape(`more than one ${withoutValues(css)}`)
    return found ?? null
  }
  const needed = <T>(found: T | null | undefined, css: string): T => {
    if (found === null || found === undefined) throw new UnknownShape(`no ${withoutValues(css)}`)
    return found
  }
  const attributeOrNull = (attribute: string): string | null => {
    if (!isTag(at) || !Object.hasOwn(at.attribs, attribute)) return null
    sawAttribute(at, name, attribute)
    return at.attribs[attribute] ?? null
  }
  return {
    select: (css) => needed(one(css), css),
    first: (css) => needed(find(css)[0], css),
    optional: one,
    all(css, options) {
      const found = find(css)
      if (options !== undefined && found.length === 0)
        needed(find(options.emptyWhen)[0], `${css}, nor ${options.emptyWhen}`)
      else needed(found[0], css)
      return found
    },
    any: find,
    text: () => visibleText(at),
    attribute: (attribute) => needed(attributeOrNull(attribute), `${attribute} of ${name}`),
    attributeOrNull,
    content: () => at.children.map((child) => ('data' in child ? child.data : '')).join(''),
  }
}

function elementsOf(at: Document | Element, css: string): readonly Element[] {
  try {
    // An element is not within itself.
    const found = selectAll<AnyNode, Element>(css, at).filter((element) => element !== at)
    sawSelected(at, css, found)
    return found
  } catch {
    throw new UnknownShape(`${withoutValues(css)} is no selector`)
  }
}

function withoutValues(css: string): string {
  return css.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gs, '…')
}
