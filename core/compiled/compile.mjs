import { createRequire, stripTypeScriptTypes } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * Source text of ours as JavaScript. The compiler of .tsx is 40 MB, and what strips types from .ts another 15: neither is loaded before the
 * first file that needs it.
 * @param {string} filename @param {string} source @param {boolean} mapped with a source map in it, for whoever debugs
 */
export function compile(filename, source, mapped) {
  return filename.endsWith('.tsx') ? compileTsx(filename, source, mapped) : stripTypeScriptTypes(source)
}

function compileTsx(/** @type {string} */ filename, /** @type {string} */ source, /** @type {boolean} */ mapped) {
  const { transformSync } = require('@swc/core')
  return transformSync(source, {
    filename,
    configFile: false,
    swcrc: false,
    sourceMaps: mapped ? 'inline' : false,
    module: { type: 'es6' },
    jsc: {
      target: 'es2024',
      parser: { syntax: 'typescript', tsx: true },
      transform: {
        verbatimModuleSyntax: true,
        react: { runtime: 'automatic', importSource: 'preact', throwIfNamespace: false },
      },
    },
  }).code
}
