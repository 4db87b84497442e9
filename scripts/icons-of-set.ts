import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The heroicons outlines that the pages use. */
const names = [
  // Navigation.
  ...['home', 'inbox', 'queue-list', 'squares-2x2', 'key', 'circle-stack', 'chart-bar', 'play', 'user-circle'],
  ...[
    'book-open',
    'arrow-right-start-on-rectangle',
    'document-text',
    'shield-check',
    'users',
    'wrench-screwdriver',
    'bars-3',
  ],
  // Status.
  ...['check-circle', 'x-circle', 'clock', 'question-mark-circle', 'arrow-path', 'no-symbol'],
  ...['exclamation-triangle', 'lock-closed'],
  // Consequences of an approval.
  ...['banknotes', 'globe-alt'],
  // Actions.
  ...['check', 'x-mark', 'arrow-down-tray', 'trash', 'plus'],
]

const folder = path.dirname(fileURLToPath(import.meta.resolve('heroicons/package.json')))

/** A stylesheet of icons as masks in the text color, so that they follow theme and state. */
export function iconStyles(): string {
  const drawn = names.map((name) => [name, urlOf(readFileSync(`${folder}/24/outline/${name}.svg`, 'utf8'))] as const)
  return [
    '/* Written by `npm run icons` from the package heroicons (MIT, Tailwind Labs). */',
    ':root {',
    ...drawn.map(([name, url]) => `  --icon-${name}: ${url};`),
    '}\n',
    ...drawn.map(([name]) => `.icon-${name} {\n  --icon: var(--icon-${name});\n}\n`),
  ].join('\n')
}

/** Its paths, with a thicker stroke for small sizes. */
function urlOf(svg: string): string {
  const paths = [...svg.matchAll(/<path[^>]* d="([^"]+)"/g)].map(([, d]) => `<path d='${d}'/>`).join('')
  if (paths === '') throw new Error('an icon of the set has no lines')
  const picture = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='black' stroke-width='1.8' stroke-linecap='round' stroke-linejoin='round'>${paths}</svg>`
  return `url("data:image/svg+xml,${picture.replaceAll('<', '%3c').replaceAll('>', '%3e').replaceAll('#', '%23')}")`
}
