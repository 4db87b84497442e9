import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Decided } from '../../connectors/authoring/suggest/block.ts'
import { suggest } from '../../connectors/authoring/suggest/index.ts'
import type { Suggestion } from '../../connectors/authoring/suggest/index.ts'
import { plainly } from '../../connectors/authoring/suggest/literal.ts'
import type { Trace } from '../../connectors/authoring/trace.ts'
import { saveRecording } from '../../connectors/recordings/record.ts'
import { readPackage } from './package.ts'
import { registered } from './register.ts'
import { tryBlock } from './trial.ts'

export interface SuggestCommand {
  readonly folder: string
  readonly traces: readonly Trace[]
  readonly decided: Decided
  readonly step?: number | undefined
  /** Replaces an earlier suggestion that was not edited. */
  readonly again: boolean
}

export const decideName = 'DECIDE.md'
const marker = /^\/\/ As it was suggested: ([0-9a-f]{16})\n/

/**
 * Writes an endpoint derived from traces into a connector's folder, with its recordings and the
 * open decisions, and reports it line by line. Throws before anything is written.
 */
export async function suggestInto(
  { folder, traces, decided, step, again }: SuggestCommand,
  say: (line: string) => void,
): Promise<void> {
  const { entry } = readPackage(folder)
  const made = suggest(traces, { decided, step })
  const { name } = made.draft
  const file = `${name.replaceAll('_', '-')}.ts`
  refuseEdited(folder, file, name, again)
  const sealed = (code: string): string => `// As it was suggested: ${sealOf(code)}\n${code}`
  tell(made, say)
  const recordings = await recorded(folder, file, made, { step, decided })
  await writeFile(path.join(folder, file), sealed(made.block.code))
  say(`${file}: ${name}, from ${made.runs.length === 1 ? 'one run' : `${made.runs.length} runs`}`)
  for (const { name: one, text, problem, unlike = [] } of recordings) {
    if (text !== undefined) await saveRecording(folder, name, one, text)
    say(text === undefined ? `no recordings/${name}/${one}.http: ${problem ?? ''}` : `recordings/${name}/${one}.http`)
    if (unlike.length > 0)
      say(`  it sends ${unlike.map((each) => plainly(each)).join(', ')} otherwise than the browser did`)
  }
  const entryFile = path.relative(folder, entry)
  const { text, toAdd } = registered(readFileSync(entry, 'utf8'), entryFile, file)
  if (text !== undefined) await writeFile(entry, text)
  for (const line of toAdd) say(`add to ${entryFile}: ${line}`)
  const open = [...questionsOf(made, file), ...toMake(made)]
  await writeDecisions(folder, name, open)
  say('')
  say(`Left to decide (${decideName}):`)
  for (const line of open) say(`  ${line}`)
}

/** Refuses to overwrite an author's code. */
function refuseEdited(folder: string, file: string, name: string, again: boolean): void {
  const exported = new RegExp(`^export (?:const|let|var|function) ${name}\\b`, 'm')
  const sources = readdirSync(folder).filter((one) => one.endsWith('.ts') && one !== file)
  const other = sources.find((one) => exported.test(readFileSync(path.join(folder, one), 'utf8')))
  if (other !== undefined) throw new Error(`${path.join(folder, other)} exports ${name} already`)
  const target = path.join(folder, file)
  if (!existsSync(target)) return
  if (!again) throw new Error(`${target} is there already: --again writes it anew if nobody has touched it`)
  const text = readFileSync(target, 'utf8')
  if (marker.exec(text)?.[1] !== sealOf(text.replace(marker, '')))
    throw new Error(`${target} is not as it was suggested: nothing of it is overwritten. Move it away first`)
}

const sealOf = (code: string): string => createHash('sha256').update(code).digest('hex').slice(0, 16)

function tell({ runs, leftOut, unlike }: Suggestion, say: (line: string) => void): void {
  const [first] = runs
  if (first === undefined) return
  const { method, url } = first.exchange.request
  say(
    `Step ${first.at + 1} of ${first.trace.exchanges.length} is what it is about: ${method} ${plainly(new URL(url).pathname, 120)}. --step chooses another.`,
  )
  for (const run of unlike)
    say(
      `  recording ${run} left out: it has nothing like it. Take it away with connector recordings --forget, or record once more.`,
    )
  for (const { step, why } of leftOut)
    say(
      `  step ${step} left out: ${plainly(URL.parse(first.trace.exchanges[step - 1]?.request.url ?? '')?.pathname ?? '')} ${why}`,
    )
}

interface Made {
  readonly name: string
  readonly text?: string
  readonly problem?: string
  readonly unlike?: readonly string[]
}

/** A recording of each run, made with the block as if everything were decided. */
async function recorded(
  folder: string,
  file: string,
  { draft, runs, given }: Suggestion,
  { step, decided }: { readonly step?: number | undefined; readonly decided: Decided },
): Promise<readonly Made[]> {
  const isRead = draft.asking.method === 'GET' || decided.reads === true
  const filled: Decided = { reaches: 'people', effect: 'changes', ...(isRead && { reads: true }) }
  const { block } = suggest(
    runs.map(({ trace }) => trace),
    { decided: filled, step: step ?? (runs[0]?.at ?? 0) + 1 },
  )
  const named = runs.map((_, at) => (at === 0 ? 'success' : `run-${at + 1}`))
  const failed = (error: unknown): string =>
    (error instanceof Error ? error.message : String(error)).split('\n').slice(0, 6).join('\n  ')
  try {
    await using trial = await tryBlock(folder, file, block.code, draft.name)
    const made: Made[] = []
    for (const [at, run] of runs.entries()) {
      const name = named[at] ?? 'success'
      try {
        made.push({ name, ...(await trial.record(run, given[at] ?? {})) })
      } catch (error) {
        made.push({ name, problem: failed(error) })
      }
    }
    return made
  } catch (error) {
    return named.map((name) => ({ name, problem: failed(error) }))
  }
}

function questionsOf({ block, draft }: Suggestion, file: string): readonly string[] {
  const kinds = [...new Set(draft.asking.inputs.flatMap(({ kind }) => kind ?? []))]
  return [
    ...block.decisions
      .toSorted((a, b) => Number(b.isOpen) - Number(a.isOpen))
      .map(({ line, question, isOpen }) => `${file}:${line + 1}${isOpen ? ' (before it is taken)' : ''}: ${question}`),
    ...kinds.map(
      (kind) =>
        `things.${kind}: which read tells about one? Such as ${kind}: { label: '${kind.replaceAll('_', ' ')}', toldBy: [{ read: 'list_${kind}s', at: '${kind}s', id: '${kind}_id' }], title: ['name'], facts: [] }`,
    ),
  ]
}

function toMake({ draft }: Suggestion): readonly string[] {
  const isWrite = draft.asking.method !== 'GET'
  const needsId = draft.asking.inputs.some(({ kind }) => kind !== undefined)
  const kinds = ['signed_out', ...(isWrite ? ['refused'] : []), ...(needsId ? ['not_found'] : [])]
  return [
    `recordings of ${draft.name} to be made: ${kinds.join(', ')}; or why there is none, in recordings/declared.json`,
  ]
}

/** Replaces the endpoint's section of the list. */
async function writeDecisions(folder: string, name: string, lines: readonly string[]): Promise<void> {
  const file = path.join(folder, decideName)
  const said = existsSync(file) ? readFileSync(file, 'utf8') : '# What is left to decide\n'
  const parts = said.split(/^(?=## )/m).filter((part) => !part.startsWith(`## ${name}\n`))
  const own = `## ${name}\n\n${lines.map((line) => `- [ ] ${line}`).join('\n')}\n`
  await mkdir(folder, { recursive: true })
  await writeFile(file, `${[...parts.map((part) => part.trimEnd()), own.trimEnd()].join('\n\n')}\n`)
}
