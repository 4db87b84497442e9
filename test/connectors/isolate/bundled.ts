import path from 'node:path'
import { rolldown } from 'rolldown'

const connectors = path.join(import.meta.dirname, '../../../connectors')

/** A module as one file with nothing to import. `from` in it is the folder of connectors. */
export async function bundled(source: string): Promise<string> {
  const build = await rolldown({
    input: 'entry',
    platform: 'neutral',
    logLevel: 'silent',
    resolve: { mainFields: ['module', 'main'], conditionNames: ['import', 'default'] },
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? path.join(connectors, 'entry.ts') : null),
        load: (id) => (id === path.join(connectors, 'entry.ts') ? source : null),
      },
    ],
  })
  const { output } = await build.generate({ format: 'esm' })
  await build.close()
  return output[0].code
}

/** One of the connectors that are built in. */
export function bundledApp(slug: string, name: string): Promise<string> {
  return bundled(`export { ${name} as default } from './${slug}/index.ts'`)
}
