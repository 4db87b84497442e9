import { isTag, isText } from 'domhandler'
import type { AnyNode } from 'domhandler'

/** What is not shown, and what is not there until a script takes it. */
const unseen = new Set(['script', 'style', 'template', 'noscript', 'head', 'title'])
const blocks = new Set(
  'address article aside blockquote dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol option p pre section summary table tr ul'.split(
    ' ',
  ),
)

/** The text of what is below a node as a screen shows it, without styles: one space between words, a line for each block and `<br>`, no empty ones. */
export function visibleText(node: AnyNode): string {
  const lines = [...piecesOf(node, true)].join('').split('\n')
  return lines
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')
}

function* piecesOf(node: AnyNode, isRoot: boolean): Generator<string> {
  const name = isTag(node) ? node.name : ''
  // Whoever selected such an element wants what it says.
  const isShown = isRoot || !unseen.has(name)
  const edge = blocks.has(name) ? '\n' : name === 'td' || name === 'th' ? ' ' : ''
  if (isText(node)) yield node.data.replaceAll(/\s+/g, ' ')
  else if (name === 'br') yield '\n'
  else if ('children' in node && isShown) {
    yield edge
    for (const child of node.children) yield* piecesOf(child, false)
    yield edge
  }
}
