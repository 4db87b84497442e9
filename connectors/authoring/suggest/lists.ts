import type { Document, Element } from 'domhandler'
import { isTag } from 'domhandler'
import { visibleText } from '../../kit/visible-text.ts'
import { around, elementsIn } from '../../runtime/forms/tree.ts'
import { classesOf, exactly, find, ownWays } from './selectors.ts'

/** The main list of a page. */
export interface List {
  /** Selects the items and nothing else. */
  readonly selector: string
  readonly items: readonly Element[]
}

/** Classes and ids around an item that mark it as navigation or the like. */
const besides =
  /(?:^|[-_])(?:nav|navbar|menu|pagin\w*|breadcrumbs?|footer|sidebar|toolbar|tabs?|lang|share|social|cookie\w*|dropdown)(?:$|[-_])/i
const outside = new Set([
  'nav',
  'footer',
  'aside',
  'select',
  'head',
  'script',
  'style',
  'svg',
  'datalist',
  'template',
  'thead',
])
const mostElements = 40_000

/** Whether an element is outside the page's main content. */
export function isBeside(element: Element): boolean {
  return [element, ...around(element)].some((one) => {
    let known = beside.get(one)
    if (known === undefined) beside.set(one, (known = isOutside(one)))
    return known
  })
}

const beside = new WeakMap<Element, boolean>()

/** An element that contains the main content is never outside, whatever its name. */
function isOutside(one: Element): boolean {
  const { name, attribs, parent } = one
  const said =
    outside.has(name) ||
    (name === 'header' && !/^(?:article|section|main)$/.test(parent !== null && isTag(parent) ? parent.name : '')) ||
    `${attribs['class'] ?? ''} ${attribs['id'] ?? ''}`.split(/\s+/).some((word) => besides.test(word))
  return said && (outside.has(name) || find('main, h1', one).length === 0)
}

/** The page's list: the sibling group with the most content; undefined: none. */
export function listIn(page: Document): List | undefined {
  const groups: { readonly items: readonly Element[]; readonly score: number }[] = []
  let seen = 0
  for (const parent of elementsIn(page.children)) {
    if (++seen > mostElements) break
    if (parent.children.length < 2) continue
    for (const items of alike(parent)) {
      const score = scoreOf(items)
      if (score > 0) groups.push({ items, score })
    }
  }
  for (const { items } of groups.toSorted((a, b) => b.score - a.score).slice(0, 5)) {
    const selector = exactly(itemWays(items), page, items)
    if (selector !== undefined) return { selector, items }
  }
  return undefined
}

/** Siblings of one tag and first class; rows by cell count, since row classes alternate. */
function alike(parent: Element): readonly (readonly Element[])[] {
  const children = parent.children
    .filter(isTag)
    .filter((one) => !/^(?:script|style|option|br|hr|col|input|label|head|link|meta|p|h\d)$/.test(one.name))
  const kinds = Map.groupBy(children, (one) =>
    one.name === 'tr' ? `tr ${cellsOf(one)}` : `${one.name}.${classesOf(one)[0] ?? ''}`,
  )
  return [...kinds.values()]
    .map((items) => items.filter((one) => one.name !== 'tr' || cellsOf(one) > 0))
    .filter((items) => items.length >= 2)
}

const cellsOf = (row: Element): number => row.children.filter((one) => isTag(one) && one.name === 'td').length

function scoreOf(items: readonly Element[]): number {
  const [first] = items
  if (first === undefined || isBeside(first)) return 0
  const texts = items.slice(0, 30).map((one) => visibleText(one))
  const mean = texts.reduce((sum, { length }) => sum + Math.min(length, 600), 0) / texts.length
  const different = new Set(texts).size / texts.length
  if (mean < 2 || different < 0.5) return 0
  const links =
    items.slice(0, 30).filter((one) => one.name === 'a' || find('a[href]', one).length > 0).length /
    Math.min(items.length, 30)
  const ids = items.every(
    (one) => Object.keys(one.attribs).some((name) => /^data-.*id$/.test(name)) || /\d/.test(one.attribs['id'] ?? ''),
  )
  const parts = Math.min(find('*', first).length + 1, 12)
  const isCell = /^(?:td|th|span|b|i|dt|dd)$/.test(first.name)
  return (
    Math.min(items.length, 30) *
    Math.log(mean + 1) *
    Math.log(parts + 1) *
    (0.4 + links) *
    (ids ? 1.5 : 1) *
    (isCell ? 0.1 : 1)
  )
}

function itemWays(items: readonly Element[]): readonly string[] {
  const [first, ...others] = items
  if (first === undefined) return []
  const shared = classesOf(first).filter((one) => others.every((other) => classesOf(other).includes(one)))
  const data = Object.keys(first.attribs).filter(
    (name) => /^data-[a-z-]+$/.test(name) && others.every((other) => other.attribs[name] !== undefined),
  )
  const outer = around(first)
    .filter(({ name }) => name !== 'html')
    .slice(0, 5)
  const cells = first.name === 'tr' ? [':has(td)', ''] : ['']
  const within = outer.flatMap((one) => {
    const tag = /^(?:main|article|section)$/.test(one.name) ? [one.name] : []
    const ways = [...ownWays(one), ...tag, ...(one.name === 'table' ? ['table'] : [])]
    return ways.flatMap((way) =>
      [...shared.map((name) => `.${name}`), ...cells.map((cell) => `${first.name}${cell}`)].flatMap((own) => [
        ...(one === first.parent ? [`${way} > ${own}`] : []),
        `${way} ${own}`,
        ...(first.name === 'tr' ? [`${way} tbody > ${own}`] : []),
      ]),
    )
  })
  return [
    ...shared.map((name) => `.${name}`),
    ...shared.map((name) => `${first.name}.${name}`),
    ...data.map((name) => `${first.name}[${name}]`),
    ...within,
    ...(first.name === 'tr' ? ['tbody > tr', 'tr:has(td)'] : []),
    ...(['article'].includes(first.name) ? [first.name] : []),
    `${first.name}${first.name === 'li' ? ':has(a[href])' : ''}`,
  ]
}

/** A selector for rows with this cell count: with another column, values would be mixed up. */
export function withCells({ selector, items }: List, page: Document): string {
  const counts = new Set(items.map(cellsOf))
  const [count = 0] = counts
  if (counts.size !== 1 || count === 0) return selector
  const own = `${selector.replace(':has(td)', '')}:has(> td:nth-of-type(${count})):not(:has(> td:nth-of-type(${count + 1})))`
  return exactly([own], page, items) ?? selector
}

/** A selector that matches only on an empty list's page. */
export function emptySign(empty: Document, full: readonly Document[]): string | undefined {
  for (const one of elementsIn(empty.children)) {
    const said = `${one.attribs['class'] ?? ''} ${one.attribs['id'] ?? ''}`
    if (!/empty|no[-_]|none|nothing|blank|alert|info|zero/i.test(said) || isBeside(one)) continue
    const css = ownWays(one).find(
      (way) => find(way, empty).length > 0 && full.every((page) => find(way, page).length === 0),
    )
    if (css !== undefined) return css
  }
  return undefined
}

/** The link to the next page. */
export function nextLink(page: Document): { readonly css: string; readonly query: string } | undefined {
  const ways = [
    'a[rel~="next"]',
    'link[rel~="next"]',
    ...find('a[href]', page).flatMap((one) => {
      const names = [
        ...classesOf(one),
        ...(one.parent !== null && isTag(one.parent) ? classesOf(one.parent).map((name) => `${name} > a`) : []),
      ]
      return names.filter((name) => /(?:^|[-_])next(?:$|[-_ ])/i.test(name)).map((name) => `.${name}`)
    }),
  ]
  for (const css of ways) {
    const [one, ...more] = find(css, page)
    const href = one?.attribs['href'] ?? ''
    const query = [...(URL.parse(href, 'https://app.invalid/')?.searchParams.keys() ?? [])].find((name) =>
      /^(?:page|p|paged|offset|start|cursor|after|before|page_?token)$/i.test(name),
    )
    if (one !== undefined && more.length === 0 && query !== undefined) return { css, query }
  }
  return undefined
}
