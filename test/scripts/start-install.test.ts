import { chmod, cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { run } from '../client/run.ts'

const root = path.join(import.meta.dirname, '../..')
const packagedNode = `node-linux-${process.arch}`

/**
 * Does what `npm ci` does with the lock that it finds, and notes what it was asked for. As npm 11 on
 * Node 20 it skips optional packages that ask for a newer Node.
 */
const npm = `
const { appendFileSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const args = process.argv.slice(2)
const prefix = args.find((one) => one.startsWith('--prefix=')).slice('--prefix='.length)
const { packages } = JSON.parse(readFileSync(join(prefix, 'package-lock.json'), 'utf8'))
const { optionalDependencies } = JSON.parse(readFileSync(join(prefix, 'package.json'), 'utf8'))
const isLeftOut = (entry) => (entry.dev && args.includes('--omit=dev')) || (entry.optional && (entry.os || entry.engines))
const isWanted = ([name, entry]) => name !== '' && !isLeftOut(entry)
const installed = Object.fromEntries(Object.entries(packages).filter(isWanted))
for (const name of Object.keys(installed)) mkdirSync(join(prefix, name, 'bin'), { recursive: true })
for (const name of Object.keys(installed))
  if (name.includes('/node-linux-'))
    writeFileSync(join(prefix, name, 'bin/node'), '#!/bin/sh\\nWHICH=packaged exec ' + process.execPath + ' "$@"\\n', { mode: 0o755 })
  else if (name.endsWith('/vitest')) writeFileSync(join(prefix, name, 'vitest.mjs'), 'console.log("tested")')
writeFileSync(join(prefix, 'node_modules/.package-lock.json'), JSON.stringify({ packages: installed }))
const said = { packages: Object.keys(installed).map((name) => name.slice(13)), optional: Object.keys(optionalDependencies) }
appendFileSync(join(prefix, '..', 'installs'), JSON.stringify(said) + '\\n')
`

const lock = (version = '1.0.0') => ({
  packages: {
    '': { optionalDependencies: { '@sparticuz/chromium': '1.0.0', [packagedNode]: '24.0.0', other: '1.0.0' } },
    'node_modules/koa': { version, integrity: 'a' },
    'node_modules/vitest': { version: '1.0.0', integrity: 'b', dev: true },
    'node_modules/@sparticuz/chromium': { version: '1.0.0', integrity: 'c', optional: true, engines: { node: '>=24' } },
    [`node_modules/${packagedNode}`]: { version: '24.0.0', integrity: 'd', optional: true },
    'node_modules/other': { version: '1.0.0', integrity: 'e', optional: true, os: ['darwin'] },
  },
})

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'callgate-start-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const made of ['scripts/client', 'connectors', 'client/python/callgate', 'local-services', 'bin'])
    await mkdir(path.join(folder, made), { recursive: true })
  await cp(path.join(root, 'scripts/start.mjs'), path.join(folder, 'scripts/start.mjs'))
  const files = {
    'npm.cjs': npm,
    'package.json': JSON.stringify(lock().packages['']),
    'package-lock.json': JSON.stringify(lock()),
    'scripts/admin.ts': 'console.log(process.env.WHICH ?? process.execPath)',
    'scripts/check.ts': 'console.log("checked")',
    'client/endpoint-types.ts': '',
    'client/apps.ts': '',
    'client/python/callgate/apps.pyi': '',
  }
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text)
  const later = new Date(Date.now() + 60_000)
  for (const name of ['client/apps.ts', 'client/python/callgate/apps.pyi'])
    await utimes(path.join(folder, name), later, later)
})

/** Runs the task. Returns what it printed, and what each install so far has put there. */
async function task(name: string, { browser = false } = {}) {
  const { code, out, err } = await run(process.execPath, [path.join(folder, 'scripts/start.mjs'), name], {
    cwd: folder,
    env: { PATH: browser ? path.join(folder, 'bin') : '/nowhere', npm_execpath: path.join(folder, 'npm.cjs') },
  })
  expect([code, err.replaceAll(/Install.*\n/g, '')]).toEqual([0, ''])
  const installs = await readFile(path.join(folder, 'installs'), 'utf8')
  const done = installs.trimEnd().split('\n')
  return {
    out: out.trimEnd(),
    installs: done.map((line) => JSON.parse(line) as Record<'packages' | 'optional', string[]>),
  }
}

const everything = ['koa', 'vitest', '@sparticuz/chromium', packagedNode]

describe('what an npm command installs', () => {
  test('is what running needs, for those who run a gateway, once, without a Node where this one will do', async () => {
    const { out, installs } = await task('admin')
    expect(installs).toEqual([{ packages: ['koa', '@sparticuz/chromium'], optional: ['@sparticuz/chromium', 'other'] }])
    expect(out).toBe(process.execPath)
    expect((await task('admin')).installs).toHaveLength(1)
    expect(await readdir(folder)).not.toContain('.installing')
  })

  test('has no browser where the system has one, until that is gone', async () => {
    await writeFile(path.join(folder, 'snap'), '')
    await symlink(path.join(folder, 'snap'), path.join(folder, 'bin/google-chrome'))
    await symlink('/bin/true', path.join(folder, 'bin/chromium'))
    const { installs } = await task('admin', { browser: true })
    expect(installs).toEqual([{ packages: ['koa'], optional: ['other'] }])
    expect((await task('admin', { browser: true })).installs).toHaveLength(1)
    await rm(path.join(folder, 'bin/chromium'))
    expect((await task('admin', { browser: true })).installs[1]?.packages).toEqual(['koa', '@sparticuz/chromium'])
  })

  test('is everything for development, and stays so when a gateway is started after it', async () => {
    await task('admin')
    const { out, installs } = await task('check')
    expect([out, installs[1]?.packages]).toEqual(['checked', everything])
    const again = await task('admin')
    expect([again.out, again.installs.length]).toEqual(['packaged', 2])
    expect((await task('test')).installs).toHaveLength(2)

    // A new lock is installed once for both.
    await writeFile(path.join(folder, 'package-lock.json'), JSON.stringify(lock('1.0.1')))
    expect((await task('admin')).installs[2]?.packages).toEqual(everything)
    expect((await task('check')).installs).toHaveLength(3)
  })

  test('takes the place of what was there at once, also after one that was killed', async () => {
    await mkdir(path.join(folder, '.installing/node_modules/half'), { recursive: true })
    await chmod(path.join(folder, '.installing'), 0o755)
    await mkdir(path.join(folder, 'node_modules/old'), { recursive: true })
    await task('admin')
    expect((await readdir(path.join(folder, 'node_modules'))).toSorted()).toEqual([
      '.package-lock.json',
      '@sparticuz',
      'koa',
    ])
  })

  test('is told when it fails, and nothing that was there is lost', async () => {
    await writeFile(path.join(folder, 'npm.cjs'), 'process.exit(1)')
    await mkdir(path.join(folder, 'node_modules/old'), { recursive: true })
    const { code, err } = await run(process.execPath, [path.join(folder, 'scripts/start.mjs'), 'admin'], {
      cwd: folder,
      env: { PATH: '/nowhere', npm_execpath: path.join(folder, 'npm.cjs') },
    })
    expect([code, err]).toEqual([1, expect.stringContaining('Installing the dependencies failed')])
    expect(await readdir(path.join(folder, 'node_modules'))).toEqual(['old'])
  })
})
