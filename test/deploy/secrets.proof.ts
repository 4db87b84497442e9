import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadBrowserServerConfig, loadConfig, loadSecrets } from '../../config.ts'
import { temporaryFolder } from '../scripts/temp.ts'
import { root } from './compose-project.ts'

const makeSecrets = (folder: string): string =>
  execFileSync('/bin/sh', [join(root, 'deploy/make-secrets.sh'), folder], { encoding: 'utf8' })

it('makes secret files that Callgate opens, that only the containers’ user can read, and never overwrites one', () => {
  const folder = join(temporaryFolder(), 'secrets')
  const files = ['postgres_password', 'secrets.json', 'smtp_url', 'browser_secret'].map((name) => join(folder, name))
  expect(makeSecrets(folder)).toContain('made ')
  const [password = '', keys = '', mail, browser = ''] = files.map((file) => readFileSync(file, 'utf8'))
  expect(password).toMatch(/^[0-9a-f]{64}$/)
  expect(mail).toBe('')
  const fromFile = { CALLGATE_BROWSER_SECRET_FILE: join(folder, 'browser_secret') }
  expect(loadBrowserServerConfig(fromFile).secret()).toBe(browser)
  expect(browser).toMatch(/^[0-9a-f]{64}$/)
  expect(browser).not.toBe(password)
  const { kek, approval, pepper, operator } = loadSecrets(join(folder, 'secrets.json'))
  const all = [...kek.values(), ...approval.values(), ...pepper.values(), operator].map((key) => key.toString('hex'))
  expect(new Set(all).size).toBe(4)
  for (const file of files) {
    expect(statSync(file).mode & 0o777).toBe(0o400)
    expect(statSync(file).uid).toBe(process.getuid?.() === 0 ? 1000 : process.getuid?.())
  }
  expect(makeSecrets(folder)).toContain('temporal_ca and what it signed stay as they are')
  expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual([password, keys, '', browser])
  // An installation of before it was there.
  rmSync(join(folder, 'browser_secret'))
  expect(makeSecrets(folder)).toMatch(/made .*browser_secret/)
  expect(files.map((file) => readFileSync(file, 'utf8')).slice(0, 3)).toEqual([password, keys, ''])
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

it('knows the browser service by address and secret, and says what is missing without saying the secret', () => {
  const env = { DATABASE_URL: 'postgresql://db/callgate', TEMPORAL_ADDRESS: 'x:1' }
  expect(loadConfig(env).browserService).toBeNull()
  const url = { ...env, CALLGATE_BROWSER_URL: 'http://callgate-browser:8070/' }
  const missing = /Configuration: CALLGATE_BROWSER_SECRET or the file CALLGATE_BROWSER_SECRET_FILE must have 32/
  expect(() => loadConfig(url)).toThrow(missing)
  expect(() => loadConfig({ ...url, CALLGATE_BROWSER_SECRET_FILE: '/nowhere' })).toThrow(/cannot be read \(ENOENT/)
  expect(() => loadBrowserServerConfig({})).toThrow(missing)
  const short = 'seven-brave-otters'
  expect(() => loadConfig({ ...url, CALLGATE_BROWSER_SECRET: short })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining(short) as string }),
  )
  const { browserService } = loadConfig({ ...url, CALLGATE_BROWSER_SECRET: short.repeat(2) })
  expect([browserService?.url, browserService?.secret()]).toEqual(['http://callgate-browser:8070', short.repeat(2)])
  expect(JSON.stringify(browserService)).not.toContain(short)
  expect(() => loadConfig({ ...url, CALLGATE_BROWSER_URL: 'callgate-browser:8070' })).toThrow(
    /CALLGATE_BROWSER_URL must/,
  )
})
