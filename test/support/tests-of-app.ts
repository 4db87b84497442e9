import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Endpoint } from '../../connectors/registry.ts'
import { apps as sandboxApps } from '../../sandbox/apps.ts'

interface TestFile {
  readonly name: string
  readonly text: string
}

export function testsThatCall({ name }: Endpoint, tests: readonly TestFile[]): string[] {
  return tests.filter(({ text }) => text.includes(`'${name}'`)).map((file) => file.name)
}

/** The app's own test files: `test/connectors/<slug>*.test.ts`, but for those of an app with a longer slug. */
export async function testsOf(slug: string): Promise<TestFile[]> {
  const folder = path.join(import.meta.dirname, '../connectors')
  const others = sandboxApps.map((app) => app.slug).filter((other) => other.startsWith(`${slug}-`))
  const isOf = (name: string, app: string): boolean => name === `${app}.test.ts` || name.startsWith(`${app}-`)
  const names = (await readdir(folder)).filter(
    (name) => name.endsWith('.test.ts') && isOf(name, slug) && !others.some((other) => isOf(name, other)),
  )
  return Promise.all(
    names
      .filter((name) => !name.endsWith('-faults.test.ts'))
      .toSorted()
      .map(async (name) => ({ name, text: await readFile(path.join(folder, name), 'utf8') })),
  )
}
