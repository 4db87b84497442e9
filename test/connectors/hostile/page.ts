import { selectOne } from 'css-select'
import { isTag, isText } from 'domhandler'
import type { AnyNode, Element } from 'domhandler'
import { htmlTree } from '../../../connectors/kit/html-tree.ts'

type Pair = readonly [name: string, value: string]

/** A request as its confirm page says that it will be. */
export interface Shown {
  readonly method: string
  readonly url: string
  readonly headers: readonly Pair[]
  /** Fields, each as `fieldText` writes it; else one text. */
  readonly body: readonly string[]
  /** What is put in when it is sent: its place, and where it comes from. */
  readonly fills: readonly ShownFill[]
}

export interface ShownFill {
  readonly is: 'header' | 'field'
  readonly name: string
  readonly from: string
}

/** A field so that no name, value or file can pass for another. */
export function fieldText(name: string, value: string, isFile = false): string {
  return `${JSON.stringify(name)}=${isFile ? value : JSON.stringify(value)}`
}

/** Reads the request of a confirm page, as a person would. Undefined: the page shows none. */
export function shownOn(html: string): Shown | undefined {
  const found = selectOne<AnyNode, Element>('#request pre', htmlTree(html))
  if (found === null) return undefined
  const [head, ...rest] = found.children
  const line = head ? original(head) : ''
  const parts = rest.filter((one): one is Element => isTag(one) && isPart(one)).map(partOf)
  const text = rest
    .filter((one) => !isTag(one) || !isPart(one))
    .map(original)
    .join('')
    .trim()
  const own = parts.filter(({ from }) => from === undefined)
  const fields = own.filter(({ is }) => is === 'field').map((one) => fieldText(one.name, one.value, one.isFile))
  return {
    method: line.slice(0, line.indexOf(' ')),
    url: line.slice(line.indexOf(' ') + 1),
    headers: own.filter(({ is }) => is === 'header').map(({ name, value }): Pair => [name, value]),
    body: text === '' ? fields : [...fields, text],
    fills: parts.flatMap(({ is, name, from }) => (from === undefined ? [] : [{ is, name, from }])),
  }
}

function isPart({ attribs }: Element): boolean {
  return attribs['class']?.split(' ').includes('part') === true
}

function partOf({ attribs, children: [name, ...rest] }: Element) {
  const is = attribs['class'] === 'part header' ? ('header' as const) : ('field' as const)
  const mark = rest.find((one): one is Element => isTag(one) && one.name === 'i')
  const from = /^\[filled in when sent: (.*)\]$/s.exec(mark ? original(mark) : '')?.[1]
  const value = rest
    .map(original)
    .join('')
    .replace(/^(?:: |=)/, '')
  return { is, name: name ? original(name) : '', value, isFile: mark !== undefined, from }
}

/** The text that marked text stands for: marks name what could not be seen. */
export function original(node: AnyNode): string {
  if (isText(node)) return node.data
  if (!isTag(node)) return ''
  let text = ''
  for (const child of node.children) {
    if (!isTag(child) || child.attribs['class'] !== 'char') text += original(child)
    else if (!isTag(child.prev ?? child) || (child.prev as Element | null)?.name !== 'mark') text += unmarked(child)
  }
  return text
}

const named: Readonly<Record<string, string>> = { tab: '\t', 'no-break space': '\u00a0' }

function unmarked(mark: Element): string {
  const text = mark.children.map(original).join('')
  const stretch = /^(\d+) (line breaks|spaces)$/.exec(text)
  // The line break behind the mark is one of those that it counts.
  if (stretch) return stretch[2] === 'spaces' ? ' '.repeat(Number(stretch[1])) : '\n'.repeat(Number(stretch[1]) - 1)
  const times = Number(/, (\d+) times$/.exec(text)?.[1] ?? 1)
  const code = /^U\+([0-9A-F]+)/.exec(text)?.[1]
  const one =
    code === undefined ? named[text.replace(/, \d+ times$/, '')] : String.fromCodePoint(Number.parseInt(code, 16))
  return (one ?? '').repeat(times)
}
