import { isTag, isText } from 'domhandler'
import type { AnyNode, Element } from 'domhandler'

/** `dirname`: the entry with the text direction of a field. */
export interface Direction {
  readonly name: string
  /** auto: that of its first letter. */
  readonly dir: 'ltr' | 'rtl' | 'auto'
}

const types =
  /^(?:checkbox|radio|file|submit|image|reset|button|number|range|color|date|month|week|time|datetime-local)$/i

/** https://html.spec.whatwg.org/#submitting-element-directionality:-the-dirname-attribute */
export function directionOf(element: Element): { readonly direction?: Direction } {
  const { dirname: name = '', type = '' } = element.attribs
  if (name === '' || (element.name !== 'textarea' && (element.name !== 'input' || types.test(type)))) return {}
  const own = dirOf(element) ?? (element.name === 'input' && /^tel$/i.test(type) ? 'ltr' : undefined)
  return { direction: { name, dir: own ?? inherited(element) } }
}

export function directionFor({ dir }: Direction, value: string): string {
  return dir === 'auto' ? (firstLetter(value) ?? 'ltr') : dir
}

function dirOf({ attribs }: Element): Direction['dir'] | undefined {
  const dir = attribs['dir']?.toLowerCase()
  return dir === 'ltr' || dir === 'rtl' || dir === 'auto' ? dir : undefined
}

function inherited(element: Element): 'ltr' | 'rtl' {
  for (let at = element.parent; at !== null && isTag(at); at = at.parent) {
    const dir = dirOf(at) ?? (at.name === 'bdi' ? 'auto' : undefined)
    if (dir !== undefined) return dir === 'auto' ? (firstLetterIn(at.children) ?? 'ltr') : dir
  }
  return 'ltr'
}

const skipped = new Set(['bdi', 'script', 'style', 'textarea', 'input'])

function firstLetterIn(nodes: readonly AnyNode[]): 'ltr' | 'rtl' | undefined {
  const left = nodes.toReversed()
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    const found = isText(node) ? firstLetter(node.data) : undefined
    if (found !== undefined) return found
    if (isTag(node) && !skipped.has(node.name) && dirOf(node) === undefined) left.push(...node.children.toReversed())
  }
  return undefined
}

/** Scripts written from right to left. */
const rightToLeft =
  /^[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u

function firstLetter(text: string): 'ltr' | 'rtl' | undefined {
  const letter = /\p{L}/u.exec(text)?.[0]
  return letter === undefined ? undefined : rightToLeft.test(letter) ? 'rtl' : 'ltr'
}
