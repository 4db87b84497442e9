// Run after every change of the dependencies: node scripts/complete-lock.mjs [folder]
// The lock of another folder than the root is written with one line per package; npm reads it as any other.
// npm writes a package without its checksum, or leaves it out, where the registry said nothing of it at the time (those of other
// platforms, often), and never asks again by itself. What has none is dropped here, and npm asks for it anew.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const [folder] = process.argv.slice(2)
const cwd = folder === undefined ? root : resolve(folder)
const file = join(cwd, 'package-lock.json')
const read = () => JSON.parse(readFileSync(file, 'utf8'))
const unchecked = ({ packages }) =>
  Object.entries(packages).filter(([name, { integrity, link, inBundle }]) => name && !link && !inBundle && !integrity)

const lock = read()
for (const [name] of unchecked(lock)) delete lock.packages[name]
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
const npm = [
  'install',
  '--package-lock-only',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
  '--omit-lockfile-registry-resolved',
]
execFileSync('npm', npm, { cwd, stdio: 'inherit' })
if (folder !== undefined) writeFileSync(file, compact(read()))

const { packages } = read()
const missing = Object.entries(packages).flatMap(([name, { optionalDependencies = {} }]) =>
  Object.keys(optionalDependencies)
    .filter((wanted) => !Object.keys(packages).some((at) => at.endsWith(`node_modules/${wanted}`)))
    .map((wanted) => `${wanted}, which ${name} may want`),
)
const left = [...missing, ...unchecked({ packages }).map(([name]) => name)]
console.log(left.length === 0 ? 'Every package has its checksum.' : `The registry says nothing of:\n${left.join('\n')}`)
process.exitCode = left.length === 0 ? 0 : 1

/** The same lock without what npm ci does not need, one line per package. */
function compact({ packages, ...head }) {
  const lines = Object.entries(packages).map(([name, { license: _license, funding: _funding, ...entry }]) => {
    return `${JSON.stringify(name)}: ${JSON.stringify(entry)}`
  })
  return `${JSON.stringify(head).slice(0, -1)},"packages":{\n${lines.join(',\n')}\n}}\n`
}
