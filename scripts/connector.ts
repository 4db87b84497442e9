import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { plainLines } from '../connectors/runtime/plain-line.ts'
import { WrongUsage, usageOf } from './connector/verb.ts'
import type { Given, Verb } from './connector/verb.ts'
import { verbs } from './connector/verbs.ts'
import { NoAnswer, operatorHelp, operatorName } from './operator-client.ts'

/** `npm run -s callgate -- connector <verb>`: commands for added connectors. */
const text = { type: 'string' } as const
const common = {
  help: { type: 'boolean', short: 'h' },
  yes: { type: 'boolean' },
  url: text,
  token: text,
  as: text,
} as const

const gone = new AbortController()
process.once('SIGINT', () => {
  gone.abort()
  // Gives the running verb time to finish.
  setTimeout(() => process.exit(130), 2_000).unref()
})
// The reader may close the pipe early: `connector list | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})
try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  const isUsage = error instanceof WrongUsage
  console.error(plainLines(error instanceof Error ? error.message : String(error)))
  if (isUsage) console.error('callgate connector help lists commands and options.')
  process.exitCode = isUsage ? 2 : error instanceof NoAnswer ? 6 : 1
}

async function run([name = 'help', ...rest]: readonly string[]): Promise<number> {
  const verb = verbs.get(name)
  if (verb === undefined) {
    console.log(help())
    return ['help', '--help', '-h'].includes(name) ? 0 : 2
  }
  const { values, positionals } = parsed(rest, verb.options)
  if (values['help'] === true) {
    console.log(help())
    return 0
  }
  const least = verb.words.filter((word) => word.isOptional !== true).length
  if (positionals.length < least || positionals.length > verb.words.length)
    throw new WrongUsage(`Usage: callgate connector ${usageOf(verb)}`)
  if (operatorName(values, process.env) === undefined)
    throw new WrongUsage('--as takes up to 60 letters without accents, digits, and the signs . _ @ -')
  return verb.run({
    words: positionals,
    options: values,
    env: process.env,
    say: (line) => console.log(plainLines(line)),
    agree: (question) => (values['yes'] === true ? Promise.resolve(true) : agreed(question)),
    signal: gone.signal,
  })
}

function parsed(args: readonly string[], own: Verb['options'] = {}) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { ...own, ...common },
    })
    return { values: values as Given['options'], positionals }
  } catch (error) {
    throw new WrongUsage(error instanceof Error ? error.message : String(error))
  }
}

async function agreed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Error('Nobody is there to be asked: --yes says that it was agreed to.')
  const line = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(es)?$/i.test((await line.question(`${plainLines(question)} [y/N] `)).trim())
  } finally {
    line.close()
  }
}

function help(): string {
  const width = Math.max(...[...verbs.values()].map((verb) => usageOf(verb).length))
  const lines = [...verbs.values()].flatMap((verb) =>
    verb.about.map((line, at) => `  ${(at === 0 ? usageOf(verb) : '').padEnd(width)}   ${line}`),
  )
  const options = [...verbs.values()].flatMap(({ name, options: own = {} }) =>
    Object.entries(own).map(
      ([option, { takes = '', about }]) => `  ${`--${option} ${takes}`.padEnd(20)} ${name}: ${about}`,
    ),
  )
  return [
    'callgate connector: apps that are not built in',
    '',
    ...lines,
    '',
    `  ${'--yes'.padEnd(20)} add, update, remove: do not ask`,
    ...options,
    operatorHelp,
  ].join('\n')
}
