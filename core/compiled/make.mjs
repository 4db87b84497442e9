/**
 * `node core/compiled/make.mjs [FOLDER]`: compiles this program ahead, into that folder or beside it, so that its processes start without the
 * compilers (load.mjs). Only what has changed since is compiled.
 */
import { globSync, readFileSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { compile } from './compile.mjs'
import { fileIn, nameOf, openStore, packed } from './store.mjs'

const root = join(import.meta.dirname, '../..')
const file = fileIn(process.argv[2] ?? root)
const store = openStore(file)

const parts = '{activities,api,connectors,core,local-services,sandbox,schemas,scripts,web,workflows}'
/** @type {Map<string, string>} */
const sources = new Map()
let made = 0
for (const place of globSync([`${parts}/**/*.{ts,tsx}`, 'config.ts'], { cwd: root })) {
  const text = readFileSync(join(root, place), 'utf8')
  const name = nameOf(place, text)
  const known = store?.get(name)
  if (known === undefined) made++
  sources.set(name, known ?? compile(place, text, false))
}
// Another process may make the same: the last to finish wins, with the same content.
if (made > 0 || store?.names.length !== sources.size) {
  await mkdir(dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}`
  // On the disk before it has its name: who loses power in between finds the one of before.
  await writeFile(draft, packed(sources), { flush: true })
  await rename(draft, file)
}
