import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { bundle } from '../../scripts/connector/bundle.ts'

const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'bundle-test-')))
afterAll(() => rmSync(base, { recursive: true, force: true }))

mkdirSync(path.join(base, 'decoy'))
for (const name of ['config.json', 'index.ts', 'package.json'])
  writeFileSync(
    path.join(base, 'decoy', name),
    name.endsWith('.json') ? '{"token":"secret-1"}' : 'export default "secret-1"',
  )

let made = 0
function packageOf(source: string, files: Readonly<Record<string, string>> = {}) {
  const folder = path.join(base, `own-${made++}`)
  for (const [name, text] of Object.entries({ 'package.json': '{}', ...files, 'index.ts': source })) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  return { folder, entry: path.join(folder, 'index.ts') }
}
const importing = (name: string) => `import x from '${name}'\nexport default x`

it.each([
  ['a relative path', importing('../decoy/config.json'), {}],
  ['an absolute path', importing(`${base}/decoy/config.json`), {}],
  ['a code file', importing('../decoy/index.ts'), {}],
  ['a dynamic import', "export default await import('../decoy/config.json')", {}],
  ['require', "export default require('../decoy/config.json')", {}],
  ['a path through a package', importing('dep/../../../decoy/config.json'), { 'node_modules/dep/package.json': '{}' }],
  ['imports', importing('#x'), { 'package.json': '{"imports":{"#x":"../decoy/config.json"}}' }],
  ['main', importing('dep'), { 'node_modules/dep/package.json': '{"main":"../../../decoy/config.json"}' }],
  ['a text file', importing('./notes.txt'), { 'notes.txt': 'secret-1' }],
  ['a query', importing('../decoy/config.json?raw'), {}],
])('%s brings no file that is not of the package', async (_, source, files) => {
  await expect(bundle(packageOf(source, files))).rejects.toThrow(/index\.ts:\d+: imports/)
})

it('a link leads to no file outside', async () => {
  const own = packageOf(importing('./linked/config.json'))
  symlinkSync(path.join(base, 'decoy'), path.join(own.folder, 'linked'))
  await expect(bundle(own)).rejects.toThrow('is outside the package')
})

it('the entry is no link to the outside', async () => {
  const { folder } = packageOf('export default 1')
  const entry = path.join(folder, 'entry.ts')
  symlinkSync(path.join(base, 'decoy/index.ts'), entry)
  await expect(bundle({ folder, entry })).rejects.toThrow('is outside the package')
})

it('files, packages and the kit of its own are part of it', async () => {
  const source =
    "import a from './a.json'\nimport b from 'dep'\nimport { connector } from '@callgate/kit'\nexport default [a, b, connector]"
  const { code } = await bundle(
    packageOf(source, { 'a.json': '"own-a"', 'node_modules/dep/index.js': 'module.exports = "own-b"' }),
  )
  expect(code).toContain('own-a')
  expect(code).toContain('own-b')
})

it('a fetched package has the packages that npm put beside it, and no other file', async () => {
  const dir = path.join(base, 'fetched')
  const modules = path.join(dir, 'node_modules')
  const folder = path.join(modules, 'shop')
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true })
    writeFileSync(path.join(dir, name), text)
  }
  write('node_modules/shop/index.ts', importing('words'))
  write('node_modules/words/index.js', 'export default "beside"')
  const entry = path.join(folder, 'index.ts')
  const { code } = await bundle({ folder, entry, modules })
  expect(code).toContain('beside')
  write('node_modules/shop/index.ts', importing('../../outside.json'))
  write('outside.json', '"secret-1"')
  await expect(bundle({ folder, entry, modules })).rejects.toThrow('is outside the package')
})
