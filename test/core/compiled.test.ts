import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '../..')
const run = promisify(execFile)

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'callgate-compiled-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

/** Whether a process that loads the pages runs without the compiler of types and that of the pages. */
async function compilers(): Promise<unknown> {
  const program = `
    import { readFileSync } from 'node:fs'
    const { showErrorPage } = await import('./web/index.ts')
    console.log(JSON.stringify({
      pages: typeof showErrorPage,
      ofTypes: process.moduleLoadList.some((name) => name.includes('amaro')),
      ofPages: readFileSync('/proc/self/maps', 'utf8').includes('swc'),
    }))`
  const args = ['--import', './core/compiled/load.mjs', '--input-type=module', '-e', program]
  const { stdout } = await run(process.execPath, args, { cwd: root, env: { CALLGATE_DIR: dir } })
  return JSON.parse(stdout)
}

it('starts without a compiler from what was compiled ahead, and with them from nothing', async () => {
  expect(await compilers()).toEqual({ pages: 'function', ofTypes: true, ofPages: true })
  const make = () =>
    run(process.execPath, ['--disable-warning=ExperimentalWarning', 'core/compiled/make.mjs', dir], { cwd: root })
  // Two that make it at once leave one whole file.
  await Promise.all([make(), make()])
  expect(await compilers()).toEqual({ pages: 'function', ofTypes: false, ofPages: false })
}, 180_000)
