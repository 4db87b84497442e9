import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import path from 'node:path'
import { tarball, zip } from '../../client/archives.ts'
import type { Files } from '../../client/archives.ts'
import { built } from './build.ts'
import { generateClients } from './generate.ts'

/** `node scripts/client/pack.ts FOLDER`: builds both clients' packages without npm and Python. */
const client = path.join(import.meta.dirname, '../../client')
const read = (file: string): string => readFileSync(path.join(client, file), 'utf8')

async function npmPackage(): Promise<readonly [name: string, Buffer]> {
  const { version } = JSON.parse(read('package.json')) as { readonly version: string }
  const kept = ['package.json', 'README.md'].map((file) => [`package/${file}`, read(file)] as const)
  const dist = [...(await built())].map(([name, text]) => [`package/dist/${name}`, text] as const)
  return [`callgate-client-${version}.tgz`, tarball(new Map([...kept, ...dist]))]
}

/** https://packaging.python.org/en/latest/specifications/binary-distribution-format/ */
function wheel(): readonly [name: string, Buffer] {
  const project = read('python/pyproject.toml')
  const value = (name: string): unknown => {
    const [, found] = new RegExp(`^${name} = (.+)$`, 'm').exec(project) ?? []
    if (found === undefined) throw new Error(`pyproject.toml says no ${name}`)
    // Strings and lists on one line have the same syntax in TOML and JSON.
    return JSON.parse(found)
  }
  const version = String(value('version'))
  const metadata = [
    'Metadata-Version: 2.4',
    'Name: callgate',
    `Version: ${version}`,
    `Summary: ${String(value('description'))}`,
    `Requires-Python: ${String(value('requires-python'))}`,
    'Description-Content-Type: text/markdown',
    ...(value('dependencies') as string[]).map((one) => `Requires-Dist: ${one}`),
  ]
  const info = `callgate-${version}.dist-info`
  const modules = globSync('callgate/*.{py,pyi,typed}', { cwd: path.join(client, 'python') }).toSorted()
  const files = new Map([
    ...modules.map((file) => [file, read(`python/${file}`)] as const),
    [`${info}/METADATA`, `${metadata.join('\n')}\n\n${read('python/README.md')}`],
    [`${info}/WHEEL`, 'Wheel-Version: 1.0\nGenerator: callgate\nRoot-Is-Purelib: true\nTag: py3-none-any\n'],
  ])
  files.set(`${info}/RECORD`, `${recordOf(files)}${info}/RECORD,,\n`)
  return [`callgate-${version}-py3-none-any.whl`, zip(files)]
}

const recordOf = (files: Files): string =>
  [...files]
    .map(([name, text]) => {
      const hash = createHash('sha256').update(text).digest('base64url')
      return `${name},sha256=${hash},${Buffer.byteLength(text)}\n`
    })
    .join('')

const [, , folder = ''] = process.argv
// Low priority: no process waits for the result.
setPriority(19)
await generateClients()
await mkdir(folder, { recursive: true })
for (const [name, bytes] of [await npmPackage(), wheel()])
  await writeFile(path.join(folder, name), bytes, { flush: true })
