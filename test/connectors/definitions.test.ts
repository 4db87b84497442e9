import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { definitionVersion } from '../../connectors/runtime/version.ts'

const root = path.join(import.meta.dirname, '../..')

test('what does not fit the inputs, is left out or is no matter of a read is a compile error that names it', async () => {
  const folder = path.join(root, 'test/connectors/.refused')
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
  const compiled = promisify(execFile)(process.execPath, [tsc, '-p', folder], { cwd: root })
  const output = await compiled.then(
    () => '',
    (error: unknown) => (error instanceof Error && 'stdout' in error ? String(error.stdout) : ''),
  )
  const messages = output.split('\n').filter((line) => line.includes('error TS'))
  const wanted = [
    'The request line names {contact_id}, which is not among the required inputs',
    'The request line names {listing_id}, which is not among the required inputs',
    'A write cannot have a GET line',
    'A request line is \\"METHOD /path\\"',
    'The page line names {thread_id}, which is not among the required inputs',
    "Property 'label' is missing",
    "Property 'brief' is missing",
    `Type '"contact_id"' is not assignable to type '"listing_id"'`,
    "Property 'effect' is missing",
    "Property 'shownBy' is missing",
    "'effect' does not exist in type 'ReadSpec",
    "'shownBy' does not exist in type 'ReadSpec",
    "'confirm' does not exist in type 'ReadSpec",
    "Property 'things' is missing",
  ]
  expect(messages.length).toBe(wanted.length)
  for (const message of wanted) expect(output).toContain(message)
})

describe('the definition version', () => {
  async function changed(file: string, from: string, to: string): Promise<boolean> {
    const copy = await mkdtemp(path.join(tmpdir(), 'callgate-version-'))
    try {
      await cp(path.join(root, 'connectors'), copy, { recursive: true })
      const before = definitionVersion(copy)('property-advertising')
      const text = await readFile(path.join(copy, file), 'utf8')
      expect(text).toContain(from)
      await writeFile(path.join(copy, file), text.replace(from, to))
      return definitionVersion(copy)('property-advertising') !== before
    } finally {
      await rm(copy, { recursive: true })
    }
  }

  test('is the same each time and long enough', () => {
    const version = definitionVersion()('property-advertising')
    expect(version).toMatch(/^[0-9a-f]{32}$/)
    expect(definitionVersion()('property-advertising')).toBe(version)
  })

  test.each([
    ['what is decoded', 'property-advertising/listings.ts', 'seen,\n', 'leads,\n'],
    ['a description', 'property-advertising/shared.ts', 'Which listing', 'What listing'],
    ['what a failure looks like', 'property-advertising/index.ts', 'sign-in', 'login'],
    ['a shared helper', 'kit/dates.ts', '* 1000', '* 1001'],
  ])('changes with %s', async (_what, file, from, to) => {
    expect(await changed(file, from, to)).toBe(true)
  })

  test.each([
    [
      'a summary',
      'property-advertising/listings.ts',
      'Read one of your listings in full.',
      "Read a listing, in 'full'.",
    ],
    ['an example', 'property-advertising/examples.json', 'CV-10094', 'CV-10093'],
    ['another app in the list', 'apps.ts', '/** One line', '/** A line'],
  ])('stays with %s', async (_what, file, from, to) => {
    expect(await changed(file, from, to.replaceAll("'", '’'))).toBe(false)
  })
})
