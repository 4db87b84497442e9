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
  const { kek, approval, pepper } = loadSecrets(file)
  const keys = [kek.get('k1'), approval.get('k1'), pepper].map((key) => key?.toString('hex'))
  expect(new Set(keys).size).toBe(3)
})

test('a key file that is there is never overwritten, whatever it holds', () => {
  const dir = temporaryFolder()
  const file = join(dir, 'secrets.json')
  writeFileSync(file, 'not even JSON')
  makeSecrets(file)
  expect(readFileSync(file, 'utf8')).toBe('not even JSON')
  expect(readdirSync(dir)).toEqual(['secrets.json'])
})
