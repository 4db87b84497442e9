import { Parser } from 'htmlparser2'

/** Called for each tag of a page; what it returns is written in the place of the attributes of these names. */
export type ForTag = (
  name: string,
  attributes: Readonly<Record<string, string>>,
  text: () => string,
) => Readonly<Record<string, string>> | undefined

/** The page with other attributes; all else stays as it is written. */
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

/** Tells of each tag, without changing anything. */
export function visited(source: string, forTag: (...args: Parameters<ForTag>) => void): void {
  rewritten(source, (...args) => {
    forTag(...args)
    return undefined
  })
}

interface Tag {
  readonly start: number
  readonly opened: number
  end: number
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

function tagsOf(source: string): readonly Tag[] {
  const tags: Tag[] = []
  const open: Tag[] = []
  const parser = new Parser({
    onopentag(name, attributes) {
      const tag = { start: parser.startIndex, opened: parser.endIndex + 1, end: parser.endIndex + 1, name, attributes }
      tags.push(tag)
      open.push(tag)
    },
    onclosetag() {
      const tag = open.pop()
      if (tag) tag.end = Math.max(tag.opened, parser.startIndex)
    },
  })
  parser.end(source)
  return tags
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

/** `"csrfToken": "…"` and `token = '…'`, as scripts of pages say it. */
const assigned = /(["']?)([\w$-]{2,40})\1(\s*[:=]\s*)(["'])((?:(?!\4)[^\\\n<>]){4,2000})\4/g

/** A text with other values where scripts in it name them. */
export function withAssigned(source: string, change: (name: string, value: string) => string): string {
  return source.replaceAll(
    assigned,
    (_, quote: string, name: string, between: string, around: string, value: string) =>
      `${quote}${name}${quote}${between}${around}${change(name, value)}${around}`,
  )
}
