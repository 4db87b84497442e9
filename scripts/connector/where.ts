import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import path from 'node:path'
import type { Bundle } from './bundle.ts'
import type { ConnectorPackage } from './package.ts'
import { lineOf } from './package.ts'

/** The message of a connector's error, with file and line in the package. */
export function inWords(error: unknown, { map }: Bundle, { folder, entry }: ConnectorPackage): string {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  const sources = map.sources.map((source) => path.resolve(folder, source))
  const own = sources.filter((source) => !path.relative(folder, source).startsWith('..'))
  const at = placeOfThrow(`${message}\n${stack}`, map, (source) => own.includes(path.resolve(folder, source)))
  const place = at === undefined ? (placeOfName(message, own, entry) ?? `${entry}:1`) : path.resolve(folder, at)
  return `${place}: ${message.replace(/^Error: /, '').replace(/ \((?:bundle:\d+ ?)+\)$/, '')}`
}

/** Beyond the last column of any line. */
const endOfLine = 1_000_000

/** The first stack frame in the package's own files. */
function placeOfThrow(text: string, map: Bundle['map'], isOwn: (source: string) => boolean): string | undefined {
  const lines = [...text.matchAll(/\bbundle:(\d+)/g)]
  const known = new SourceMap({
    file: '',
    version: 3,
    names: [],
    sourcesContent: [],
    sourceRoot: '',
    ...map,
    sources: [...map.sources],
  })
  for (const [, line] of lines) {
    const found = known.findEntry(Number(line) - 1, endOfLine)
    if ('originalSource' in found && isOwn(found.originalSource))
      return `${found.originalSource}:${found.originalLine + 1}`
  }
  return undefined
}

/** The export of the endpoint that the message begins with, otherwise the connector's field. */
function placeOfName(message: string, files: readonly string[], entry: string): string | undefined {
  const name = /^([a-z]\w*)\b/.exec(message)?.[1] ?? ''
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    const declared = new RegExp(`^export (?:const|let|var|function) ${name}\\b`, 'm')
    if (name !== '' && declared.test(text)) return `${file}:${lineOf(text, declared)}`
  }
  const text = readFileSync(entry, 'utf8')
  const field = new RegExp(`^ *${name}:`, 'm')
  return name !== '' && field.test(text) ? `${entry}:${lineOf(text, field)}` : undefined
}
