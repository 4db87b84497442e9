import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import type { Plugin } from 'rolldown'
import { viteDynamicImportVarsPlugin, viteImportGlobPlugin } from 'rolldown/experimental'

/*
 * `node scripts/build.ts` bundles the programs into dist/<hash of the sources>, unless that exists,
 * and prints the folder: processes then load no compiler. `--image` builds the production image's
 * programs into dist/, and the workflow bundle.
 */
const root = path.join(import.meta.dirname, '..')
const servers = ['server/main.ts', 'activities/worker.ts']
const programs = [...servers, 'sandbox/main.ts']
const sources = [
  '{activities,api,connectors,core,local-services,sandbox,schemas,server,web,workflows}/**/*.{ts,tsx}',
  'config.ts',
  'scripts/build.ts',
  'package.json',
  'package-lock.json',
]
/** Builds to keep: processes of an older build load some chunks late. */
const kept = 10

async function latest(): Promise<string> {
  const dist = path.join(root, 'dist')
  // Source paths are absolute: rebuild after a checkout moved.
  const hash = createHash('sha256').update(root)
  for (const file of globSync(sources, { cwd: root }).toSorted())
    hash.update(`\0${file}\0`).update(readFileSync(path.join(root, file)))
  const folder = path.join(dist, hash.digest('hex').slice(0, 16))
  if (existsSync(folder)) return folder
  const draft = `${folder}.${process.pid}`
  try {
    await write(draft, programs)
    await rename(draft, folder)
  } catch (error) {
    // Another process built the same.
    if (!existsSync(folder)) throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  const age = (name: string): number => statSync(path.join(dist, name), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const old = readdirSync(dist)
    .toSorted((a, b) => age(b) - age(a))
    .slice(kept)
  for (const name of old) await rm(path.join(dist, name), { recursive: true, force: true })
  return folder
}

async function write(folder: string, inputs: readonly string[]): Promise<void> {
  await using bundle = await rolldown({
    input: Object.fromEntries(inputs.map((file) => [file.replace('.ts', ''), started(path.join(root, file))])),
    cwd: root,
    platform: 'node',
    // Packages stay in node_modules, except compiler helpers.
    external: /^(?!@oxc-project\/)[^./\0]/,
    tsconfig: false,
    transform: { target: 'node24', jsx: { runtime: 'automatic', importSource: 'preact' } },
    plugins: [withMaps, atSource, viteDynamicImportVarsPlugin(), viteImportGlobPlugin()],
    logLevel: 'warn',
  })
  const { output } = await bundle.generate({
    dir: folder,
    comments: false,
    preserveModules: true,
    preserveModulesRoot: root,
    sourcemap: true,
    sourcemapExcludeSources: true,
  })
  for (const file of output) {
    await mkdir(path.dirname(path.join(folder, file.fileName)), { recursive: true })
    // Flushed before the rename: a power cut leaves no partial build.
    await writeFile(path.join(folder, file.fileName), file.type === 'chunk' ? file.code : file.source, { flush: true })
  }
}

/** Id of the entry module that wraps a program or a thread's script. */
const started = (file: string): string => `${file}?started`

/** Enables source maps in stacks, but not of packages: these would take 15 MB per process. */
const withMaps: Plugin = {
  name: 'with-maps',
  resolveId: (id) => (id.endsWith('?started') ? id : null),
  load: (id) =>
    id.endsWith('?started')
      ? `import { setSourceMapsSupport } from 'node:module'
         setSourceMapsSupport(true, { nodeModules: false, generatedCode: false })
         await import(${JSON.stringify(id.replace('?started', ''))})`
      : null,
}

/** Keeps the source's `import.meta`, for files read beside it, and bundles worker threads. */
const atSource: Plugin = {
  name: 'at-source',
  transform: {
    filter: { id: /\.tsx?$/, code: /import\.meta\.(?:url|dirname|filename)/ },
    handler(code, id) {
      const place = { url: pathToFileURL(id).href, dirname: path.dirname(id), filename: id }
      return {
        code: code
          .replaceAll(/new Worker\(new URL\('([^']+)', import\.meta\.url\)/g, (_, file: string) => {
            const thread = this.emitFile({ type: 'chunk', id: started(path.join(place.dirname, file)) })
            return `new Worker(new URL(import.meta.ROLLUP_FILE_URL_${thread})`
          })
          .replaceAll(/import\.meta\.(url|dirname|filename)/g, (_, name: keyof typeof place) =>
            JSON.stringify(place[name]),
          ),
        // Line numbers do not change.
        map: null,
      }
    },
  },
}

if (process.argv[2] === '--image') {
  await write(path.join(root, 'dist'), servers)
  const { workflowBundle } = await import('../server/workflow-bundle.ts')
  await workflowBundle(root)
} else {
  console.log(await latest())
}
