import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'rolldown/experimental'

/**
 * Fails where prose of a rewritten room has a phrase that went, or a comment is too wide. Prose:
 * TypeScript comments and Markdown. Default folder: the current one.
 */
const [folder = '.'] = process.argv.slice(2)

/** It grows with each room that is rewritten. */
const rooms = [
  ...['README.md', 'CONTRIBUTING.md', 'config.ts'],
  ...['activities', 'api', 'bench', 'client', 'connectors', 'core', 'local-services'],
  ...['schemas', 'scripts', 'server', 'web', 'workflows'],
]

const widest = 100
const phrases: readonly (readonly [phrase: RegExp, say: string])[] = [
  [/\banew\b/, 'again'],
  [/\bwhoever\b/, 'who exactly: the user, the approver, the agent, the operator'],
  [/\bsomebody else's computer\b/, 'another server'],
  [/\bfor want of\b/, 'without'],
  [/\b(tells?|told|telling) of\b/, 'reports, notifies of'],
  [/\b(is|are) none of (it|them|these)\b/, 'is not, does not count as'],
  [/\bof today\b/, 'current'],
  [/\b(takes?|took|taken|taking) (it |them |this )?back\b/, 'cancel, undo, roll back'],
  [/\bgives? up for\b/, 'times out'],
  [/\bmerely waits?\b/, 'is idle'],
  [/\bwaits? it out\b/, 'retries with backoff'],
  [/\bstands? for\b/, 'means, represents'],
  [/\bstands? still\b/, 'is stalled'],
  [/\bgives? way\b/, 'is the bottleneck'],
  [/\bsays? nothing of\b/, 'does not mention'],
  [/\bmend(s|ed|ing)?\b/, 'fix'],
  [/\bin vain\b/, 'without success'],
  [/\briddles?\b/, 'unresolved reference'],
  [/\bsecond look\b/, 'recheck'],
  [/\b(in advance|standing) approvals?\b/, 'approval rule'],
]

const listed = spawnSync('git', ['-C', folder, 'ls-files', '-z', '--', ...rooms], { encoding: 'utf8' })
if (listed.error) throw listed.error
const files = listed.stdout.split('\0').filter((file) => /\.(tsx?|md)$/.test(file))

const problems = files.flatMap((file) => {
  const text = readFileSync(path.join(folder, file), 'utf8')
  const lines = text.split('\n')
  return proseOf(file, text).flatMap(({ line, words }) => {
    const found = phrases.filter(([phrase]) => phrase.test(words.toLowerCase()))
    const wide = file.endsWith('.md') ? 0 : (lines[line - 1]?.length ?? 0)
    return [
      ...found.map(([phrase, say]) => `${file}:${line}: ${phrase.source}: say ${say}`),
      ...(wide > widest ? [`${file}:${line}: a comment has at most ${widest} columns`] : []),
    ]
  })
})
if (problems.length > 0) process.stdout.write(`${problems.join('\n')}\n`)
process.exitCode = problems.length > 0 || files.length === 0 ? 1 : 0

/** Each line of prose, with its number. */
function proseOf(file: string, text: string): readonly { readonly line: number; readonly words: string }[] {
  if (file.endsWith('.md')) return text.split('\n').map((words, at) => ({ line: at + 1, words }))
  return parseSync(file, text).comments.flatMap(({ start, value }) => {
    const first = text.slice(0, start).split('\n').length
    return value.split('\n').map((words, at) => ({ line: first + at, words }))
  })
}
