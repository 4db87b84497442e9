import type { Element } from 'domhandler'
import { legendOf } from '../../kit/field-state.ts'
import { around, inOneLine, textIn } from './tree.ts'

/** In characters. */
const longest = 200
const noText = new Set(['select', 'textarea', 'button', 'template', 'noscript', 'script', 'style'])

/** The labels of a page's fields. */
export class Labels {
  readonly #byId = new Map<string, Element>()
  /** Cache of the texts of labels and legends: many fields may share one. */
  readonly #texts = new Map<Element, string | null>()

  constructor(elements: readonly Element[]) {
    for (const element of elements) {
      const id = element.name === 'label' ? element.attribs['for'] : undefined
      if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, element)
    }
  }

  /** Label of one field; null: the page has none. */
  of(element: Element): string | null {
    const { id = '' } = element.attribs
    const label = this.#byId.get(id) ?? around(element).find(({ name }) => name === 'label')
    return this.#text(label) ?? shown(element.attribs['aria-label'])
  }

  /** Legend of the fieldset around it; null: none. */
  ofGroup(element: Element): string | null {
    const group = around(element).find(({ name }) => name === 'fieldset')
    return this.#text((group && legendOf(group)) ?? undefined)
  }

  #text(element: Element | undefined): string | null {
    if (element === undefined) return null
    const text = this.#texts.get(element)
    if (text !== undefined) return text
    const read = shown(textIn(element, noText))
    this.#texts.set(element, read)
    return read
  }
}

function shown(text: string | undefined): string | null {
  const line = inOneLine(text ?? '').replace(/\s*[:*]+$/, '')
  return line === '' ? null : line.slice(0, longest)
}
