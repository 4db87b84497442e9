import { isTag, isText } from 'domhandler'
import type { AnyNode } from 'domhandler'

/** Not rendered, or inert until a script uses it. */
const unseen = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'head',
  'title',
  'datalist',
  'noembed',
  'noframes',
  'rp',
])
const blocks = new Set(
  'address article aside blockquote caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav ol option p plaintext pre search section summary table tr ul xmp'.split(
    ' ',
  ),
)

/** Text as on screen, without styles: single spaces, a line per block and `<br>`, none empty. */
export function visibleText(node: AnyNode): string {
  const pieces: string[] = []
  write(node, pieces, true)
  const lines = pieces.join('').split('\n')
  return lines
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')
}

/** Appends to one list: nested generators would cost time proportional to depth per piece. */
function write(node: AnyNode, pieces: string[], isRoot: boolean): void {
  const name = isTag(node) ? node.name : ''
  // A selected element is read even if it is not rendered.
  const isShown = isRoot || !unseen.has(name)
  const edge = blocks.has(name) ? '\n' : name === 'td' || name === 'th' ? ' ' : ''
  if (isText(node)) pieces.push(node.data.replaceAll(/\s+/g, ' '))
  else if (name === 'br') pieces.push('\n')
  else if ('children' in node && isShown) {
    pieces.push(edge)
    for (const child of node.children) write(child, pieces, false)
    pieces.push(edge)
  }
}
