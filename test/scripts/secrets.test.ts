import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadSecrets } from '../../config.ts'
import { makeSecrets } from '../../scripts/supervisor/secrets.ts'
import { temporaryFolder } from './temp.ts'

test('the key file is made once, readable by its owner only, with keys that the configuration takes', () => {
  const file = join(temporaryFolder(), 'secrets.json')
  makeSecrets(file)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const { kek, approval, pepper, operator } = loadSecrets(file)
  const keys = [kek.get('k1'), approval.get('k1'), pepper.get('k1'), operator].map((key) => key?.toString('hex'))
  expect(new Set(keys).size).toBe(4)
})

test('a key file that is there is never overwritten, whatever it holds', () => {
  const dir = temporaryFolder()
  const file = join(dir, 'secrets.json')
  writeFileSync(file, 'not even JSON')
  makeSecrets(file)
  expect(readFileSync(file, 'utf8')).toBe('not even JSON')
  expect(readdirSync(dir)).toEqual(['secrets.json'])
})

test('the operators’ secret of a key file from before it stood there stays what it was, whatever becomes of the pepper', () => {
  const file = join(temporaryFolder(), 'secrets.json')
  const [old, newer, other] = ['a', 'b', 'c'].map((letter) => Buffer.alloc(32, letter).toString('base64'))
  const write = (fields: object): ReturnType<typeof loadSecrets> => {
    writeFileSync(file, JSON.stringify({ kek: { k1: other }, approval: { k1: other }, ...fields }))
    return loadSecrets(file)
  }
  const before = write({ pepper: old }).operator
  // As the release before made the token.
  expect(before.toString('base64url')).toBe(
    createHmac('sha256', Buffer.alloc(32, 'a')).update('derived\0operator').digest('base64url'),
  )
  const ring = write({ pepper: { k1: old, k2: newer } })
  expect([[...ring.pepper.keys()], ring.operator]).toEqual([['k1', 'k2'], before])
  const own = write({ pepper: { k2: newer }, operator: before.toString('base64') })
  expect(own.operator).toEqual(before)
  expect(() => write({ pepper: {} })).toThrow('pepper needs at least one key')
  expect(() => write({ pepper: old, operator: 'short' })).toThrow('operator must be 32 bytes')
})
