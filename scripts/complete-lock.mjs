// Run after every change of the dependencies: node scripts/complete-lock.mjs
// npm writes a package without its checksum, or leaves it out, where the registry said nothing of it at the time (those of other
// platforms, often), and never asks again by itself. What has none is dropped here, and npm asks for it anew.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const file = `${root}package-lock.json`
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
execFileSync('npm', npm, { cwd: root, stdio: 'inherit' })

const { packages } = read()
const missing = Object.entries(packages).flatMap(([name, { optionalDependencies = {} }]) =>
  Object.keys(optionalDependencies)
    .filter((wanted) => !Object.keys(packages).some((at) => at.endsWith(`node_modules/${wanted}`)))
    .map((wanted) => `${wanted}, which ${name} may want`),
)
const left = [...missing, ...unchecked({ packages }).map(([name]) => name)]
console.log(left.length === 0 ? 'Every package has its checksum.' : `The registry says nothing of:\n${left.join('\n')}`)
process.exitCode = left.length === 0 ? 0 : 1
