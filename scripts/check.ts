import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { root } from './supervisor/settings.ts'

/** Listed explicitly: on the root, a linter would walk node_modules. */
const ours = [
  'schemas',
  'connectors',
  'workflows',
  'activities',
  'core',
  'api',
  'server',
  'web',
  'sandbox',
  'local-services',
  'scripts',
  'client',
  'test',
  'bench',
  'examples',
]
const places = [...ours, 'config.ts', 'vitest.config.ts'].filter((name) => existsSync(`${root}/${name}`))

const checks: Readonly<Record<string, string[]>> = {
  types: ['node_modules/typescript/bin/tsc', '--noEmit'],
  'lint and import rule': ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings', ...places],
  'API surface': ['scripts/client/surface.ts', '--check'],
  'dead code': ['node_modules/knip/bin/knip.js', '--no-progress'],
  'conflict markers': ['scripts/conflict-markers.ts'],
  'pages of other programs': ['scripts/foreign-pages.ts'],
  vocabulary: ['scripts/vocabulary.ts'],
  format: ['node_modules/oxfmt/bin/oxfmt', '--check', ...places],
}

const results = await Promise.all(Object.entries(checks).map(([name, command]) => check(name, command)))
for (const { name, passed, seconds, output } of results) {
  console.log(`${passed ? '✓' : '✗'} ${name} (${seconds.toFixed(1)} s)`)
  if (!passed) console.log(`${output.trimEnd()}\n`)
}
const failed = results.filter(({ passed }) => !passed).map(({ name }) => name)
if (failed.length > 0) console.log(`Failed: ${failed.join(', ')}`)
process.exitCode = failed.length > 0 ? 1 : 0

async function check(name: string, [script = '', ...args]: string[]) {
  const started = Date.now()
  const child = spawn(process.execPath, [script, ...args], { cwd: root })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await new Promise((resolve) => child.once('close', resolve))
  return { name, passed: code === 0, seconds: (Date.now() - started) / 1000, output }
}
