import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { examplesText, shifted, storedExamples, unshifted } from '../connectors/examples.ts'
import { loadApps } from '../connectors/registry.ts'
import type { App } from '../connectors/registry.ts'
import { isFields } from '../connectors/kit/wire.ts'
import { apps as sandboxApps } from '../sandbox/apps.ts'
import { startExampleSandbox } from './examples/sandbox.ts'
import type { ExampleSandbox } from './examples/sandbox.ts'
import { builtInApps } from './client/generate.ts'
import { toolListsOf } from './examples/tool-lists.ts'

/**
 * `npm run examples [slug…]`: runs every endpoint's example input on a freshly seeded sandbox, and
 * writes the outputs into the connectors' examples.json; then writes docs/mcp-lists.md of all apps.
 */
const root = path.join(import.meta.dirname, '..')
const wanted = process.argv.slice(2)
const all = builtInApps()
for (const app of all) {
  if (wanted.length > 0 && !wanted.includes(app.slug)) continue
  // Real apps are not in the sandbox: no recording.
  if (sandboxApps.some(({ slug }) => slug === app.slug)) await recordApp(app.slug)
}
await writeFile(path.join(root, 'docs', 'mcp-lists.md'), toolListsOf(all))

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
    // Users' sandboxes listen on the default port.
    const output: unknown = JSON.parse(JSON.stringify(outcome.output).replaceAll(sandbox.url, 'http://localhost:8090'))
    examples[name] = { input: known['input'], output: unshifted(output, today) }
  }
  await writeFile(path.join(root, 'connectors', app.slug, 'examples.json'), examplesText(examples))
  console.log(`${app.slug}: ${Object.keys(examples).length} examples`)
}
