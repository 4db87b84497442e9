import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { fetched } from './connector/fetched.ts'
import { lookAtFetched } from './connector/look.ts'
import { shown } from './connector/shown.ts'
import { suggestCommand, suggestHelp, suggestOptions } from './connector/suggest-command.ts'
import { testConnector } from './connector/test.ts'
import { NoAnswer, askGateway, operatorHelp, operatorName } from './operator-client.ts'

/** `npm run -s callgate -- connector <command>`: apps that are not built in, for operators. */
const help = `callgate connector: apps that are not built in

  add <folder | package@version>      shows what it may reach and does, asks, and adds it to the running gateway
  update <folder | package@version>   the same for another version of one that was added; ends what people approved in advance
                                      or switched off asking for, and what you trusted
  test <folder> [endpoint]            runs it against its recordings, without the app; then takes away what it reads, one thing
                                      after another: it has to notice
  suggest <folder> <name>             writes an endpoint out of what you did while it was recorded under this name
  list                                those that were added
  remove <app>                        takes it away; calls of it that wait end, and its accounts are forgotten
  trust <app> <endpoint>              it need not ask a person first any more, unless it says so itself
  distrust <app> <endpoint>           it asks first again

  --yes       add, update, remove: do not ask
${suggestHelp}
${operatorHelp}
`

const text = { type: 'string' } as const
const { env } = process

function readArguments() {
  try {
    const options = {
      help: { type: 'boolean', short: 'h' },
      yes: { type: 'boolean' },
      ...suggestOptions,
      url: text,
      token: text,
      as: text,
    } as const
    return parseArgs({ allowPositionals: true, options })
  } catch (error) {
    return wrongUsage(error instanceof Error ? error.message : String(error))
  }
}

const { values, positionals } = readArguments()
if (operatorName(values, env) === undefined)
  wrongUsage('--as takes up to 60 letters without accents, digits, and the signs . _ @ -')
try {
  process.exitCode = await run(values.help === true ? [] : positionals)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = error instanceof NoAnswer ? 6 : 1
}

function wrongUsage(message: string): never {
  console.error(`${message}\ncallgate connector help lists commands and options.`)
  process.exit(2)
}

async function run([command = 'help', first, second]: readonly string[]): Promise<number> {
  if (command === 'list') return ask('GET', '/connectors')
  if ((command === 'add' || command === 'update') && first !== undefined) return give(command, first)
  if (command === 'test' && first !== undefined) {
    await using source = await fetched(first)
    return (await testConnector(source.folder, second, (line) => console.log(line))) ? 0 : 1
  }
  if (command === 'suggest' && first !== undefined && second !== undefined)
    return suggestCommand({ folder: first, name: second, values, env })
  if (command === 'remove' && first !== undefined) {
    if (!(await agreed(`Remove ${first}? Its calls that wait end, and its accounts are forgotten.`))) return 1
    return ask('POST', `/connectors/${encodeURIComponent(first)}/remove`, {})
  }
  if ((command === 'trust' || command === 'distrust') && first !== undefined && second !== undefined)
    return ask('POST', `/connectors/${encodeURIComponent(first)}/trust`, {
      endpoint: second,
      trusted: command === 'trust',
    })
  console.log(help.trimEnd())
  return command === 'help' ? 0 : 2
}

/** All of it is looked at here first, where its files are; the gateway looks again. */
async function give(command: 'add' | 'update', wanted: string): Promise<number> {
  await using source = await fetched(wanted)
  const { slug, hosts, package: from, code, app } = await lookAtFetched(source)
  console.log(shown(app, hosts))
  if (!(await agreed(`${command === 'add' ? 'Add' : 'Update'} ${slug}?`))) return 1
  const body = { package: from, hosts, code }
  return command === 'add'
    ? await ask('POST', '/connectors', { slug, ...body })
    : await ask('POST', `/connectors/${slug}/update`, body)
}

async function agreed(question: string): Promise<boolean> {
  if (values.yes === true) return true
  if (!process.stdin.isTTY) throw new Error('Nobody is there to be asked: --yes says that it was agreed to.')
  const line = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(es)?$/i.test((await line.question(`${question} [y/N] `)).trim())
  } finally {
    line.close()
  }
}

async function ask(method: string, route: string, body?: object): Promise<number> {
  const { ok, text: told } = await askGateway(values, env, { method, route, body })
  if (ok) console.log(told)
  else console.error(told)
  return ok ? 0 : 1
}
