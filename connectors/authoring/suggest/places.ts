import type { Element } from 'domhandler'
import { having } from '../../kit/select.ts'
import { htmlTree } from '../../kit/html-tree.ts'
import { textIn } from '../../runtime/forms/tree.ts'
import type { TracedExchange } from '../trace.ts'
import { jsonOf, leavesOf } from './bodies.ts'
import type { JsonPath } from './bodies.ts'
import { kindOf } from './exchanges.ts'
import { quoted } from './literal.ts'
import { find, isWord } from './selectors.ts'

/** The position in an answer of a value that a later request sends. */
export type Place =
  | { readonly in: 'json'; readonly path: JsonPath; readonly isNumber: boolean; readonly value: string }
  | {
      readonly in: 'script'
      readonly css: string
      readonly path: JsonPath
      readonly isNumber: boolean
      readonly value: string
    }
  | { readonly in: 'hidden' | 'meta'; readonly name: string; readonly css: string; readonly value: string }
  | { readonly in: 'attribute'; readonly css: string; readonly attribute: string; readonly value: string }

const named = /^[\w:.[\]-]{1,80}$/

/** All positions in an answer that are stable between pages: none in lists. */
export function placesOf(exchange: TracedExchange): readonly Place[] {
  const { text } = exchange.answer
  if (text === null) return []
  const kind = kindOf(exchange)
  if (kind === 'json') return inJson(jsonOf(text)).map((one) => ({ in: 'json', ...one }))
  if (kind !== 'page') return []
  const page = htmlTree(text)
  const places: Place[] = []
  for (const one of find('input[type="hidden" i][name]', page)) {
    const { name = '', value = '' } = one.attribs
    if (named.test(name)) places.push({ in: 'hidden', name, css: `input${having('name', name)}`, value })
  }
  for (const one of find('meta[name][content]', page)) {
    const { name = '', content = '' } = one.attribs
    if (named.test(name)) places.push({ in: 'meta', name, css: `meta${having('name', name)}`, value: content })
  }
  for (const one of find('script[id]', page)) {
    const { id = '', type = '' } = one.attribs
    if (!isWord(id.replaceAll('_', '')) && !/^[\w-]+$/.test(id)) continue
    if (!/json/i.test(type)) continue
    for (const leaf of inJson(jsonOf(textIn(one, new Set())))) places.push({ in: 'script', css: `#${id}`, ...leaf })
  }
  for (const one of find('[id], body, main', page)) places.push(...attributesOf(one))
  return places.filter((one) => !('css' in one) || one.in === 'hidden' || find(one.css, page).length === 1)
}

function attributesOf(one: Element): readonly Place[] {
  const { id = '' } = one.attribs
  const css = isWord(id) ? `#${id}` : id === '' ? one.name : undefined
  if (css === undefined) return []
  return Object.entries(one.attribs).flatMap(([attribute, value]): Place[] =>
    /^data-[a-z-]+$/.test(attribute) ? [{ in: 'attribute', css, attribute, value }] : [],
  )
}

function inJson(
  value: unknown,
): readonly { readonly path: JsonPath; readonly isNumber: boolean; readonly value: string }[] {
  return leavesOf(value).flatMap(([path, leaf]) =>
    (typeof leaf === 'string' || typeof leaf === 'number') && path.every((part) => typeof part === 'string')
      ? [{ path, isNumber: typeof leaf === 'number', value: String(leaf) }]
      : [],
  )
}

/** Equal positions in different answers have equal keys. */
export function keyOfPlace(place: Place): string {
  const { value: _, ...rest } = place
  return JSON.stringify(rest)
}

/** The expression that reads it, from `answer` (fields) or `page` (source). */
export function readerOf(place: Place): string {
  switch (place.in) {
    case 'json':
      return checked(place, inFields('answer', place.path))
    case 'script':
      return checked(place, inFields(`fields(jsonScript(page, ${quoted(place.css)}))`, place.path))
    case 'meta':
      return `metaContent(page, ${quoted(place.name)})`
    case 'hidden':
      return `select(page).first(${quoted(place.css)}).attribute('value')`
    case 'attribute':
      return `select(page, ${quoted(place.css)}).attribute(${quoted(place.attribute)})`
  }
}

/** A missing value must throw, not be sent as empty. */
const checked = ({ isNumber }: { readonly isNumber: boolean }, code: string): string =>
  `${isNumber ? 'number' : 'text'}(${code})`

export function inFields(from: string, path: JsonPath): string {
  return path.reduce<string>(
    (code, part, at) => `${at === 0 ? code : `fields(${code})`}[${quoted(String(part))}]`,
    from,
  )
}
