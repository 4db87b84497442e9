import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { typeOf } from '../../client/endpoint-types.ts'
import type { App } from '../../connectors/registry.ts'
import { builtInApps } from './generate.ts'

const file = path.join(import.meta.dirname, '../../client/api-surface.txt')

/** One line per endpoint with its types, so that a review shows changes that affect clients. */
export function surfaceOf(apps: readonly App[]): string {
  const lines = apps.flatMap(({ slug, endpoints }) =>
    [...endpoints.values()].map(({ name, access, confirm, inputSchema, outputSchema }) => {
      const asks = confirm ? ' (asks)' : ''
      return `${slug}.${name} ${access}${asks}: ${compact(inputSchema)} -> ${compact(outputSchema)}`
    }),
  )
  return `# Written by \`npm run surface\`; do not edit.\n${lines.join('\n')}\n`
}

/** The TypeScript type on one line. Comments, which have lines of their own, are dropped. */
function compact(schema: unknown): string {
  const lines = typeOf(schema, '')
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('/**'))
  return lines
    .join('\n')
    .replaceAll(/^ *readonly /gm, '')
    .replaceAll(/\{\n */g, '{ ')
    .replaceAll(/\n *\}/g, ' }')
    .replaceAll(/\n */g, '; ')
}

if (process.argv[1] === import.meta.filename) {
  const text = surfaceOf(builtInApps())
  if (!process.argv.includes('--check')) await writeFile(file, text)
  else if ((await readFile(file, 'utf8')) !== text)
    throw new Error('client/api-surface.txt is not current: npm run surface, and look at what it changes')
}
