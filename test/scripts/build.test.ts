import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '../..')
const parts = [
  'activities',
  'api',
  'connectors',
  'core',
  'engine',
  'local-services',
  'sandbox',
  'schemas',
  'scripts',
  'server',
  'web',
  'workflows',
]
const run = promisify(execFile)

/** A copy of the checkout, so that what is built here is nobody else's. */
let home: string
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'callgate-build-'))
  for (const part of [...parts, 'config.ts', 'package.json', 'package-lock.json'])
    await cp(path.join(root, part), path.join(home, part), { recursive: true })
  await symlink(path.join(root, 'node_modules'), path.join(home, 'node_modules'))
})
afterAll(() => rm(home, { recursive: true, force: true }))

const build = async (): Promise<string> =>
  (await run(process.execPath, ['scripts/build.ts'], { cwd: home })).stdout.trim()

it('builds once for each version of the sources, however many start at once, and keeps the last ten', async () => {
  const [first, second] = await Promise.all([build(), build()])
  expect(second).toBe(first)
  expect(await readdir(path.join(home, 'dist'))).toEqual([path.basename(first)])
  const { mtimeMs } = await stat(path.join(first, 'server/main.js'))
  expect(await build()).toBe(first)
  expect((await stat(path.join(first, 'server/main.js'))).mtimeMs).toBe(mtimeMs)

  // As many as are kept, each older than the first.
  for (let n = 1; n <= 10; n++) {
    const old = path.join(home, 'dist', `old-${n}`)
    await mkdir(old)
    await utimes(old, n, n)
  }
  await writeFile(path.join(home, 'core/changed.ts'), 'export const changed = true\n')
  const next = await build()
  const kept = await readdir(path.join(home, 'dist'))
  const younger = Array.from({ length: 8 }, (_, n) => `old-${n + 3}`)
  expect(kept.toSorted()).toEqual([path.basename(first), path.basename(next), ...younger].toSorted())
})

it.each(['server/main', 'activities/worker'])('%s loads no compiler, and its stacks name sources', async (program) => {
  const watch = `process.on('exit', () => {
    const loaded = process.moduleLoadList.some((name) => name.includes('amaro'))
    const swc = require('node:fs').readFileSync('/proc/self/maps', 'utf8').includes('swc')
    process.stdout.write(JSON.stringify({ loaded, swc }))
  })`
  const preload = path.join(home, 'watch.cjs')
  await writeFile(preload, watch)
  const failed = run(process.execPath, ['--require', preload, path.join(await build(), `${program}.js`)], {
    cwd: home,
    // Without settings it ends once it is loaded.
    env: {},
  })
  const { stdout, stderr } = (await failed.catch((error: unknown) => error)) as { stdout: string; stderr: string }
  expect(JSON.parse(stdout)).toEqual({ loaded: false, swc: false })
  expect(stderr).toMatch(/config\.ts:\d+:\d+\)\n/)
  expect(stderr).not.toContain('/dist/')
})
