import { execFile } from 'node:child_process'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { shifted, storedExamples, unshifted } from '../connectors/examples.ts'
import { loadApps } from '../connectors/registry.ts'
import type { App } from '../connectors/registry.ts'
import { isFields } from '../connectors/kit/wire.ts'
import { apps as sandboxApps } from '../sandbox/apps.ts'
import { startExampleSandbox } from './examples/sandbox.ts'
import type { ExampleSandbox } from './examples/sandbox.ts'
import { pythonOf } from './client/python-types.ts'
import { typesOfAll, typesOfApp } from './client/types.ts'
import { coverageOf } from './examples/coverage.ts'
import { docsOf } from './examples/docs.ts'
import { toolListsOf } from './examples/tool-lists.ts'

/**
 * `npm run examples [slug…]`: runs the example input of every endpoint against a private sandbox, each on a fresh seed, and writes
 * the answers into the connectors' examples.json, docs/apps/<slug>.md and client/endpoints/<slug>.ts; then writes what is about all
 * apps: docs/coverage.md, docs/mcp-lists.md, client/endpoints/index.ts and the types of client/python.
 */
const root = path.join(import.meta.dirname, '..')
const types = path.join(root, 'client', 'endpoints')
const python = path.join(root, 'client', 'python', 'callgate')
const wanted = process.argv.slice(2)
const { all, broken } = loadApps({ sandboxUrl: 'http://localhost:8090' })
// What is written here is about all apps: those that are off would be lost from it.
for (const { file, problem } of broken.values()) throw new Error(`${file}: ${problem}`)
for (const app of all) {
  if (wanted.length > 0 && !wanted.includes(app.slug)) continue
  // A real app is not in the sandbox: nothing is recorded of it.
  if (sandboxApps.some(({ slug }) => slug === app.slug)) await recordApp(app.slug)
  await describeApp(app)
}
await writeFile(path.join(root, 'docs', 'coverage.md'), await coverageOf(all))
await writeFile(path.join(root, 'docs', 'mcp-lists.md'), toolListsOf(all))
await writeFile(path.join(types, 'index.ts'), typesOfAll(all))
for (const [file, text] of Object.entries(pythonOf(all))) await writeFile(path.join(python, file), text)
const known = new Set(['index.ts', ...all.map(({ slug }) => `${slug}.ts`)])
for (const file of await readdir(types)) if (!known.has(file)) await rm(path.join(types, file))

async function recordApp(slug: string): Promise<void> {
  const sandbox = await startExampleSandbox(slug)
  try {
    const app = loadApps({ sandboxUrl: sandbox.url }).get(slug)
    if (app) await record(sandbox, app)
  } finally {
    await sandbox.close()
  }
}

async function record(sandbox: ExampleSandbox, app: App): Promise<void> {
  const examples: Record<string, unknown> = {}
  for (const [name, endpoint] of app.endpoints) {
    const known = storedExamples(app.slug)[name]
    if (!isFields(known) || !isFields(known['input']))
      throw new Error(`${app.slug}/examples.json: give ${name} an example input`)
    const today = new Date()
    const { outcome } = await sandbox.run(app, endpoint, shifted(known['input'], today))
    if (outcome.kind !== 'ok') throw new Error(`${app.slug}.${name} came to ${JSON.stringify(outcome)}`)
    // The sandbox that people start listens on the default port.
    const output: unknown = JSON.parse(JSON.stringify(outcome.output).replaceAll(sandbox.url, 'http://localhost:8090'))
    examples[name] = { input: known['input'], output: unshifted(output, today) }
  }
  const file = path.join(root, 'connectors', app.slug, 'examples.json')
  await writeFile(file, `${JSON.stringify(examples, null, 2)}\n`)
  await promisify(execFile)(process.execPath, ['node_modules/oxfmt/bin/oxfmt', file], { cwd: root })
  console.log(`${app.slug}: ${Object.keys(examples).length} examples`)
}

async function describeApp(app: App): Promise<void> {
  await writeFile(path.join(root, 'docs', 'apps', `${app.slug}.md`), docsOf(app))
  await mkdir(types, { recursive: true })
  await writeFile(path.join(types, `${app.slug}.ts`), typesOfApp(app))
}
