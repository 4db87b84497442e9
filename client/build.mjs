// What is packed: one implementation for both `require` and `import`, so that an error is an instance of its class in either, with types; and the command.
import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const here = (file) => fileURLToPath(new URL(file, import.meta.url))

async function bundle(input, output) {
  const built = await rolldown({ input: here(input), platform: 'node', transform: { target: 'node20' } })
  const written = await built.write({ ...output, minify: false })
  await built.close()
  return written.output[0].exports
}

execFileSync('tsc', ['-p', here('.')], { stdio: 'inherit' })
// Their imports name the sources, as they are written.
for (const file of readdirSync(here('dist'), { recursive: true })) {
  if (!file.endsWith('.d.ts')) continue
  const declared = readFileSync(here(`dist/${file}`), 'utf8')
  writeFileSync(here(`dist/${file}`), declared.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"))
}
const names = await bundle('index.ts', { file: here('dist/index.js'), format: 'cjs', exports: 'named' })
await bundle('cli.ts', { file: here('dist/cli.mjs'), format: 'esm', banner: '#!/usr/bin/env node' })
writeFileSync(here('dist/index.mjs'), `export { ${names.join(', ')} } from './index.js'\n`)
writeFileSync(here('dist/index.d.mts'), `export * from './index.js'\n`)
// The package's own files are modules; these are not.
writeFileSync(here('dist/package.json'), '{ "type": "commonjs" }\n')
