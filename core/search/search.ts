import MiniSearch from 'minisearch'
import type { SearchResult } from 'minisearch'
import type { App, Endpoint } from '../../connectors/registry.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import { alike, isAsking, termsOf } from './words.ts'

/** Most terms of a query: each one is searched in every field. */
const mostWords = 30

interface Entry {
  readonly id: string
  readonly name: string
  readonly summary: string
  readonly aliases: string
  readonly app: string
  readonly topics: string
  readonly inputs: string
}

interface Index {
  /** All indexed terms: others may be names or typos. */
  readonly known: ReadonlySet<string>
  readonly endpoints: ReadonlyMap<string, Endpoint>
  readonly words: MiniSearch<Entry>
}

/** Filters and boosts besides the terms. */
export interface SearchContext {
  /** Only this app. */
  readonly app?: string | undefined
  /** Apps that the caller has a connection to. */
  readonly connected?: ReadonlySet<string>
}

/** Boost of a match by the endpoint's field. */
const boost = { name: 1, summary: 1, aliases: 2, app: 2, topics: 2, inputs: 0.3 } as const
/** Low `k`: a repeated term counts little more than a single one. */
const bm25 = { k: 0.8, b: 0.5, d: 0.2 } as const

/** An endpoint and its score; for one query, the best match has the highest. */
export interface Found {
  readonly endpoint: Endpoint
  readonly score: number
}

/** Matching endpoints, best first. All of them (of `app`) if the query has no terms. */
export function searchEndpoints(
  apps: readonly App[],
  query: string,
  { app, connected }: SearchContext = {},
): readonly Found[] {
  const { endpoints, words, known } = indexOf(apps)
  const terms = termsOf(query).slice(0, mostWords)
  const isMeant = (id: string): boolean => app === undefined || endpoints.get(id)?.app === app
  if (terms.length === 0)
    return [...endpoints.values()]
      .filter((endpoint) => app === undefined || endpoint.app === app)
      .map((endpoint) => ({ endpoint, score: 0 }))
  const weights = weightsOf(terms)
  const whole = terms.filter((term) => weights.get(term) === 1 && known.has(term))
  const asks = isAsking(query)
  const results = words.search([...weights.keys()].join(' '), {
    boost,
    bm25,
    tokenize: (text) => text.split(' '),
    processTerm: (term) => term,
    boostTerm: (term) => weights.get(term) ?? 1,
    fuzzy: (term) => (term.length > 5 && !known.has(term) ? 1 : false),
    weights: { fuzzy: 0.8, prefix: 0 },
    filter: ({ id }) => isMeant(String(id)),
    boostDocument: (id: string) => factorOf(endpoints.get(id), { asks, connected }),
  })
  return results
    .flatMap(({ id, score, queryTerms }: SearchResult) => {
      const endpoint = endpoints.get(String(id))
      const share = queryTerms.filter((term) => weights.get(term) === 1).length / Math.max(1, whole.length)
      return endpoint === undefined ? [] : [{ endpoint, score: score * (0.5 + share) }]
    })
    .toSorted((one, other) => other.score - one.score)
}

/** Weights of the query's terms; synonyms have lower ones. */
function weightsOf(terms: readonly string[]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const term of terms) for (const other of alike(term)) weights.set(other, 0.2)
  for (const term of terms) weights.set(term, term.endsWith('+') ? 0.8 : term.includes('_') ? 0.5 : 1)
  return weights
}

function factorOf(
  endpoint: Endpoint | undefined,
  { asks, connected }: { readonly asks: boolean | undefined; readonly connected: ReadonlySet<string> | undefined },
): number {
  if (endpoint === undefined) return 0
  const isWrong = asks !== undefined && asks !== (endpoint.access === 'read')
  return (isWrong ? 0.3 : 1) * (connected?.has(endpoint.app) ? 1.3 : 1)
}

const remembered = new WeakMap<readonly App[], Index>()

/** Cached by the list of apps, which is another array after each change. */
function indexOf(apps: readonly App[]): Index {
  const before = remembered.get(apps)
  if (before !== undefined) return before
  const endpoints = new Map(
    apps.flatMap((app) => [...app.endpoints.values()].map((one) => [`${app.slug}/${one.name}`, one] as const)),
  )
  const known = new Set<string>()
  const words = new MiniSearch<Entry>({
    fields: ['name', 'summary', 'aliases', 'app', 'topics', 'inputs'],
    tokenize: (text) => [...termsOf(text)],
    processTerm: (term) => {
      known.add(term)
      return term
    },
  })
  words.addAll(apps.flatMap((app) => [...app.endpoints.values()].map((one) => entryOf(app, one))))
  const made = { endpoints, words, known }
  remembered.set(apps, made)
  return made
}

function entryOf(app: App, endpoint: Endpoint): Entry {
  const { properties } = endpoint.inputSchema
  return {
    id: `${app.slug}/${endpoint.name}`,
    name: `${endpoint.name.replaceAll('_', ' ')} ${endpoint.label}`,
    summary: endpoint.summary,
    aliases: endpoint.aliases.join('. '),
    app: `${app.slug.replaceAll('-', ' ')} ${app.name}`,
    topics: `${app.description} ${app.topics}`,
    inputs: isFields(properties) ? Object.keys(properties).join(' ').replaceAll('_', ' ') : '',
  }
}
