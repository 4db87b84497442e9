import { deepest, parse } from './html-events.ts'
import { sawElements } from './watching.ts'
import { UnknownShape } from './wire.ts'

/** What is not shown, and what is not there until a script takes it. */
const unseen = new Set(['script', 'style', 'template'])

export interface Element {
  readonly attributes: ReadonlyMap<string, string>
  /** What it says, without tags and outer space. */
  readonly text: string
}

export interface Reader {
  /** `count`: how many tags opened before it. */
  readonly onOpen?: (name: string, attributes: Readonly<Record<string, string>>, count: number) => void
  readonly onText?: (text: string) => void
  readonly onClose?: (name: string) => void
}

/** Text of HTML source: entities decoded, tags taken out, outer space trimmed. */
export function htmlText(source: string): string {
  let text = ''
  read(source, { onText: (more) => (text += more) })
  return text.trim()
}

/** Each `<name …>` of the page, in order. Comments, scripts and templates do not count. */
export function elements(page: string, name: string): Element[] {
  let said = ''
  const found: {
    readonly attributes: ReadonlyMap<string, string>
    readonly from: number
    readonly count: number
    to: number
  }[] = []
  const open: (typeof found)[number][] = []
  read(page, {
    onOpen(opened, given, count) {
      if (opened !== name) return
      const element = { attributes: new Map(Object.entries(given)), from: said.length, count, to: said.length }
      found.push(element)
      open.push(element)
    },
    onText(text) {
      said += text
    },
    onClose(closed) {
      const element = closed === name ? open.pop() : undefined
      if (element !== undefined) element.to = said.length
    },
  })
  sawElements(
    page,
    name,
    found.map(({ count }) => count),
  )
  return found.map(({ attributes, from, to }) => ({ attributes, text: said.slice(from, to).trim() }))
}

/** Reads what is seen of HTML source; names in lower case. */
export function read(source: string, { onOpen, onText, onClose }: Reader): void {
  let depth = 0
  let hidden = 0
  let count = 0
  parse(source, {
    onopentag(name, attributes) {
      if (++depth > deepest) throw new UnknownShape('nested too deeply')
      if (unseen.has(name)) hidden++
      else if (hidden === 0) onOpen?.(name, attributes, count)
      count++
    },
    ontext(text) {
      if (hidden === 0) onText?.(text)
    },
    onclosetag(name) {
      depth--
      if (unseen.has(name)) hidden--
      else if (hidden === 0) onClose?.(name)
    },
  })
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

/** The one value that they all have. */
export function only(values: readonly (string | undefined)[], what: string): string {
  const [value, ...others] = new Set(values)
  if (value === undefined || value === '') throw new UnknownShape(`no ${what}`)
  if (others.length > 0) throw new UnknownShape(`more than one ${what}`)
  return value
}
