import type { App, Endpoint } from '../../connectors/registry.ts'
import { isFields } from '../../connectors/kit/wire.ts'

interface Place {
  readonly weight: number
  readonly words: readonly string[]
}

interface Entry {
  readonly endpoint: Endpoint
  readonly places: readonly Place[]
}

/** Each of them is looked for everywhere. */
const mostWords = 30

/** The endpoints that the words fit, best first; a word counts more the fewer endpoints have it. Without words: all. */
export function searchEndpoints(apps: readonly App[], query: string): readonly Endpoint[] {
  const entries = apps.flatMap(entriesOf)
  const wanted = wordsOf(query).slice(0, mostWords)
  if (wanted.length === 0) return entries.map(({ endpoint }) => endpoint)
  const scores = new Map<Entry, number>()
  for (const word of wanted) {
    const found = entries.map((entry) => [entry, scoreOf(entry, word)] as const).filter(([, score]) => score > 0)
    const rarity = Math.log(1 + entries.length / Math.max(1, found.length))
    for (const [entry, score] of found) scores.set(entry, (scores.get(entry) ?? 0) + score * rarity)
  }
  return [...scores].toSorted(([, a], [, b]) => b - a).map(([{ endpoint }]) => endpoint)
}

const remembered = new WeakMap<App, readonly Entry[]>()

function entriesOf(app: App): readonly Entry[] {
  const entries = remembered.get(app) ?? [...app.endpoints.values()].map((endpoint) => entryOf(app, endpoint))
  remembered.set(app, entries)
  return entries
}

function entryOf(app: App, endpoint: Endpoint): Entry {
  const { properties } = endpoint.inputSchema
  const inputs = isFields(properties) ? Object.keys(properties).join(' ') : ''
  return {
    endpoint,
    places: [
      { weight: 6, words: wordsOf(endpoint.name) },
      { weight: 4, words: wordsOf(`${app.slug} ${app.name}`) },
      { weight: 3, words: wordsOf(endpoint.summary) },
      { weight: 1, words: wordsOf(`${app.description} ${inputs}`) },
    ],
  }
}

function scoreOf({ places }: Entry, word: string): number {
  let best = 0
  for (const { weight, words } of places) for (const one of words) best = Math.max(best, weight * likeness(one, word))
  return best
}

/** Whole words count most; `appointments` is like `appointment`, `book` like `booking`. */
function likeness(one: string, other: string): number {
  if (one === other) return 1
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.length >= 3 && long.startsWith(short) ? short.length / long.length : 0
}

const filler: ReadonlySet<string> = new Set('a an and at by for from in me my of on or the their to with'.split(' '))

function wordsOf(text: string): readonly string[] {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])].filter((word) => !filler.has(word))
}
