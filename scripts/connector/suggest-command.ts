import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import type { Decided } from '../../connectors/authoring/suggest/block.ts'
import { suggest } from '../../connectors/authoring/suggest/index.ts'
import type { Trace } from '../../connectors/authoring/trace.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import { askGateway } from '../operator-client.ts'
import type { OperatorOptions } from '../operator-client.ts'
import { readPackage } from './package.ts'
import { suggestInto } from './suggest.ts'

export const suggestHelp = `  --from FILE suggest: traces of a file, in place of those that the gateway has; may be repeated
  --step N    suggest: what it is about, if not the last thing that was sent
  --reads, --reaches people|nobody, --effect adds|changes|removes   suggest: what you would be asked
  --again     suggest: write anew what was suggested before, if nobody has touched it`

export const suggestOptions = {
  from: { type: 'string', multiple: true },
  step: { type: 'string' },
  reads: { type: 'boolean' },
  reaches: { type: 'string' },
  effect: { type: 'string' },
  again: { type: 'boolean' },
} as const

interface Values extends OperatorOptions {
  readonly from?: string[] | undefined
  readonly step?: string | undefined
  readonly reads?: boolean | undefined
  readonly reaches?: string | undefined
  readonly effect?: string | undefined
  readonly again?: boolean | undefined
}

interface Asked {
  readonly folder: string
  readonly name: string
  readonly values: Values
  readonly env: NodeJS.ProcessEnv
}

/** `connector suggest`: its exit code. Throws in words. */
export async function suggestCommand({ folder, name, values, env }: Asked): Promise<number> {
  const step = values.step === undefined ? undefined : Number(values.step)
  if (step !== undefined && !(Number.isInteger(step) && step > 0))
    throw new Error('--step takes the number of a step, from 1')
  const said = decidedOf(values)
  const { slug } = readPackage(folder)
  const traces =
    values.from === undefined ? await fetchedTraces(slug, name, values, env) : await readTraces(values.from)
  const own = traces.filter((one) => one.name === name)
  if (own.length === 0)
    throw new Error(`there is no trace of ${name}: callgate connector record makes one of what you do`)
  const decided = process.stdin.isTTY
    ? await asked(said, suggest(own, { decided: said, step }).draft.asking.method === 'GET')
    : said
  await suggestInto({ folder, traces: own, decided, step, again: values.again === true }, (line) => console.log(line))
  return 0
}

function decidedOf({ reads, reaches, effect }: Values): Decided {
  if (reaches !== undefined && reaches !== 'people' && reaches !== 'nobody')
    throw new Error('--reaches takes people or nobody')
  if (effect !== undefined && effect !== 'adds' && effect !== 'changes' && effect !== 'removes')
    throw new Error('--effect takes adds, changes or removes')
  return { ...(reads === true && { reads }), ...(reaches && { reaches }), ...(effect && { effect }) }
}

/** What was not said is asked; who gives no answer leaves it open. */
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

async function fetchedTraces(
  slug: string,
  name: string,
  values: Values,
  env: NodeJS.ProcessEnv,
): Promise<readonly Trace[]> {
  const route = `/connectors/${encodeURIComponent(slug)}/traces?name=${encodeURIComponent(name)}`
  const { ok, text } = await askGateway(values, env, { method: 'GET', route })
  if (!ok) throw new Error(text)
  return tracesOf(text, 'what the gateway says')
}

async function readTraces(files: readonly string[]): Promise<readonly Trace[]> {
  const read = await Promise.all(files.map(async (file) => tracesOf(await readFile(file, 'utf8'), file)))
  return read.flat()
}

/** One trace, or a list of them. Throws where it is something else. */
function tracesOf(text: string, where: string): readonly Trace[] {
  const value: unknown = JSON.parse(text)
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
  const { app, name, origin, startedAt, exchanges } = value
  const texts = [app, name, origin, startedAt].every((one) => typeof one === 'string')
  return texts && URL.canParse(String(origin)) && Array.isArray(exchanges) && exchanges.every(isExchange)
}

function isExchange(value: unknown): boolean {
  if (!isFields(value)) return false
  const { request, answer } = value
  if (!isFields(request) || !isFields(answer)) return false
  const isAsked = typeof request['method'] === 'string' && URL.canParse(String(request['url']))
  return isAsked && isFields(request['headers']) && isFields(answer['headers']) && typeof answer['status'] === 'number'
}
