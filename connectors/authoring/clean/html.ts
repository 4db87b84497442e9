import type { Token } from 'parse5'
import { tagsIn } from '../../kit/form-owner.ts'
import { htmlTree } from '../../kit/html-tree.ts'
import { UnknownShape } from '../../kit/wire.ts'

/** Called for each tag of a page; returns new values for attributes, by name. */
export type ForTag = (
  name: string,
  attributes: Readonly<Record<string, string>>,
  text: () => string,
) => Readonly<Record<string, string>> | undefined

/** The page with changed attributes; all else stays byte for byte. */
export function rewritten(source: string, forTag: ForTag): string {
  let made = ''
  let at = 0
  for (const { start, opened, end, name, attributes } of tagsOf(source)) {
    if (start < at) continue
    const changes = forTag(name, attributes, () => source.slice(opened, end))
    if (changes === undefined) continue
    made += source.slice(at, start) + withAttributes(source.slice(start, opened), changes)
    at = opened
  }
  return made + source.slice(at)
}

/** Whether a page exceeds a limit of the parser, so that it cannot be inspected. */
export function isTooDeep(source: string): boolean {
  try {
    htmlTree(source, { complete: true })
    return false
  } catch (error) {
    if (error instanceof UnknownShape) return true
    throw error
  }
}

/** Visits each tag without changing anything. */
export function visited(source: string, forTag: (...args: Parameters<ForTag>) => void): void {
  rewritten(source, (...args) => {
    forTag(...args)
    return undefined
  })
}

interface Tag {
  readonly start: number
  readonly opened: number
  /** Where its content ends. */
  readonly end: number
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

/** Each start tag, including those in `<noscript>`, in templates and without an element. */
function tagsOf(source: string): readonly Tag[] {
  const found: Token.TagToken[] = []
  const tree = htmlTree(source, { located: true, complete: true, onTag: (token) => void found.push(token) })
  const ends = new Map<number, number>()
  for (const { sourceCodeLocation: own } of tagsIn(tree))
    if (own && !ends.has(own.startOffset)) ends.set(own.startOffset, own.endTag?.startOffset ?? own.endOffset)
  return found.flatMap(({ tagName: name, attrs, location }) => {
    if (!location) return []
    const { startOffset: start, endOffset: opened } = location
    const attributes = Object.fromEntries(attrs.map((one) => [one.name, one.value]))
    return [{ start, opened, end: Math.max(opened, ends.get(start) ?? opened), name, attributes }]
  })
}

function withAttributes(tag: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce(
    (so, [name, value]) =>
      so.replace(
        new RegExp(`(\\s${name}\\s*=\\s*)(?:"[^"]*"|'[^']*'|[^\\s>]+)`, 'i'),
        (_, before: string) => `${before}"${value}"`,
      ),
    tag,
  )
}

/** `"csrfToken": "…"` and `token = '…'`, as in scripts of pages. */
const assigned = /(["']?)([\w$-]{2,40})\1(\s*[:=]\s*)(["'])((?:(?!\4)[^\\\n<>]){4,2000})\4/g

/** A text with changed values of assignments in scripts. */
export function withAssigned(source: string, change: (name: string, value: string) => string): string {
  return source.replaceAll(
    assigned,
    (_, quote: string, name: string, between: string, around: string, value: string) =>
      `${quote}${name}${quote}${between}${around}${change(name, value)}${around}`,
  )
}
