import { readFileSync, realpathSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { rolldown } from 'rolldown'
import type { Plugin } from 'rolldown'
import type { Fetched } from './fetched.ts'
import type { ConnectorPackage } from './package.ts'
import { lineOf } from './package.ts'

/** One module with its source map, so that errors can name lines of the package. */
export interface Bundle {
  readonly code: string
  readonly map: { readonly sources: readonly string[]; readonly mappings: string }
}

const kit = path.join(import.meta.dirname, '../../connectors/kit')

/**
 * Bundles a connector and its imports into one JavaScript module, without running any of it. The
 * kit is always the gateway's own. Throws refused imports and syntax errors, with file and line.
 */
export async function bundle(
  { entry, folder, modules }: Pick<ConnectorPackage, 'entry' | 'folder'> & Pick<Fetched, 'modules'>,
  wrap?: Wrapping,
  kitModule = path.join(kit, 'index.ts'),
): Promise<Bundle> {
  const refused: string[] = []
  const own = ownFiles(
    modules === undefined ? [folder] : [folder, modules],
    wrap ? [kitModule, wrap.module] : [kitModule],
  )
  const build = await rolldown({
    input: wrap ? wrapper : entry,
    cwd: folder,
    platform: 'neutral',
    resolve: {
      alias: { '@callgate/kit': kitModule },
      mainFields: ['module', 'main'],
      modules: ['node_modules', path.join(kit, '../../node_modules')],
    },
    // Ignore any tsconfig.json around the folder: bundles must not depend on it.
    tsconfig: false,
    plugins: [
      withoutParser,
      ...(wrap ? [wrapped(entry, wrap)] : []),
      selfContained((problem) => refused.push(problem), own),
    ],
    logLevel: 'silent',
    // No comments with file paths: the same package yields the same code in any folder.
    experimental: { attachDebugInfo: 'none' },
  })
  try {
    const { output } = await build.generate({ dir: folder, format: 'esm', sourcemap: 'hidden', codeSplitting: false })
    const [chunk] = output
    if (refused.length > 0) throw new Error('it is not whole')
    if (!chunk.exports.includes('default'))
      throw new Error(`${entry}:1: it exports no default: export default connector({…})`)
    if (chunk.map === null) throw new Error('the bundle has no map')
    return { code: chunk.code, map: chunk.map }
  } catch (error) {
    const said = error instanceof Error ? stripVTControlCharacters(error.message) : String(error)
    throw new Error(refused.length > 0 ? refused.join('\n') : said, { cause: error })
  } finally {
    await build.close()
  }
}

/** The host thread keeps the page trees, so a bundle needs no parser and no selectors. */
const withoutParser: Plugin = {
  name: 'without-parser',
  load: (id) =>
    id === path.join(kit, 'page-tree.ts')
      ? `export const questions = {}\nexport function pageTree() { throw new Error('pages are read outside of isolates only') }`
      : null,
}

/** A function, exported by `module`, that wraps the connector before it is bundled. */
export interface Wrapping {
  readonly module: string
  readonly name: string
}

const wrapper = 'callgate:wrapper'

const wrapped = (entry: string, { module, name }: Wrapping): Plugin => ({
  name: 'wrapped',
  resolveId: (source, importer) => (source === wrapper || importer === wrapper ? source : null),
  load: (id) =>
    id === wrapper
      ? [
          `import connector from ${JSON.stringify(entry)}`,
          `import { ${name} } from ${JSON.stringify(module)}`,
          `export default ${name}(connector)`,
        ].join('\n')
      : null,
})

const kinds = new Set(['.ts', '.tsx', '.js', '.mjs', '.json'])
const gateway = realpathSync(path.join(kit, '../..'))

/**
 * Returns why a module may not be part of a bundle, undefined if it may. Compares real paths, so
 * that no symlink, relative path or package.json mapping reaches another file of this machine.
 * Imports of the gateway's own modules are trusted.
 */
function ownFiles(folders: readonly string[], modules: readonly string[]) {
  const roots = [...folders, kit, path.join(gateway, 'node_modules')].map((root) => realpathSync(root))
  const trusted = new Set(modules.map((module) => realpathSync(module)))
  return (id: string, importer?: string): string | undefined => {
    const real = realOf(id)
    if (real === undefined) return 'is no file'
    const by = importer === undefined ? undefined : realOf(importer)
    if (trusted.has(real) || (by !== undefined && trusted.has(by) && isIn(gateway, real))) {
      trusted.add(real)
      return undefined
    }
    if (!roots.some((root) => isIn(root, real))) return 'is outside the package'
    return kinds.has(path.extname(real)) ? undefined : `is none of ${[...kinds].join(', ')}`
  }
}

function realOf(id: string): string | undefined {
  try {
    return realpathSync(id)
  } catch {
    // Not a file: a name with a query, a data: URL or a virtual module of a plugin.
    return undefined
  }
}

function isIn(root: string, file: string): boolean {
  return file.startsWith(root.endsWith(path.sep) ? root : root + path.sep)
}

/** Refuses imports that lead out of the bundle. */
const selfContained = (
  refuse: (problem: string) => void,
  fault: (id: string, importer?: string) => string | undefined,
): Plugin => ({
  name: 'self-contained',
  async resolveId(source, importer, options) {
    if (importer === undefined) {
      const problem = source === wrapper ? undefined : fault(source)
      if (problem !== undefined) refuse(`${source}:1: the connector's file ${problem}`)
      return problem === undefined ? null : { id: source, external: true }
    }
    // Helpers that the bundler itself adds.
    if (source.startsWith('\0rolldown')) return null
    const text = readFileSync(importer, 'utf8')
    const quoted = [`'${source}'`, `"${source}"`].find((each) => text.includes(each)) ?? source
    const at = `${importer}:${lineOf(text, quoted)}`
    const found = isBuiltin(source) ? null : await this.resolve(source, importer, { ...options, skipSelf: true })
    if (found !== null && found.external === false) {
      const problem = found.id.startsWith('\0rolldown') ? undefined : fault(found.id, importer)
      if (problem === undefined) return found
      refuse(`${at}: imports ${source}, which ${problem}`)
      return { id: source, external: true }
    }
    refuse(`${at}: imports ${source}, which ${isBuiltin(source) ? 'a connector does not have' : 'is not there'}`)
    return { id: source, external: true }
  },
})
