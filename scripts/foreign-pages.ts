import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Fails if a tracked data file contains a third-party web page: those belong to their authors.
 * Pages that we wrote, such as the offline examples', are small and lack the marks of real pages.
 * Default folder: the current one.
 */
const [folder = '.'] = process.argv.slice(2)

const mostBytes = 8 * 1024
const ofRealPages =
  /<script\s|<style|<link\s|<svg|<!--|data:image|name=["']?generator|copyright|©|&copy;|licen[sc]e|creative commons|powered by/i

/** Code and documents contain pages of their own authors. */
const notData = ['ts', 'tsx', 'mts', 'js', 'mjs', 'py', 'md'].map((ending) => `:!*.${ending}`)
const grep = [
  '-C',
  folder,
  'grep',
  '-zlIiE',
  '<(!doctype html|html|head|body|main|div|form|table|ul)[[:space:]>]',
  '--',
  ...notData,
]
const { status, stdout, stderr, error } = spawnSync('git', grep, { encoding: 'utf8' })
if (error) throw error
process.stderr.write(stderr)

const refused = stdout.split('\0').flatMap((file) => {
  if (file === '') return []
  const text = readFileSync(join(folder, file), 'utf8')
  const [mark] = ofRealPages.exec(text) ?? []
  if (mark !== undefined) return [`${file}: "${mark.trim()}" is of a real page`]
  return text.length > mostBytes ? [`${file}: ${text.length} characters are more than ${mostBytes}`] : []
})
if (refused.length > 0)
  process.stdout.write(`${refused.join('\n')}\nWrite a small page of your own: only what the connector's rules need.\n`)
// git grep exits with 1 if nothing matches.
process.exitCode = refused.length > 0 || status === null || status > 1 ? 1 : 0
