import type { Element } from 'domhandler'
import { tagsIn } from '../kit/form-owner.ts'
import { htmlTree } from '../kit/html-tree.ts'

/** An element's range in the source. */
interface Extent {
  readonly start: number
  /** End of its opening tag, if it has one. */
  readonly opened: number
  readonly end: number
}

/** The page without these elements, numbered in document order. */
export function withoutElements(source: string, counted: ReadonlySet<number>): string {
  let left = ''
  let at = 0
  for (const { start, end } of extentsOf(source, counted)) {
    if (start > at) left += source.slice(at, start)
    at = Math.max(at, end)
  }
  return left + source.slice(at)
}

/** The page with this attribute removed from these elements. */
export function withoutAttribute(source: string, counted: ReadonlySet<number>, attribute: string): string {
  let left = ''
  let at = 0
  for (const { start, opened } of extentsOf(source, counted)) {
    // One tag can open several elements.
    if (start < at) continue
    left += source.slice(at, start) + tagWithout(source.slice(start, opened), attribute)
    at = opened
  }
  return left + source.slice(at)
}

/** Source texts of these elements, or of one attribute, in document order. */
export function textsOf(source: string, counted: ReadonlySet<number>, attribute?: string): readonly string[] {
  if (attribute !== undefined) return located(source, counted).map(({ attribs }) => attribs[attribute] ?? '')
  return extentsOf(source, counted).map(({ opened, end }) => source.slice(opened, end).replaceAll(/<[^>]*>/g, ' '))
}

function tagWithout(tag: string, attribute: string): string {
  const [name = ''] = /^<[^\s/>]+/.exec(tag) ?? []
  const rest = tag
    .slice(name.length)
    .replaceAll(/\s+([^\s=/>"']+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"']+))?/g, (whole, found: string) =>
      found.toLowerCase() === attribute ? '' : whole,
    )
  return name + rest
}

function located(source: string, counted: ReadonlySet<number>): readonly Element[] {
  return [...tagsIn(htmlTree(source, { located: true }))].filter((_, count) => counted.has(count))
}

function extentsOf(source: string, counted: ReadonlySet<number>): readonly Extent[] {
  return located(source, counted)
    .flatMap((element) => extentOf(element) ?? [])
    .toSorted((a, b) => a.start - b.start)
}

/** An implied element, such as a `tbody`, spans its first to its last child. */
function extentOf(element: Element): Extent | undefined {
  const { sourceCodeLocation: own } = element
  if (own) return { start: own.startOffset, opened: own.startTag?.endOffset ?? own.endOffset, end: own.endOffset }
  const inner = [...tagsIn(element)].flatMap((one) => one.sourceCodeLocation ?? [])
  if (inner.length === 0) return undefined
  const start = Math.min(...inner.map(({ startOffset }) => startOffset))
  return { start, opened: start, end: Math.max(...inner.map(({ endOffset }) => endOffset)) }
}
