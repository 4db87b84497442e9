import { isTag } from 'domhandler'
import type { Element } from 'domhandler'
import { around, inOneLine, textIn } from './tree.ts'

/** In characters. */
const longest = 200
const noText = new Set(['select', 'textarea', 'button', 'template', 'noscript', 'script', 'style'])

/** What a page calls its fields. */
export class Labels {
  readonly #byId = new Map<string, Element>()
  readonly #legends = new Map<Element, Element | undefined>()

  constructor(elements: readonly Element[]) {
    for (const element of elements) {
      const id = element.name === 'label' ? element.attribs['for'] : undefined
      if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, element)
    }
  }

  /** Of one field; null: the page has none. */
  of(element: Element): string | null {
    const { id = '' } = element.attribs
    const label = this.#byId.get(id) ?? around(element).find(({ name }) => name === 'label')
    return shown(label && textIn(label, noText)) ?? shown(element.attribs['aria-label'])
  }

  /** Of fields that belong together. */
  ofGroup(element: Element): string | null {
    const group = around(element).find(({ name }) => name === 'fieldset')
    const legend = group && this.legendOf(group)
    return shown(legend && textIn(legend, noText))
  }

  legendOf(fieldset: Element): Element | undefined {
    if (!this.#legends.has(fieldset))
      this.#legends.set(
        fieldset,
        fieldset.children.filter(isTag).find(({ name }) => name === 'legend'),
      )
    return this.#legends.get(fieldset)
  }
}

function shown(text: string | undefined): string | null {
  const line = inOneLine(text ?? '').replace(/\s*[:*]+$/, '')
  return line === '' ? null : line.slice(0, longest)
}
