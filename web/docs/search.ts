import MiniSearch from 'minisearch'
import type { Token } from 'marked'
import { describeError, errorCodes } from '../../core/http/error-docs.ts'
import { searchEndpoints } from '../../core/search/search.ts'
import { termsOf } from '../../core/search/words.ts'
import type { App, Endpoint } from '../../connectors/registry.ts'
import { guidesAt, placeOf } from './guides.ts'

/** A searchable section of the docs. */
export interface Passage {
  readonly id: string
  /** Its URL. */
  readonly href: string
  readonly kind: 'guide' | 'error'
  readonly title: string
  readonly text: string
}

/** Matches, best first. */
export interface SearchResults {
  readonly passages: readonly Passage[]
  readonly endpoints: readonly Endpoint[]
}

const mostPassages = 12
const mostEndpoints = 20

export function searchDocs(apps: readonly App[], publicUrl: string, query: string): SearchResults {
  if (termsOf(query).length === 0) return { passages: [], endpoints: [] }
  const { passages, index } = indexAt(publicUrl)
  const found = index.search(query, { boost: { title: 3 }, prefix: (term) => term.length > 3 })
  return {
    passages: found.slice(0, mostPassages).flatMap(({ id }) => passages.get(String(id)) ?? []),
    endpoints: searchEndpoints(apps, query)
      .slice(0, mostEndpoints)
      .map(({ endpoint }) => endpoint),
  }
}

interface Index {
  readonly passages: ReadonlyMap<string, Passage>
  readonly index: MiniSearch<Passage>
}

const made = new Map<string, Index>()

function indexAt(publicUrl: string): Index {
  const known = made.get(publicUrl)
  if (known !== undefined) return known
  const passages = [...starts, clients, ...guidePassages(publicUrl), ...errorPassages(publicUrl)]
  const index = new MiniSearch<Passage>({
    fields: ['title', 'text'],
    tokenize: (text) => [...termsOf(text.replaceAll('_', ' '))],
    processTerm: (term) => term,
  })
  index.addAll(passages)
  const both = { passages: new Map(passages.map((one) => [one.id, one])), index }
  made.set(publicUrl, both)
  return both
}

/** The quick start, which is no file of `docs/`. */
const starts: readonly Passage[] = (
  [
    [
      'program',
      'Quick start: you program an agent',
      'Make an API key, see all apps, call an action with curl, MCP tools.',
    ],
    [
      'approve',
      'Quick start: you approve',
      'Connect apps, be told on the phone, approve, reject, change, approve in advance.',
    ],
    [
      'operate',
      'Quick start: you run Callgate',
      'Install it, npm start, Docker, deploy, settings, operators, monitoring.',
    ],
  ] as const
).map(([place, title, text]) => ({
  id: `start#${place}`,
  href: `/docs/start#${place}`,
  kind: 'guide',
  title,
  text,
}))

const clients: Passage = {
  id: 'clients',
  href: '/clients',
  kind: 'guide',
  title: 'Clients',
  text: 'Install the client for TypeScript or Python from this gateway with npm or pip; the callgate command; types of all apps.',
}

/** Sections of the guides, by second-level heading. */
function guidePassages(publicUrl: string): readonly Passage[] {
  return guidesAt(publicUrl).flatMap(({ slug, title, about, tokens }) => {
    const parts: { heading: string | undefined; texts: string[] }[] = [{ heading: undefined, texts: [about] }]
    for (const token of tokens) {
      if (token.type === 'heading' && token['depth'] === 2) parts.push({ heading: plainOf(token), texts: [] })
      else parts.at(-1)?.texts.push(plainOf(token))
    }
    return parts.map(({ heading, texts }) => {
      const place = heading === undefined ? '' : `#${placeOf(heading)}`
      return {
        id: `${slug}${place}`,
        href: `/docs/${slug}${place}`,
        kind: 'guide' as const,
        title: heading === undefined ? title : `${title}: ${heading}`,
        text: texts.filter((text) => text !== '').join(' '),
      }
    })
  })
}

/** Text without Markdown syntax. */
function plainOf(token: Token): string {
  if (token.type === 'space' || token.raw.startsWith('<!--')) return ''
  return token.raw
    .replaceAll(/\]\([^)]*\)/g, '')
    .replaceAll(/[`*[\]|#]|-{3,}/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function errorPassages(publicUrl: string): readonly Passage[] {
  return errorCodes.flatMap((code) => {
    const error = describeError(code, publicUrl)
    if (error === undefined) return []
    const { title, happened, remedy, advice } = error
    return [
      {
        id: `error ${code}`,
        href: `/docs/errors/${code}`,
        kind: 'error' as const,
        title: `${code}: ${title}`,
        text: [happened, remedy, advice].join(' '),
      },
    ]
  })
}
