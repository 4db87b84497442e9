import type { Document, Element } from 'domhandler'
import { isTag, isText } from 'domhandler'
import { visibleText } from '../../kit/visible-text.ts'
import { elementsIn, inOneLine } from '../../runtime/forms/tree.ts'
import type { OutputDraft } from './draft.ts'
import { isBeside } from './lists.ts'
import { Names, nameOf, quoted } from './literal.ts'
import { classesOf, find, isWord, ownWays, waysTo } from './selectors.ts'
import { isSecret } from './tokens.ts'

const mostFields = 16

interface Found {
  readonly name: string | undefined
  readonly css: string
  readonly attribute?: string
}

/** The labelled fields of a page about one entity. Text that all pages share is no field. */
export function detailsOf(pages: readonly Document[]): readonly OutputDraft[] {
  const [first, ...others] = pages
  if (first === undefined) return []
  const found = [...headings(first), ...labelledIn(first), ...called(first, others)]
  const names = new Names()
  const fields: OutputDraft[] = []
  const taken = new Set<Element>()
  const said = new Set<string>()
  for (const one of found) {
    if (fields.length >= mostFields) break
    const elements = pages.map((page) => find(one.css, page))
    const [element] = elements[0] ?? []
    if (element === undefined || taken.has(element) || elements.some((each) => each.length > 1)) continue
    const texts = elements.flatMap((each) =>
      each
        .slice(0, 1)
        .map((own) => (one.attribute === undefined ? visibleText(own) : (own.attribs[one.attribute] ?? ''))),
    )
    if (texts.every((text) => text === '') || texts.some((text) => isSecret(text) || text.length > 20_000)) continue
    // A duplicate, such as a heading and its inner element.
    const says = JSON.stringify(texts)
    if (said.has(says)) continue
    said.add(says)
    taken.add(element)
    const always = elements.every((each) => each.length === 1)
    const read = one.attribute === undefined ? 'text()' : `attribute(${quoted(one.attribute)})`
    const name = names.take(one.name, 'text')
    if (always && one.attribute === undefined && texts.every((text) => /^\d{1,9}$/.test(text)))
      fields.push({ name, schema: 'Type.Integer()', value: `number(at.select(${quoted(one.css)}).text())` })
    else if (always) fields.push({ name, schema: 'Type.String()', value: `at.select(${quoted(one.css)}).${read}` })
    else fields.push({ name, schema: 'NullableText', value: `at.optional(${quoted(one.css)})?.${read} ?? null` })
  }
  return fields
}

function headings(page: Document): readonly Found[] {
  const [heading] = find('h1', page).filter((one) => !isBeside(one) && visibleText(one) !== '')
  const css = heading && ['h1', 'main h1', ...waysTo(heading)].find((way) => find(way, page).length === 1)
  return css === undefined ? [] : [{ name: 'title', css }]
}

/** Values of `dt`/`dd`, of table rows with one header cell, and of `itemprop`. */
function labelledIn(page: Document): readonly Found[] {
  const pairs = [...find('dt', page), ...find('tr > th:first-child', page)].filter((one) => !isBeside(one))
  const beside = pairs.flatMap((label): Found[] => {
    const next = sibling(label)
    const text = inOneLine(visibleText(label)).replace(/\s*:$/, '')
    const wanted = label.name === 'dt' ? 'dd' : 'td'
    if (next?.name !== wanted || text === '' || text.length > 40 || /["\\]/.test(text)) return []
    if (wanted === 'td' && sibling(next) !== undefined) return []
    const own = ownWays(next).find((way) => find(way, page).length === 1)
    return [{ name: nameOf(text), css: own ?? `${label.name}:contains("${text}") + ${wanted}` }]
  })
  const marked = find('[itemprop]', page).flatMap((one): Found[] => {
    const { itemprop = '' } = one.attribs
    if (!/^[A-Za-z]+$/.test(itemprop) || isBeside(one) || visibleText(one) === '') return []
    return [{ name: nameOf(itemprop), css: `[itemprop="${itemprop}"]` }]
  })
  return [...beside, ...marked]
}

/** Elements with a selector of their own whose text differs on every other page. */
function called(page: Document, others: readonly Document[]): readonly Found[] {
  if (others.length === 0) return []
  const found: Found[] = []
  for (const one of elementsIn(page.children)) {
    if (found.length >= 60) break
    const isMoment = one.name === 'time' && one.attribs['datetime'] !== undefined
    const isLeaf = isMoment || one.children.some((child) => isText(child) && child.data.trim() !== '')
    if (
      (!isLeaf && !one.children.some((child) => isTag(child) && child.name === 'p')) ||
      /^(?:script|style|button|label|option|textarea|body|html|title|form|main|noscript)$/.test(one.name) ||
      isBeside(one)
    )
      continue
    const css = waysTo(one).find((way) => /[.#[]/.test(way) && find(way, page).length === 1)
    if (css === undefined) continue
    const differs = others.every((other) => {
      const [same, ...more] = find(css, other)
      if (same === undefined || more.length > 0) return false
      return isMoment ? same.attribs['datetime'] !== one.attribs['datetime'] : visibleText(same) !== visibleText(one)
    })
    const [word] = [
      isWord(one.attribs['id'] ?? '') ? (one.attribs['id'] ?? '') : '',
      ...classesOf(one),
      ...(one.parent !== null && isTag(one.parent) ? classesOf(one.parent) : []),
    ].filter((each) => each !== '')
    if (differs)
      found.push({
        name: nameOf((word ?? (isMoment ? 'time' : 'text')).replace(/^js-/, '')),
        css,
        ...(isMoment && { attribute: 'datetime' }),
      })
  }
  return found
}

function sibling(element: Element): Element | undefined {
  const all = element.parent?.children.filter(isTag) ?? []
  return all[all.indexOf(element) + 1]
}
