import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Entry {
  readonly integrity?: string
  readonly link?: boolean
  readonly inBundle?: boolean
}

test.each(['package-lock.json', 'test/strangers/package-lock.json', 'examples/agents/package-lock.json'])(
  'whatever %s names, for any platform, is checked by its hash',
  (file) => {
    const lock = JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')) as {
      readonly packages: Readonly<Record<string, Entry>>
    }
    const unchecked = Object.entries(lock.packages).filter(
      ([name, { integrity = '', link, inBundle }]) =>
        name !== '' && link !== true && inBundle !== true && !integrity.startsWith('sha512-'),
    )
    expect(
      unchecked.map(([name]) => name),
      'node scripts/complete-lock.mjs asks for them again',
    ).toEqual([])
  },
)

test('the lock of the strangers has one line per package, as complete-lock.mjs writes it', () => {
  const text = readFileSync(new URL('../strangers/package-lock.json', import.meta.url), 'utf8')
  const { packages } = JSON.parse(text) as { readonly packages: object }
  expect(text.trimEnd().split('\n').length).toBe(Object.keys(packages).length + 2)
})

test.each(['askbot', 'pretix'])('every package of %s is pinned and checked by hash, on one line', (app) => {
  for (const file of ['requirements.txt', 'build.txt']) {
    const text = readFileSync(new URL(`../../scripts/real-apps/${app}/${file}`, import.meta.url), 'utf8')
    const packages = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    expect(packages.length).toBeGreaterThan(0)
    for (const line of packages)
      expect(line).toMatch(/^[\w.-]+(\[[\w,-]+\])?==\S+( ; [^#]+?)?( --hash=sha256:[0-9a-f]{64})+$/)
  }
})
