import { execFileSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadConfig, loadSecrets } from '../../config.ts'
import { temporaryFolder } from '../scripts/temp.ts'
import { root } from './compose-project.ts'

const makeSecrets = (folder: string): string =>
  execFileSync('/bin/sh', [join(root, 'deploy/make-secrets.sh'), folder], { encoding: 'utf8' })

it('makes secret files that Callgate opens, that only the containers’ user can read, and never overwrites one', () => {
  const folder = join(temporaryFolder(), 'secrets')
  const files = ['postgres_password', 'secrets.json', 'smtp_url'].map((name) => join(folder, name))
  expect(makeSecrets(folder)).toContain('made ')
  const [password = '', keys = '', mail] = files.map((file) => readFileSync(file, 'utf8'))
  expect(password).toMatch(/^[0-9a-f]{64}$/)
  expect(mail).toBe('')
  const { kek, approval, pepper, operator } = loadSecrets(join(folder, 'secrets.json'))
  const all = [...kek.values(), ...approval.values(), ...pepper.values(), operator].map((key) => key.toString('hex'))
  expect(new Set(all).size).toBe(4)
  for (const file of files) {
    expect(statSync(file).mode & 0o777).toBe(0o400)
    expect(statSync(file).uid).toBe(process.getuid?.() === 0 ? 1000 : process.getuid?.())
  }
  expect(makeSecrets(folder)).toContain('temporal_ca and what it signed stay as they are')
  expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual([password, keys, ''])
})

it('puts the password of a file into the database’s address, whatever characters it has', () => {
  const file = join(temporaryFolder(), 'password')
  const secret = 'a/b:c@d?e#f%20 g&h'
  writeFileSync(file, `${secret}\n`)
  const env = {
    DATABASE_URL: 'postgresql://callgate@db:5432/callgate?sslmode=disable',
    TEMPORAL_ADDRESS: 'temporal:7233',
  }
  const { databaseUrl } = loadConfig({ ...env, DATABASE_PASSWORD_FILE: file })
  const url = new URL(databaseUrl)
  expect(decodeURIComponent(url.password)).toBe(secret)
  expect([url.username, url.host, url.pathname, url.search]).toEqual([
    'callgate',
    'db:5432',
    '/callgate',
    '?sslmode=disable',
  ])
  expect(loadConfig(env).databaseUrl).toBe(env.DATABASE_URL)
})

it('says which password file cannot be used', () => {
  const file = join(temporaryFolder(), 'password')
  const load = (): unknown =>
    loadConfig({ DATABASE_URL: 'postgresql://db/callgate', TEMPORAL_ADDRESS: 'x:1', DATABASE_PASSWORD_FILE: file })
  expect(load).toThrow(/Configuration: DATABASE_PASSWORD_FILE cannot be read \(ENOENT/)
  writeFileSync(file, '\n')
  expect(load).toThrow(/DATABASE_PASSWORD_FILE must hold a password/)
})

it('takes the mail server from a file, and none from an empty one', () => {
  const file = join(temporaryFolder(), 'smtp_url')
  const env = {
    DATABASE_URL: 'postgresql://db/callgate',
    TEMPORAL_ADDRESS: 'x:1',
    SMTP_URL_FILE: file,
    SMTP_FROM: 'callgate@example.test',
  }
  writeFileSync(file, 'smtps://me:word@mail.test:465\n')
  expect(loadConfig(env).mail?.url()).toBe('smtps://me:word@mail.test:465')
  writeFileSync(file, '')
  expect(loadConfig(env).mail).toBeNull()
})
