import type { Document, Element } from 'domhandler'
import { isTag, isText } from 'domhandler'
import { visibleText } from '../../kit/visible-text.ts'
import { around, elementsIn, inOneLine } from '../../runtime/forms/tree.ts'
import type { OutputDraft } from './draft.ts'
import { wordOfNumbers } from './exchanges.ts'
import { isIdLike } from './inputs.ts'
import { Names, inPattern, nameOf, quoted, singular } from './literal.ts'
import { classesOf, find, isWord, waysTo } from './selectors.ts'
import { isSecret } from './tokens.ts'

const mostFields = 14

interface Candidate {
  readonly css: string
  readonly found: readonly (Element | undefined)[]
}

/** The fields of items, read from `one`. `named`: with an id; `ofOne`: number on the first page. */
export function fieldsOf(
  items: readonly Element[],
  kind: string,
  ofOne = items.length,
): { readonly fields: readonly OutputDraft[]; readonly named: boolean } {
  const names = new Names()
  const sample = items.slice(0, 40)
  const fields: OutputDraft[] = []
  const candidates = candidatesIn(sample)
  const taken = new Map<Element, string | undefined>()
  const page = sample.slice(0, ofOne)
  const id = idOf(
    page,
    candidates.map(({ css, found }) => ({ css, found: found.slice(0, page.length) })),
    kind,
  )
  if (id) fields.push({ ...id, name: names.take(id.name) })
  for (const one of candidates) {
    if (fields.length >= mostFields) break
    const field = fieldOf(one, sample)
    if (field === undefined) continue
    const [element] = one.found.filter((each) => each !== undefined)
    const isWithin = element !== undefined && around(element).some((outer) => taken.get(outer) === field.names[0])
    if (element === undefined || isWithin) continue
    taken.set(element, field.names[0])
    fields.push({ ...field, name: names.take(field.names.find((name) => !names.has(name)) ?? field.names[0], 'text') })
  }
  return { fields, named: id !== undefined }
}

/** Each element with text within the items, by the shortest selector. */
function candidatesIn(items: readonly Element[]): readonly Candidate[] {
  const known: Candidate[] = []
  const tried = new Set<string>()
  for (const item of items.slice(0, 8))
    for (const element of elementsIn(item.children)) {
      if (!saysSomething(element) || known.some(({ found }) => found.includes(element))) continue
      for (const css of waysTo(element, item)) {
        if (tried.has(css) || (/^(?:body|div|li|p|a|span)$/.test(css) && known.some((one) => one.css === css))) continue
        tried.add(css)
        const found = items.map((one) => find(css, one))
        const count = found.filter((each) => each.length === 1).length
        if (
          found.some((each) => each.length > 1) ||
          count < items.length * 0.6 ||
          !found.some((each) => each[0] === element)
        )
          continue
        known.push({ css, found: found.map((each) => each[0]) })
        break
      }
    }
  return known
}

function saysSomething(element: Element): boolean {
  if (/^(?:script|style|svg|path|button|label|input|select|option|textarea|i|br|img)$/.test(element.name)) return false
  if (element.name === 'time' || element.attribs['datetime'] !== undefined) return true
  if (element.children.some((child) => isText(child) && child.data.trim().length > 0)) return true
  return false
}

type Field = Omit<OutputDraft, 'name'> & { readonly names: readonly string[] }

function fieldOf({ css, found }: Candidate, items: readonly Element[]): Field | undefined {
  const there = found.filter((one) => one !== undefined)
  const always = there.length === items.length
  const attribute = ['datetime', 'data-timestamp', 'data-datetime'].find((name) =>
    there.every((one) => one.attribs[name] !== undefined),
  )
  const texts = there.map((one) => (attribute === undefined ? visibleText(one) : (one.attribs[attribute] ?? '')))
  if (texts.every((text) => text === '') || texts.some(isSecret)) return undefined
  // Text that all items share is a label.
  if (items.length > 2 && new Set(texts).size === 1) return undefined
  // Singular and plural of a label, after a count.
  const words = new Set(texts.map((text) => singular(text.toLowerCase())))
  if (items.length > 1 && words.size === 1 && !/\d/.test(texts[0] ?? '')) return undefined
  const [element] = there
  const called = element && namesOfPlace(element, attribute !== undefined, items[found.indexOf(element)])
  const isWhole = attribute === undefined && texts.every((text) => /^\d{1,9}$/.test(text))
  const at = always ? `one.select(${quoted(css)})` : `one.optional(${quoted(css)})`
  const read = attribute === undefined ? `text()` : `attribute(${quoted(attribute)})`
  const names = called ?? []
  if (isWhole && always) return { names: [...names, 'count'], schema: 'Type.Integer()', value: `number(${at}.${read})` }
  return always
    ? { names, schema: 'Type.String()', value: `${at}.${read}` }
    : { names, schema: 'NullableText', value: `${at}?.${read} ?? null` }
}

/** Names for a field: from the column's header, its class, or its type. */
function namesOfPlace(element: Element, isMoment: boolean, item: Element | undefined): readonly string[] {
  const [cell] = [element, ...around(element)].filter(({ name }) => name === 'td')
  const head = cell && headOf(cell)
  const column = head !== undefined && head.length < 40 ? nameOf(head) : undefined
  if (column !== undefined) return [column]
  const own = [
    element,
    ...around(element).slice(0, item === undefined ? 0 : Math.max(0, around(element).indexOf(item))),
  ]
  const words = own.flatMap((one) => [one.attribs['itemprop'] ?? '', ...classesOf(one)]).filter((one) => isWord(one))
  const prefix = new Set(item ? classesOf(item).flatMap((one) => one.split(/[-_]+/)) : [])
  const names = words
    .map((one) =>
      one
        .split(/[-_]+/)
        .filter((part) => !prefix.has(part) && part !== 'js')
        .join('_'),
    )
    .flatMap((one) => nameOf(one) ?? [])
  if (isMoment) return [...names, 'time']
  if (own.some(({ name }) => /^h[1-6]$/.test(name))) return ['title', ...names]
  return [...names, ...(element.name === 'a' ? ['title'] : [])]
}

/** The column header of a cell. */
export function headOf(cell: Element): string | undefined {
  const table = around(cell).find(({ name }) => name === 'table')
  const row = cell.parent
  if (table === undefined || row === null || !isTag(row)) return undefined
  const at = row.children.filter(isTag).indexOf(cell)
  const heads = find('tr', table).find((one) => one.children.filter(isTag).every(({ name }) => name === 'th'))
  const head = heads?.children.filter(isTag)[at]
  return head && inOneLine(visibleText(head))
}

/** An item's own id: from its attributes, or its link. */
function idOf(items: readonly Element[], candidates: readonly Candidate[], kind: string): OutputDraft | undefined {
  const [first] = items
  const data = Object.keys(first?.attribs ?? {}).find(
    (name) => /^data-(?:.*-)?(?:id|pk|uuid)$/.test(name) && distinct(items.map((one) => one.attribs[name])),
  )
  const name = `${kind}_id`
  if (data !== undefined) return { name, schema: `refTo(${quoted(kind)})`, value: `one.attribute(${quoted(data)})` }
  const links = [
    ...candidates.map(({ css, found }) => ({ css, found })),
    ...['a[href]', 'h2 a', 'h3 a', 'td a'].map((css) => ({ css, found: items.map((one) => single(css, one)) })),
  ]
  const others: OutputDraft[] = []
  for (const { css, found } of links) {
    if (!found.every((one) => one?.name === 'a')) continue
    const led = patternOf(found.map((one) => one?.attribs['href'] ?? ''))
    if (led === undefined) continue
    const own = led.word === undefined ? kind : (nameOf(singular(led.word)) ?? kind)
    const value = `/${led.pattern}/.exec(one.select(${quoted(css)}).attribute('href'))?.[1]`
    const draft = { name: `${own}_id`, schema: `refTo(${quoted(own)})`, value }
    if (own === kind) return draft
    others.push(/\bh[1-6]\b/.test(css) ? { ...draft, name } : draft)
  }
  return others.find((one) => one.name === name) ?? others[0]
}

function single(css: string, item: Element | Document): Element | undefined {
  const found = find(css, item)
  return found.length === 1 ? found[0] : undefined
}

const distinct = (values: readonly (string | undefined)[]): boolean =>
  values.every((one) => one !== undefined && one !== '') && new Set(values).size === values.length

/** The part of URLs that differs, with the word before it. */
export function patternOf(
  addresses: readonly string[],
): { readonly pattern: string; readonly word: string | undefined } | undefined {
  const paths = addresses.map((one) => (URL.parse(one, 'https://app.invalid/')?.pathname ?? '').split('/'))
  const queries = addresses.map((one) => URL.parse(one, 'https://app.invalid/')?.searchParams ?? new URLSearchParams())
  const [first] = paths
  if (first === undefined) return undefined
  for (const [at, part] of first.entries()) {
    const values = paths.map((one) => one[at])
    const glued = wordOfNumbers(values.map((one) => one ?? ''))
    if (glued !== undefined && distinct(values))
      return { pattern: String.raw`(?:^|\/)${inPattern(glued)}(\d+)`, word: glued.replace(/[-_]$/, '') }
    if (!distinct(values) || (values.length === 1 && !isIdLike(part))) continue
    const word = first[at - 1] ?? ''
    const isShared = word !== '' && paths.every((one) => one[at - 1] === word)
    if (!isShared || !values.every((value) => /^[\w.~-]+$/.test(value ?? ''))) continue
    return { pattern: String.raw`\/${inPattern(word)}\/([^/?#]+)`, word: /^[a-z-]+$/i.test(word) ? word : undefined }
  }
  const key = [...(queries[0]?.keys() ?? [])].find(
    (name) => /^[\w-]+$/.test(name) && distinct(queries.map((one) => one.get(name) ?? undefined)),
  )
  return key === undefined
    ? undefined
    : {
        pattern: `[?&]${key}=([^&#]+)`,
        word: /^(?:id|pk)$/.test(key) ? undefined : key.replace(/_?id$/, '') || undefined,
      }
}
