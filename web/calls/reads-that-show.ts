import type { App, Endpoint, JsonSchema } from '../../connectors/registry.ts'
import { itemsOf, propertiesOf, requiredOf } from '../parts/schema.ts'

const most = 2

/** The reads that most likely show whether a write happened, likeliest first: of the same thing, found by what the write says. */
export function readsThatShow(app: App, write: Endpoint): readonly Endpoint[] {
  const said = Object.keys(propertiesOf(write.inputSchema))
  const about = new Set([...wordsOf(write.name), ...said.filter(isId).flatMap(wordsOf)])
  return [...app.endpoints.values()]
    .filter(({ access }) => access === 'read')
    .map((read) => ({ read, score: scoreOf(read, said, about, wordsOf(write.name)) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ read }) => read)
}

function scoreOf(
  { name, inputSchema, outputSchema }: Endpoint,
  said: readonly string[],
  about: ReadonlySet<string>,
  written: readonly string[],
): number {
  const required = requiredOf(inputSchema)
  const ids = Object.keys(propertiesOf(inputSchema)).filter((one) => isId(one) && said.includes(one))
  const missing = required.filter((one) => !said.includes(String(one)))
  const shown = namesIn(outputSchema)
  const same = said.filter((one) => !isId(one) && shown.has(one))
  const named = wordsOf(name)
  const words =
    named.filter((word) => about.has(word)).length + 2 * named.filter((word) => written.includes(word)).length
  return 2 * words + 2 * ids.length + Math.min(2, same.length) - 2 * missing.length
}

/** Whether an input names a thing, such as `booking_id`. */
export function isId(name: string): boolean {
  return /_(id|ids|number|url|reference)$/.test(name)
}

/** Without endings, and without what says only how: `list_my_answers` → `answer`. */
function wordsOf(name: string): string[] {
  return name
    .split('_')
    .filter(
      (word) =>
        !/^(get|list|find|search|export|run|to|my|of|ids?|number|url|reference|add|create|update|send|set)$/.test(word),
    )
    .map((word) => word.replace(/(?<=[^s])s$/, ''))
}

function namesIn(schema: JsonSchema | undefined): ReadonlySet<string> {
  if (schema === undefined) return new Set()
  const inner = Object.entries(propertiesOf(schema)).flatMap(([name, one]) => [name, ...namesIn(one)])
  return new Set([...inner, ...namesIn(itemsOf(schema))])
}
