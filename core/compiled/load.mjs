import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile } from './compile.mjs'
import { fileIn, nameOf, openStore } from './store.mjs'

/*
 * Node strips types from .ts and does not run .tsx. After this module both can be imported (.tsx dynamically: static imports are loaded before
 * anything runs). With `node --import` before the program itself, what make.mjs made ahead is run as it is, and no compiler is loaded at all.
 */
const installed = fileIn(join(import.meta.dirname, '../..'))
const store = openStore(installed) ?? openStore(fileIn(process.env['CALLGATE_DIR'] || '.callgate'))

registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith('file:') || !/\.tsx?$/.test(url) || url.includes('/node_modules/'))
      return nextLoad(url, context)
    const filename = fileURLToPath(url)
    const text = readFileSync(filename, 'utf8')
    const source = store?.get(nameOf(filename, text))
    if (source !== undefined) return { format: 'module', source, shortCircuit: true }
    if (!url.endsWith('.tsx')) return nextLoad(url, context)
    return { format: 'module', source: compile(filename, text, true), shortCircuit: true }
  },
})
