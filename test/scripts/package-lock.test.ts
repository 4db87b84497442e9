import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Entry {
  readonly integrity?: string
  readonly link?: boolean
  readonly inBundle?: boolean
  readonly optional?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
}

test('whatever is installed where a gateway runs is checked by its hash', () => {
  const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
    readonly packages: Readonly<Record<string, Entry>>
  }
  const unchecked = Object.entries(lock.packages).filter(
    ([name, { integrity = '', link, inBundle }]) =>
      name !== '' && link !== true && inBundle !== true && !integrity.startsWith('sha512-'),
  )
  // Only packages for platforms that no gateway runs on, which a registry need not carry.
  const installed = unchecked.filter(
    ([, { optional, os = ['linux'], cpu = ['x64'], libc = ['glibc'] }]) =>
      optional !== true ||
      (os.includes('linux') && libc.includes('glibc') && (cpu.includes('x64') || cpu.includes('arm64'))),
  )
  expect(installed.map(([name]) => name)).toEqual([])
})
