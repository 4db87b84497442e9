import { UnknownShape } from './wire.ts'

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

/** Text of HTML source: entities decoded, tags taken out, outer space trimmed. */
export function htmlText(source: string): string {
  return unescape(source.replaceAll(/<[^>]*>/g, '')).trim()
}

function unescape(source: string): string {
  return source.replaceAll(/&(#x[0-9a-f]+|#\d+|[a-z]+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name.toLowerCase()] ?? whole
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : '\u{fffd}'
  })
}

export interface Element {
  readonly attributes: ReadonlyMap<string, string>
  /** What stands between this tag and the next closing tag of the same name. */
  readonly text: string
}

/** Each `<name …>` of the page, in order. Comments and scripts do not count. */
export function elements(page: string, name: string): Element[] {
  const visible = page.replaceAll(/<!--[\s\S]*?-->|<(script|style|template)\b[\s\S]*?<\/\1\s*>/gi, '')
  const tag = new RegExp(`<${name}(?=[\\s/>])((?:"[^"]*"|'[^']*'|[^"'>])*)>`, 'gi')
  return [...visible.matchAll(tag)].map((found) => {
    const after = visible.slice(found.index + found[0].length)
    const end = after.search(new RegExp(`</${name}\\s*>`, 'i'))
    return { attributes: attributes(found[1] ?? ''), text: end < 0 ? '' : htmlText(after.slice(0, end)) }
  })
}

function attributes(inside: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const [, name = '', double, single, plain] of inside.matchAll(
    /([^\s"'=<>/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g,
  )) {
    const key = name.toLowerCase()
    if (!found.has(key)) found.set(key, unescape(double ?? single ?? plain ?? ''))
  }
  return found
}

/** The value of the page's hidden input of this name. Two different ones are an unknown shape. */
export function hiddenInput(page: string, name: string): string {
  return only(
    elements(page, 'input')
      .map((input) => input.attributes)
      .filter((input) => input.get('type')?.toLowerCase() === 'hidden' && input.get('name') === name)
      .map((input) => input.get('value')),
  )
}

/** The content of the page's `<meta name="…">`. */
export function metaContent(page: string, name: string): string {
  return only(
    elements(page, 'meta')
      .map((meta) => meta.attributes)
      .filter((meta) => meta.get('name') === name)
      .map((meta) => meta.get('content')),
  )
}

function only(values: readonly (string | undefined)[]): string {
  const [value, ...others] = new Set(values)
  if (value === undefined || value === '' || others.length > 0) throw new UnknownShape('not in the page, or not once')
  return value
}
