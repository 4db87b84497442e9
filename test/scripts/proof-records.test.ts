import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proofs } from '../../scripts/prove/proofs.ts'
import { ProofRecords } from '../../scripts/prove/records.ts'
import { root } from '../../scripts/supervisor/settings.ts'

const races = { name: 'races', covers: ['core', 'lock.json'] }

let folder: string
let records: ProofRecords
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'callgate-proofs-'))
  git('init', '--quiet', '--initial-branch', 'main')
  write('core/a.ts', '1')
  write('web/b.ts', '1')
  write('lock.json', '1')
  write('proofs.json', '{}')
  commit()
  records = new ProofRecords(folder)
})
afterEach(() => rmSync(folder, { recursive: true }))

const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false']

function git(...args: string[]): void {
  execFileSync('git', [...author, ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}
function write(name: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
  writeFileSync(path.join(folder, name), text)
}
function commit(): void {
  git('add', '--all')
  git('commit', '--quiet', '--message', 'change')
}
/** A branch that changes a file is merged. */
function merge(name: string): void {
  git('checkout', '--quiet', '-b', 'work')
  write(name, `${Math.random()}`)
  commit()
  git('checkout', '--quiet', 'main')
  git('merge', '--quiet', '--no-ff', '--message', 'merge', 'work')
  git('branch', '--quiet', '--delete', 'work')
}
function pass(): void {
  records.note('races', { commit: records.head(), files: records.filesOf(races), log: '', seconds: 3 })
  commit()
}

test('a proof is stale until it passes, and again once a file that it covers has changed', () => {
  expect([records.isStale(races), records.mergesSinceStale(races)]).toEqual([true, Infinity])
  pass()
  expect([records.isStale(races), records.mergesSinceStale(races)]).toEqual([false, 0])
  write('web/b.ts', '2')
  commit()
  expect(records.isStale(races)).toBe(false)
  for (const name of ['core/a.ts', 'core/new.ts', 'lock.json']) {
    write(name, '2')
    commit()
    expect([name, records.isStale(races)]).toEqual([name, true])
    pass()
  }
  rmSync(path.join(folder, 'core/new.ts'))
  commit()
  expect(records.isStale(races)).toBe(true)
})

test('what is not committed makes no proof current, and is named', () => {
  pass()
  write('core/a.ts', '2')
  write('core/new.ts', '2')
  write('web/b.ts', '2')
  expect(records.isStale(races)).toBe(false)
  expect(records.uncommitted(races)).toEqual([' M core/a.ts', '?? core/new.ts'])
})

test('merges are counted from the first that changed what it covers', () => {
  pass()
  merge('web/b.ts')
  expect(records.mergesSinceStale(races)).toBe(0)
  merge('core/a.ts')
  expect(records.mergesSinceStale(races)).toBe(1)
  merge('web/b.ts')
  merge('web/b.ts')
  expect(records.mergesSinceStale(races)).toBe(3)
  pass()
  expect(records.mergesSinceStale(races)).toBe(0)
})

test('a record whose commit is gone is as none, and a covered path that is gone is an error', () => {
  records.note('races', { commit: 'f'.repeat(40), files: '', log: '', seconds: 3 })
  expect([records.isStale(races), records.mergesSinceStale(races)]).toEqual([true, Infinity])
  expect(() => records.isStale({ name: 'races', covers: ['core', 'gone'] })).toThrow(
    'the proof races covers gone, which git does not know',
  )
})

test('each proof of the project covers what there is', () => {
  const own = new ProofRecords(root)
  for (const proof of proofs) expect(own.filesOf(proof)).toMatch(/^[0-9a-f]{64}$/)
})
