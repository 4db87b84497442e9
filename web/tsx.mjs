import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { transformSync } from '@swc/core'

// Node strips types from .ts but does not run .tsx. From here on it imports both; .tsx must be imported dynamically,
// after this module: static imports are loaded before anything runs.
registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith('file:') || !url.endsWith('.tsx')) return nextLoad(url, context)
    const filename = fileURLToPath(url)
    const { code } = transformSync(readFileSync(filename, 'utf8'), {
      filename,
      configFile: false,
      swcrc: false,
      sourceMaps: 'inline',
      module: { type: 'es6' },
      jsc: {
        target: 'es2024',
        parser: { syntax: 'typescript', tsx: true },
        transform: {
          verbatimModuleSyntax: true,
          react: { runtime: 'automatic', importSource: 'preact', throwIfNamespace: false },
        },
      },
    })
    return { format: 'module', source: code, shortCircuit: true }
  },
})
