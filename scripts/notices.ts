import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './supervisor/settings.ts'

/** `npm run -s notices`: name, version and full licence of every production npm package. */
interface Locked {
  readonly version?: string
  readonly dev?: boolean
}
interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string | { readonly type: string }
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), 'utf8'))
const { packages } = readJson('package-lock.json') as { readonly packages: Readonly<Record<string, Locked>> }

const notices = Object.entries(packages)
  // Packages for other platforms are locked, but not installed.
  .filter(([at, { dev }]) => at !== '' && dev !== true && existsSync(path.join(root, at, 'package.json')))
  .map(([at]) => {
    const { name, version, license } = readJson(`${at}/package.json`) as Manifest
    const stated = typeof license === 'string' ? license : license?.type
    const texts = readdirSync(path.join(root, at))
      .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
      .map((file) => readFileSync(path.join(root, at, file), 'utf8').trim())
    return [`${name} ${version}`, `License: ${stated ?? 'see below'}`, ...texts].join('\n\n')
  })

const unique = [...new Set(notices)].toSorted()
console.log(unique.join(`\n\n${'-'.repeat(80)}\n\n`))
