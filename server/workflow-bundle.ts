import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { bundleWorkflowCode } from '@temporalio/worker'
import type { WorkflowBundlePath } from '@temporalio/worker'

const root = path.join(import.meta.dirname, '..')
const workflows = path.join(root, 'workflows')

/**
 * The workflow code, bundled once per version. The image contains it (`node scripts/build.ts
 * --image`); otherwise a child process writes it to `dir`, as the bundler leaves 250 MB in its
 * process.
 */
export async function workflowBundle(dir: string): Promise<WorkflowBundlePath> {
  const installed = bundleIn(root)
  if (existsSync(installed)) return { codePath: installed }
  const codePath = bundleIn(dir)
  if (!existsSync(codePath)) await promisify(execFile)(process.execPath, [import.meta.filename, codePath])
  return { codePath }
}

function bundleIn(dir: string): string {
  return path.join(dir, 'bundles', `workflows-${version()}.js`)
}

/** Hash of the workflow files and of the SDK that they are bundled with. */
function version(): string {
  const hash = createHash('sha256').update('ASCII, no sources\0')
  const sdk = path.join(root, 'node_modules/@temporalio/workflow/package.json')
  const own = readdirSync(workflows).map((name) => path.join(workflows, name))
  for (const file of [...own.toSorted(), sdk]) hash.update(file).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex').slice(0, 16)
}

/** Other processes may write the same bundle: the last one wins, with the same content. */
async function make(codePath: string): Promise<void> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: path.join(workflows, 'index.ts'),
    workflowInterceptorModules: [path.join(workflows, 'tracing.ts')],
    // Names and lines are enough; with sources, the map would take four times the memory.
    webpackConfigHook: (config) => ({ ...config, devtool: 'inline-nosources-source-map' }),
  })
  await mkdir(path.dirname(codePath), { recursive: true })
  const draft = `${codePath}.${process.pid}`
  // One non-ASCII character, even in a comment, doubles the size of it all in V8, in two threads.
  const ascii = code.replaceAll(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  await writeFile(draft, ascii, { flush: true })
  await rename(draft, codePath)
}

if (process.argv[1] === import.meta.filename) await make(process.argv[2] ?? bundleIn(root))
