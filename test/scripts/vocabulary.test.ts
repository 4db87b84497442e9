import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(path.join(tmpdir(), 'vocabulary-'))
afterAll(() => rmSync(folder, { recursive: true }))
execFileSync('git', ['init', '-q', folder])
mkdirSync(path.join(folder, 'core'))

function check(file: 'README.md' | 'core/x.ts', text: string) {
  for (const each of ['README.md', 'core/x.ts']) writeFileSync(path.join(folder, each), each === file ? text : '')
  execFileSync('git', ['-C', folder, 'add', '.'])
  const { status, stdout } = spawnSync(process.execPath, ['scripts/vocabulary.ts', folder], { encoding: 'utf8' })
  return { status, stdout: stdout.trim() }
}

test('a phrase that went is refused in Markdown and comments, with what to say', () => {
  const { status, stdout } = check('README.md', 'One.\nIt begins Anew.\n')
  expect(stdout).toBe(String.raw`README.md:2: \banew\b: say again`)
  expect(status).toBe(1)
  expect(check('core/x.ts', 'const a = 1\n/**\n * Whoever asks.\n */\n').stdout).toContain('core/x.ts:3: ')
})

test('a comment of more than 100 columns is refused', () => {
  expect(check('core/x.ts', `// ${'x'.repeat(98)}\n`).stdout).toBe('core/x.ts:1: a comment has at most 100 columns')
})

test('code, strings and longer words are not prose', () => {
  const code = `const whoever = 'it begins anew, ${'x'.repeat(99)}'\n// A recommendation, newly written.\n`
  expect(check('core/x.ts', code).status).toBe(0)
})
