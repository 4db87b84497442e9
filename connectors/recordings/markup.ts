import { Parser } from 'htmlparser2'

/** Where an element stands in its source. */
interface Extent {
  readonly start: number
  /** Behind its opening tag. */
  readonly opened: number
  end: number
}

/** A page without these elements, counted as their tags open. */
export function withoutElements(source: string, counted: ReadonlySet<number>): string {
  const gone = extentsOf(source).filter((_, count) => counted.has(count))
  let left = ''
  let at = 0
  for (const { start, end } of gone) {
    if (start > at) left += source.slice(at, start)
    at = Math.max(at, end)
  }
  return left + source.slice(at)
}

/** A page whose elements of these do not have the attribute. */
export function withoutAttribute(source: string, counted: ReadonlySet<number>, attribute: string): string {
  let left = ''
  let at = 0
  for (const [count, { start, opened }] of extentsOf(source).entries()) {
    if (!counted.has(count)) continue
    left += source.slice(at, start) + tagWithout(source.slice(start, opened), attribute)
    at = opened
  }
  return left + source.slice(at)
}

/** The texts of these elements, or of one attribute of theirs, in the order of the page, as they are written there. */
export function textsOf(source: string, counted: ReadonlySet<number>, attribute?: string): readonly string[] {
  return extentsOf(source).flatMap(({ start, opened, end }, count) => {
    if (!counted.has(count)) return []
    if (attribute === undefined) return [source.slice(opened, end).replaceAll(/<[^>]*>/g, ' ')]
    return [attributeOf(source.slice(start, opened), attribute)]
  })
}

function attributeOf(tag: string, name: string): string {
  let value = ''
  const parser = new Parser({
    onopentag(_, attributes) {
      value = attributes[name] ?? ''
    },
  })
  parser.end(tag)
  return value
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

function extentsOf(source: string): readonly Extent[] {
  const extents: Extent[] = []
  const open: Extent[] = []
  const parser = new Parser({
    onopentag() {
      const extent = { start: parser.startIndex, opened: parser.endIndex + 1, end: source.length }
      extents.push(extent)
      open.push(extent)
    },
    onclosetag(_, isImplied) {
      const extent = open.pop()
      if (extent === undefined) return
      // What closes by itself ends where the next thing begins, or with its own tag.
      const isLeft = isImplied && parser.startIndex > extent.start
      extent.end = isLeft ? parser.startIndex : parser.endIndex + 1
    },
  })
  parser.end(source)
  return extents
}
