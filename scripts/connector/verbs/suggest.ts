import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import type { Decided } from '../../../connectors/authoring/suggest/block.ts'
import { suggest as suggestion } from '../../../connectors/authoring/suggest/index.ts'
import type { Trace } from '../../../connectors/authoring/trace.ts'
import { isFields } from '../../../connectors/kit/wire.ts'
import { readPackage } from '../package.ts'
import { suggestInto } from '../suggest.ts'
import { WrongUsage, askFor } from '../verb.ts'
import type { Given, Verb } from '../verb.ts'

export const suggest: Verb = {
  name: 'suggest',
  about: [
    'writes an endpoint out of what you did while it was recorded under this name, its recordings,',
    'and a list of what you have to decide',
  ],
  options: {
    from: {
      ...{ type: 'string', multiple: true, takes: 'FILE' },
      about: 'traces of a file, in place of those that the gateway has; may be repeated',
    },
    step: { type: 'string', takes: 'N', about: 'what it is about, if not the last thing that was sent' },
    reads: { type: 'boolean', about: 'it only reads' },
    reaches: { type: 'string', takes: 'WHOM', about: 'people, or nobody' },
    effect: { type: 'string', takes: 'WHAT', about: 'adds, changes or removes' },
    again: { type: 'boolean', about: 'write anew what was suggested before, if nobody has touched it' },
  },
  words: [{ name: 'folder' }, { name: 'endpoint' }],
  tool: {},
  run: runSuggest,
}

async function runSuggest(given: Given): Promise<number> {
  const { words, options, say } = given
  const [folder = '', name = ''] = words
  const step = options['step'] === undefined ? undefined : Number(options['step'])
  if (step !== undefined && !(Number.isInteger(step) && step > 0))
    throw new WrongUsage('--step takes the number of a step, from 1')
  const said = decidedOf(options)
  const { slug } = readPackage(folder)
  const { from } = options
  const traces = Array.isArray(from) ? await readTraces(from.map(String)) : await fetchedTraces(given, slug, name)
  const own = traces.filter((one) => one.name === name)
  if (own.length === 0)
    throw new Error(`there is no trace of ${name}: callgate connector record makes one of what you do`)
  const isGet = () => suggestion(own, { decided: said, step }).draft.asking.method === 'GET'
  const decided = process.stdin.isTTY ? await asked(said, isGet()) : said
  await suggestInto({ folder, traces: own, decided, step, again: options['again'] === true }, say)
  return 0
}

function decidedOf({ reads, reaches, effect }: Readonly<Record<string, unknown>>): Decided {
  if (reaches !== undefined && reaches !== 'people' && reaches !== 'nobody')
    throw new WrongUsage('--reaches takes people or nobody')
  if (effect !== undefined && effect !== 'adds' && effect !== 'changes' && effect !== 'removes')
    throw new WrongUsage('--effect takes adds, changes or removes')
  return { ...(reads === true && { reads }), ...(reaches && { reaches }), ...(effect && { effect }) }
}

/** Asks for decisions that were not given as options; an empty answer leaves one open. */
async function asked(said: Decided, isGet: boolean): Promise<Decided> {
  const line = createInterface({ input: process.stdin, output: process.stdout })
  const answer = async (question: string): Promise<string> =>
    (await line.question(`${question} (empty: decide later) `)).trim()
  try {
    if (said.reads === true) return said
    if (isGet) return /^y(es)?$/i.test(await answer('Does it only read? [y]')) ? { ...said, reads: true } : said
    const reaches = said.reaches ?? (await answer('Whom does it reach? [people|nobody]'))
    const effect = said.effect ?? (await answer('What does it do to what the account has? [adds|changes|removes]'))
    return decidedOf({ reaches: reaches || undefined, effect: effect || undefined })
  } finally {
    line.close()
  }
}

async function fetchedTraces(given: Given, slug: string, name: string): Promise<readonly Trace[]> {
  const route = `/connectors/${encodeURIComponent(slug)}/traces?name=${encodeURIComponent(name)}`
  return listOf(await askFor<unknown>(given, 'GET', route), 'what the gateway says')
}

async function readTraces(files: readonly string[]): Promise<readonly Trace[]> {
  const read = await Promise.all(files.map(async (file) => listOf(JSON.parse(await readFile(file, 'utf8')), file)))
  return read.flat()
}

/** One trace, or a list of traces. Throws for anything else. */
function listOf(value: unknown, where: string): readonly Trace[] {
  const list: readonly unknown[] = Array.isArray(value)
    ? value
    : isFields(value) && Array.isArray(value['traces'])
      ? value['traces']
      : [value]
  if (!list.every(isTrace)) throw new Error(`${where} is no trace`)
  return list
}

function isTrace(value: unknown): value is Trace {
  if (!isFields(value)) return false
  const { app, name, origin, startedAt, exchanges, cookies = [] } = value
  const texts = [app, name, origin, startedAt].every((one) => typeof one === 'string')
  return (
    texts && URL.canParse(String(origin)) && Array.isArray(exchanges) && exchanges.every(isExchange) && isNamed(cookies)
  )
}

const isNamed = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((one) => isFields(one) && typeof one['name'] === 'string' && typeof one['value'] === 'string')

function isExchange(value: unknown): boolean {
  if (!isFields(value)) return false
  const { request, answer } = value
  if (!isFields(request) || !isFields(answer)) return false
  const isAsked = typeof request['method'] === 'string' && URL.canParse(String(request['url']))
  return isAsked && isFields(request['headers']) && isFields(answer['headers']) && typeof answer['status'] === 'number'
}
