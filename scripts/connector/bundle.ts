import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { rolldown } from 'rolldown'
import type { Plugin } from 'rolldown'
import type { ConnectorPackage } from './package.ts'
import { lineOf } from './package.ts'

/** One module, and what leads from its lines to those of the package. */
export interface Bundle {
  readonly code: string
  readonly map: { readonly sources: readonly string[]; readonly mappings: string }
}

const kit = path.join(import.meta.dirname, '../../connectors/kit')

/**
 * Makes one JavaScript module of a connector and all that it imports. Nothing of it runs. The kit is the gateway's own, whichever the package
 * brought. Throws what cannot be part of it, with file and line.
 */
export async function bundle(
  { entry, folder }: Pick<ConnectorPackage, 'entry' | 'folder'>,
  wrap?: Wrapping,
  kitModule = path.join(kit, 'index.ts'),
): Promise<Bundle> {
  const refused: string[] = []
  const build = await rolldown({
    input: wrap ? wrapper : entry,
    cwd: folder,
    platform: 'neutral',
    resolve: {
      alias: { '@callgate/kit': kitModule },
      mainFields: ['module', 'main'],
      modules: ['node_modules', path.join(kit, '../../node_modules')],
    },
    // No settings of wherever the folder is.
    tsconfig: false,
    plugins: [...(wrap ? [wrapped(entry, wrap)] : []), selfContained((problem) => refused.push(problem))],
    logLevel: 'silent',
    // No comments that name files by where they are: the same package is the same code in any folder.
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

/** What is done with the connector before it is the bundle's: a function that a module exports. */
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

/** Refuses imports that lead out of the bundle. */
const selfContained = (refuse: (problem: string) => void): Plugin => ({
  name: 'self-contained',
  async resolveId(source, importer, options) {
    if (importer === undefined) return null
    const text = readFileSync(importer, 'utf8')
    const quoted = [`'${source}'`, `"${source}"`].find((each) => text.includes(each)) ?? source
    const at = `${importer}:${lineOf(text, quoted)}`
    const found = isBuiltin(source) ? null : await this.resolve(source, importer, { ...options, skipSelf: true })
    if (found !== null && found.external === false) return found
    refuse(`${at}: imports ${source}, which ${isBuiltin(source) ? 'a connector does not have' : 'is not there'}`)
    return { id: source, external: true }
  },
})
