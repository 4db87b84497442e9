import { readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { rolldown } from 'rolldown'
import type { OutputOptions } from 'rolldown'
import { isolatedDeclarationSync } from 'rolldown/experimental'
import { generateClients } from './generate.ts'

const source = (file: string): string => path.join(import.meta.dirname, '../../client', file)

/**
 * The package's files below dist/, by name: one implementation for `require` and `import`, so that
 * an error is an instance of its class in either; types; and the command.
 */
export async function built(): Promise<ReadonlyMap<string, string>> {
  const index = await bundled('index.ts', { format: 'cjs', exports: 'named' })
  const cli = await bundled('cli.ts', { format: 'esm', banner: '#!/usr/bin/env node' })
  return new Map([
    // This folder is CommonJS; the package around it consists of ES modules.
    ['package.json', '{ "type": "commonjs" }\n'],
    ['index.js', index.code],
    ['index.mjs', `export { ${index.exports.join(', ')} } from './index.js'\n`],
    ['index.d.mts', `export * from './index.js'\n`],
    ...declared('index.ts'),
    // Types only: importing it loads no code.
    ['apps.js', ''],
    ...declared('apps.ts'),
    ['cli.mjs', cli.code],
  ])
}

async function bundled(file: string, options: OutputOptions): Promise<{ code: string; exports: readonly string[] }> {
  await using bundle = await rolldown({ input: source(file), platform: 'node', transform: { target: 'node20' } })
  return (await bundle.generate({ ...options, minify: false })).output[0]
}

/** The type declarations of a module and of all its imports. */
function declared(file: string, known = new Map<string, string>()): ReadonlyMap<string, string> {
  const { code, errors } = isolatedDeclarationSync(source(file), readFileSync(source(file), 'utf8'))
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join('; ')}`)
  // Sources import each other as .ts, their declarations as .js.
  known.set(file.replace(/ts$/, 'd.ts'), code.replaceAll(/((?:from|declare module) "\.[^"]*)\.ts"/g, '$1.js"'))
  for (const [, imported = ''] of code.matchAll(/from "(\.[^"]*\.ts)"/g)) {
    const next = path.posix.join(path.posix.dirname(file), imported)
    if (!known.has(next.replace(/ts$/, 'd.ts'))) declared(next, known)
  }
  return known
}

/** Run as a script: writes dist/ for `npm pack`. */
if (process.argv[1] === import.meta.filename) {
  await generateClients()
  await rm(source('dist'), { recursive: true, force: true })
  for (const [name, text] of await built()) {
    await mkdir(path.dirname(source(`dist/${name}`)), { recursive: true })
    await writeFile(source(`dist/${name}`), text)
  }
}
