import { isTag } from 'domhandler'
import type { Element, ParentNode } from 'domhandler'
import { matching } from '../kit/css.ts'
import { pageTree } from '../kit/page-tree.ts'
import { visibleText } from '../kit/visible-text.ts'
import { UnknownShape, isFields } from '../kit/wire.ts'

/** In characters. */
const longest = 2_000
const deepest = 8
/** In characters. Larger pages get no excerpt: a failure must not cost more than the answer did. */
const largest = 1 << 20

/**
 * The structure of an answer where a rule failed: elements with ids, classes and attribute names,
 * or JSON fields with types. No text and no values; parts of an id or class that occur as words on
 * the page, or contain digits, become "…", as they may name a person. Null: nothing to show.
 */
export function excerptOf(
  answer: { readonly text: string; readonly headers: Readonly<Record<string, string>> },
  rule: string,
): string | null {
  const type = answer.headers['content-type'] ?? ''
  if (answer.text.length > largest) return null
  try {
    if (/\bjson\b/i.test(type)) return cut(jsonLines(JSON.parse(answer.text), '').join('\n'))
    if (/\bhtml\b/i.test(type)) return htmlExcerpt(answer.text, rule)
  } catch (error) {
    // Unparsable answers have no structure to show, and the rule already says that.
    if (!(error instanceof SyntaxError || error instanceof UnknownShape)) throw error
  }
  return null
}

function htmlExcerpt(page: string, rule: string): string {
  const { root } = pageTree(page)
  const words = new Set(
    visibleText(root)
      .toLowerCase()
      .match(/\p{L}{3,}/gu),
  )
  for (const known of rule.toLowerCase().match(/[a-z]{3,}/g) ?? []) words.delete(known)
  const lines: string[] = []
  let length = 0
  const write = (at: Element, depth: number): void => {
    if (length > longest || at.name === 'script' || at.name === 'style') return
    const line = `${'  '.repeat(depth)}${headOf(at, words)}`
    lines.push(line)
    length += line.length + 1
    if (depth === deepest) return
    let before = ''
    let same = 0
    for (const child of at.children) {
      if (!isTag(child)) continue
      const head = headOf(child, words)
      same = head === before ? same + 1 : 0
      before = head
      // Of many equal siblings, two are enough.
      if (same < 2) write(child, depth + 1)
      else if (same === 2) lines.push(`${'  '.repeat(depth + 1)}…`)
    }
  }
  for (const at of placeOf(root, rule)) write(at, 0)
  return cut(lines.join('\n'))
}

/** What the rule's first selector finds with its last parts dropped one by one, else the body. */
function placeOf(root: ParentNode, rule: string): readonly Element[] {
  const [, selector = ''] = /^(?:no|more than one) (.+?)(?:, nor .*)?$/.exec(rule) ?? []
  const parts = selector.split(/\s*>\s*|\s+/)
  for (let left = parts.length; left > 0; left--) {
    const found = firstOf(root, parts.slice(0, left).join(' '))
    if (found !== undefined) return [found]
  }
  return matching('body', root).filter((body) => body.children.some(isTag))
}

function firstOf(root: ParentNode, css: string): Element | undefined {
  try {
    return matching(css, root)[0]
  } catch {
    // A part of a rule that is not a selector by itself.
    return undefined
  }
}

function headOf({ name, attribs }: Element, words: ReadonlySet<string>): string {
  const { id, class: classes = '', ...others } = attribs
  const named = [
    ...(id === undefined ? [] : [`#${safe(id, words)}`]),
    ...classes
      .split(/\s+/)
      .filter(Boolean)
      .slice(0, 6)
      .map((one) => `.${safe(one, words)}`),
    ...Object.keys(others)
      .slice(0, 8)
      .map((one) => `[${safe(one, words)}]`),
  ]
  return `<${safe(name, new Set())}${named.join('')}>`
}

function safe(token: string, words: ReadonlySet<string>): string {
  const parts = token.slice(0, 60).split(/([-_:.]|(?<=[a-z])(?=[A-Z]))/)
  return parts
    .map((part) =>
      /^[-_:.]?$/.test(part) || (/^[A-Za-z]+$/.test(part) && !words.has(part.toLowerCase())) ? part : '…',
    )
    .join('')
}

/** JSON field names; keys of a map may be personal data, so unusual ones become "…". */
function jsonLines(value: unknown, indent: string): readonly string[] {
  if (indent.length > 2 * deepest) return []
  if (Array.isArray(value))
    return value.length === 0 ? [`${indent}[] empty`] : [`${indent}[`, ...jsonLines(value[0], `${indent}  `)]
  if (!isFields(value)) return [`${indent}${value === null ? 'null' : typeof value}`]
  return Object.entries(value)
    .slice(0, 40)
    .flatMap(([name, inner]) => {
      const shown = /^[A-Za-z_][A-Za-z_-]{0,40}$/.test(name) ? name : '…'
      const isPlain = inner === null || typeof inner !== 'object'
      return isPlain
        ? [`${indent}${shown}: ${inner === null ? 'null' : typeof inner}`]
        : [`${indent}${shown}:`, ...jsonLines(inner, `${indent}  `)]
    })
}

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
