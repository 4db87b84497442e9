import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import versions from '../local-services/versions.json' with { type: 'json' }
import { downloads, goModules, pythonPackages } from './supply/components.ts'
import type { Component } from './supply/components.ts'

/** `npm run -s sbom`: CycloneDX 1.5 JSON of npm, Go and Python packages and other downloads. */
const root = fileURLToPath(new URL('..', import.meta.url))
const longest = 64 * 1024 * 1024

interface Bom {
  readonly components: readonly Component[]
}

const npm = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
const { stdout } = await promisify(execFile)('npm', npm, { cwd: root, maxBuffer: longest })
const bom = JSON.parse(stdout) as Bom
const texts = (pattern: string) =>
  globSync(pattern, { cwd: root, exclude: ['**/node_modules/**'] }).map((file) =>
    readFileSync(path.join(root, file), 'utf8'),
  )
const others = [
  ...texts('**/go.mod').flatMap(goModules),
  ...texts('**/requirements.txt').flatMap(pythonPackages),
  ...downloads(versions),
]
const known = new Set(bom.components.map(({ purl }) => purl))
const added = new Map(others.flatMap((one) => (known.has(one.purl) ? [] : [[one.purl, one] as const])))
console.log(JSON.stringify({ ...bom, components: [...bom.components, ...added.values()] }, null, 2))
