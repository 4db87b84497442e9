import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const text = readFileSync('docs/security.md', 'utf8')

/** The tables of promises, row by row: who, what, by, shown by. */
const promises = text
  .slice(0, text.indexOf('## Who may attack'))
  .split('\n')
  .filter((line) => line.startsWith('|') && !/^\| *(-|to whom)/.test(line))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )

const named = (cell: string): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
/** Folders of the project: what begins with one is a path, anything else is told in its words. */
const isPath = (name: string): boolean =>
  /^(activities|api|connectors|core|deploy|local-services|web|workflows)\//.test(name)

it('each promise names who gets it, what enforces it, and a test that is there', () => {
  expect(promises.length).toBeGreaterThan(35)
  for (const cells of promises) {
    const [, what = '', by = '', shown = ''] = cells
    expect(cells, what).toHaveLength(4)
    expect([by, named(shown).length > 0], what).not.toContain('')
    for (const name of named(shown)) {
      expect(existsSync(name), `${what}: ${name}`).toBe(true)
      if (name.endsWith('.ts')) expect(readFileSync(name, 'utf8'), name).toMatch(/^\s*(it|test)\b/m)
    }
  }
})

it('what is said to enforce them is there, too', () => {
  const paths = promises.flatMap(([, , by = '']) => named(by)).filter(isPath)
  expect(paths.length).toBeGreaterThan(25)
  expect(paths.filter((path) => !existsSync(path))).toEqual([])
})

it('nobody is promised anything that no test shows', () => {
  expect(promises.filter(([, , , shown = '']) => !shown.includes('test') && !shown.includes('prove'))).toEqual([])
})
