import { pageOf } from './page.ts'
import { sawElements } from './watching.ts'
import { UnknownShape } from './wire.ts'

export interface Element {
  readonly attributes: ReadonlyMap<string, string>
  /** Text without tags, trimmed. */
  readonly text: string
}

export interface Reader {
  /** `count`: number of tags opened before it. */
  readonly onOpen?: (name: string, attributes: Readonly<Record<string, string>>, count: number) => void
  readonly onText?: (text: string) => void
  readonly onClose?: (name: string) => void
}

/** Text of HTML source: entities decoded, tags removed, trimmed. */
export function htmlText(source: string): string {
  return pageOf(source).ask('words').trim()
}

/** All `<name …>` elements, in order. Comments, scripts and templates do not count. */
export function elements(page: string, name: string): Element[] {
  const { said, found } = pageOf(page).ask('elements', name)
  sawElements(
    page,
    name,
    found.map(({ count }) => count),
  )
  return found.map(({ attributes, from, to }) => ({
    attributes: new Map(Object.entries(attributes)),
    text: said.slice(from, to).trim(),
  }))
}

/** Reads the visible content of HTML source in tree order; names in lower case. */
export function read(source: string, { onOpen, onText, onClose }: Reader): void {
  for (const seen of pageOf(source).ask('everything')) {
    if (typeof seen === 'string') {
      onText?.(seen)
      continue
    }
    const [name, attributes, count] = seen
    if (attributes === undefined || count === undefined) onClose?.(name)
    else onOpen?.(name, attributes, count)
  }
}

/** The content of the page's `<meta name="…">`. */
export function metaContent(page: string, name: string): string {
  return only(
    elements(page, 'meta')
      .map((meta) => meta.attributes)
      .filter((meta) => meta.get('name') === name)
      .map((meta) => meta.get('content')),
    `<meta name="${name}">`,
  )
}

/** The value that all of them share; none, or different ones, is an `UnknownShape`. */
export function only(values: readonly (string | undefined)[], what: string): string {
  const [value, ...others] = new Set(values)
  if (value === undefined || value === '') throw new UnknownShape(`no ${what}`)
  if (others.length > 0) throw new UnknownShape(`more than one ${what}`)
  return value
}
