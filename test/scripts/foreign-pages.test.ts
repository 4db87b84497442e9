import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(path.join(tmpdir(), 'pages-'))
afterAll(() => rmSync(folder, { recursive: true }))
execFileSync('git', ['init', '-q', folder])

function check(text: string, file = 'success.http') {
  writeFileSync(path.join(folder, file), text)
  execFileSync('git', ['-C', folder, 'add', file])
  const { status, stdout } = spawnSync(process.execPath, ['scripts/foreign-pages.ts', folder], { encoding: 'utf8' })
  execFileSync('git', ['-C', folder, 'rm', '-qf', file])
  return { status, stdout }
}

const page = (body: string): string => `kind: success\n\n=== answer\n200\n\n<!DOCTYPE html>\n<main>${body}</main>\n`

test('a small page of our own is taken, with the lines of a script that a rule reads', () => {
  expect(check(page(`<h1>Bread</h1><script>\nvotes['1'] = 1;\n</script>`))).toEqual({ status: 0, stdout: '' })
})

test.each([
  '<script src="/static/app.js"></script>',
  '<link rel="stylesheet" href="/app.css">',
  '<style>a { color: red }</style>',
  '<!-- begin footer -->',
  '<footer>Copyright Somebody, 2011</footer>',
  '&copy; Somebody',
  'Content under the Creative Commons',
  '<a href="/">Powered by shop</a>',
  '<meta name="generator" content="shop">',
])('what real pages carry is refused: %s', (part) => {
  const { status, stdout } = check(page(part))
  expect([status, stdout.split(':')[0]]).toEqual([1, 'success.http'])
})

test('a page as large as real ones is refused, in any data file', () => {
  expect(check(page('<p>word</p>'.repeat(1000)), 'trace.json').status).toBe(1)
  expect(check('word '.repeat(10_000), 'words.txt').status).toBe(0)
})
