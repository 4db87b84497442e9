import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'

/** Files that do not touch what is sent: the list of apps, and these. */
const uninvolved = new Set([
  'apps.ts',
  'examples.ts',
  'runtime/app.ts',
  'runtime/check-connector.ts',
  'runtime/check-schema.ts',
  'runtime/load.ts',
  'runtime/output-fault.ts',
  'runtime/fault-path.ts',
  'runtime/undeclared.ts',
  'runtime/version.ts',
])

/**
 * The version of each app's definitions: a hash over the sources of its folder and of the helpers that all share, without the texts
 * of summaries and without examples. A call that waits for approval is sent only by the version that was shown.
 */
export function definitionVersion(root: string = path.join(import.meta.dirname, '..')): (slug: string) => string {
  const names = ['kit', 'runtime'].flatMap((folder) =>
    readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`),
  )
  const shared = sources(root, [...readdirSync(root), ...names]).filter(({ name }) => !uninvolved.has(name))
  return (slug) => {
    const folder = path.join(root, slug)
    const own = sources(folder, readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    const hash = createHash('sha256')
    for (const { name, text } of [...shared, ...own.map((file) => ({ ...file, name: `${slug}/${file.name}` }))])
      hash.update(JSON.stringify([name, text]))
    return hash.digest('hex').slice(0, 32)
  }
}

function sources(folder: string, names: readonly string[]): { name: string; text: string }[] {
  return names
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.replaceAll('\\', '/'))
    .sort()
    .map((name) => ({ name, text: withoutSummaries(readFileSync(path.join(folder, name), 'utf8')) }))
}

function withoutSummaries(source: string): string {
  return source.replaceAll(/\bsummary:\s*(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`)/g, "summary: ''")
}
