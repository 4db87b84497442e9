import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(path.join(tmpdir(), 'markers-'))
afterAll(() => rmSync(folder, { recursive: true }))
execFileSync('git', ['init', '-q', folder])

function check(text: string): number | null {
  writeFileSync(path.join(folder, 'page.md'), text)
  execFileSync('git', ['-C', folder, 'add', 'page.md'])
  return spawnSync(process.execPath, ['scripts/conflict-markers.ts', folder]).status
}

test.each(['<', '=', '>', '|'])('a line that a merge marked with %s is refused', (sign) => {
  expect(check(`one\n${sign.repeat(7)} main\ntwo\n`)).toBe(1)
  expect(check(`one\n${sign.repeat(7)}\r\ntwo\r\n`)).toBe(1)
})

test('longer and shorter rows of these characters are not', () => {
  expect(check(`one\n========\n======\n a ======= b\n>>>>>> x\n`)).toBe(0)
})
