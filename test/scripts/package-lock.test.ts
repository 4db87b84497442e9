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
